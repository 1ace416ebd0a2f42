"""Live tables: matches in progress, the agents at them, fair deals, and what each seat is shown."""
