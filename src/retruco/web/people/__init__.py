"""People at the tables: names and consent, invitations, clocks, the lobby, presence."""
