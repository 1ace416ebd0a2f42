"""Learning the game and teaching an agent: rules and lessons."""
