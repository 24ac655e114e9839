"""Only the last call counts."""

import pytest
from PySide6.QtWidgets import QApplication

from app.backend.latest_call import LatestCall
from core.api.maintenance import LookAround
from core.api.requests import Done, Refused, Reply
from tests.fake_actions import FakeActions


@pytest.fixture(autouse=True)
def _with_qt(qapp: QApplication) -> None:
    """Signals need it."""
    assert qapp


def test_what_comes_to_an_earlier_call_is_dropped(actions: FakeActions) -> None:
    """The last one is told of its reply, be it a refusal."""
    done, refused = list[Reply](), list[Reply]()
    latest = LatestCall(actions)
    for _ in range(3):
        latest.make(LookAround(), done.append, refused.append)
    actions.reply(Done(id=1))
    actions.reply(Refused(id=2, words="No."))
    assert done == refused == []
    actions.reply(Refused(id=3, words="No."))
    assert refused == [Refused(id=3, words="No.")]
    assert done == []


def test_nobody_needs_to_wait(actions: FakeActions) -> None:
    """Forgetting before any call does nothing; after one, its reply is dropped."""
    done = list[Reply]()
    latest = LatestCall(actions)
    latest.forget()
    latest.make(LookAround(), done.append, done.append)
    latest.forget()
    actions.reply(Done())
    assert done == []
