"""Where agents meet: the table, matches, fair duels, and what their results mean."""
