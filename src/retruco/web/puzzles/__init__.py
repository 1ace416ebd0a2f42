"""Puzzles: positions of Truco in which one move is clearly best, one of them every day."""
