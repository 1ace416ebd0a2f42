"""The cards, drawn by scripts."""
