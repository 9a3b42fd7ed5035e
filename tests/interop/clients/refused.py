"""An error in place of a result."""


class Refused(Exception):
    """What a client tells of an error that came in place of a result, or that it found itself."""
