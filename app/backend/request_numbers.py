"""Numbers for requests to the helper: a page that gives one knows which answers are its own."""

from itertools import count

_numbers = count(1)


def new_number() -> int:
    """A number that no other request of this process has."""
    return next(_numbers)
