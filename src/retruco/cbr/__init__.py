"""Reasoning by remembering: named features, action labels and episodes; no game.

Nothing is imported here, so that `retruco.cbr.case` and `retruco.cbr.vocabulary` stay light.
"""
