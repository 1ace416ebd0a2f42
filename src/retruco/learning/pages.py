"""Old name of `retruco.learning.checkpoints`; it goes with the next release."""

from retruco.aliases import moved

__getattr__ = moved(
    __name__,
    Memory="retruco.learning.checkpoints:Memory",
    Standing="retruco.learning.checkpoints:Standing",
)
