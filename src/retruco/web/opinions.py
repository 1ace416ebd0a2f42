"""The old place of the questionnaire's summary; it works for one release and warns."""

from __future__ import annotations

from retruco.aliases import moved

__getattr__ = moved(__name__, summary="retruco.web.lab.questionnaire:summary")
