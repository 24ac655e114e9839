"""What has to be there."""

from typing import TypeVar

T = TypeVar("T")


def present(value: T | None) -> T:
    """``value``, of which a test knows that it is not None."""
    assert value is not None
    return value
