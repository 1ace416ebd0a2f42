"""A visitor's account: statistics, consent, the archive of hands, export and deletion."""
