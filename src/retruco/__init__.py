"""Card-playing agents that learn from recorded games, decide by remembering, and show why."""

__version__ = "1.0.0"
