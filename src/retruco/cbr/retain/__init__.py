"""Retain: whether an episode is worth keeping, judged before anything is stored; one strategy a file."""
