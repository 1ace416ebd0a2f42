"""The rules of the games; they know cards, and nothing of cases or agents."""
