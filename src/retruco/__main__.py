"""`python -m retruco` is the command `retruco`."""

from retruco.cli import main

if __name__ == "__main__":
    main()
