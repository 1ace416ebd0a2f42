"""The Euchre players: bidding and card play as separate parts, and references to measure against."""
