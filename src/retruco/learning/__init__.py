"""Learning from hands: of people, of others, of oneself; and measuring what was learnt."""
