"""Why a call is not possible now; see `retruco.explain.why_not`."""

from retruco.explain.why_not import why_not

__all__ = ["why_not"]
