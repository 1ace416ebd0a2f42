"""Other people's bots: tokens, turns and answers."""
