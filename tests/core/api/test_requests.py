"""What all requests and answers promise."""

from typing import get_args

from core.api.protocol import AnyAnswer, AnyRequest
from core.api.requests import Cancel, Reply, Request


def test_only_progress_is_not_the_last_word() -> None:
    """A report that more is to come has something to end with; each of the general ones ends."""
    general = [kind for kind in get_args(AnyAnswer) if kind.__module__ == Reply.__module__]
    assert len(general) == 3
    assert all(kind.is_last for kind in general)


def test_everything_carries_a_number() -> None:
    """Zero until the window's client gives one."""
    assert all(issubclass(kind, Request) for kind in get_args(AnyRequest))
    assert all(issubclass(kind, Reply) for kind in get_args(AnyAnswer))
    assert Cancel(request=3).id == 0
