"""What a caller is told of its request."""

import pytest
from PySide6.QtWidgets import QApplication

from app.backend.helper_call import HelperCall
from core.api.models import ModelProgress
from core.api.requests import Cancelled, Done, Refused, Reply

PROGRESS = ModelProgress(stage="downloading", done=1, total=2)


def made() -> tuple[HelperCall, list[tuple[str, Reply]]]:
    """A call, and what it tells under which name."""
    call, told = HelperCall(7, lambda: None), list[tuple[str, Reply]]()
    for name in ("progress", "done", "refused", "cancelled"):
        getattr(call, name).connect(lambda reply, name=name: told.append((name, reply)))
    return call, told


def test_its_end_is_asked_for_once(qapp: QApplication) -> None:
    """However often the person clicks."""
    assert qapp
    asked: list[int] = []
    call = HelperCall(7, lambda: asked.append(7))
    call.cancel()
    call.cancel()
    assert asked == [7]


@pytest.mark.parametrize(
    ("name", "reply"),
    [
        ("progress", PROGRESS),
        ("done", Done(words="x is written.")),
        ("refused", Refused(words="The disk is full.")),
        ("cancelled", Cancelled()),
    ],
)
def test_a_reply_is_told_as_what_it_is(qapp: QApplication, name: str, reply: Reply) -> None:
    """By one signal; and by none to whoever does not wait for it any more."""
    assert qapp
    call, told = made()
    call.deliver(reply)
    call.forget()
    call.deliver(reply)
    assert told == [(name, reply)]
