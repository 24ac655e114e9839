"""The line that says how a request goes."""

import pytest
from PySide6.QtWidgets import QLabel
from pytestqt.qtbot import QtBot

from app.widgets.request_status import RequestStatus
from core.api.maintenance import LookAround, MakeSupportFile
from core.api.requests import Cancel, Cancelled, Done, Refused
from core.api.updates import UpdateProgress
from tests.app.hearing import listen
from tests.fake_actions import FakeActions


@pytest.fixture
def line(actions: FakeActions, qtbot: QtBot) -> RequestStatus:
    made = RequestStatus(actions)
    qtbot.addWidget(made)
    return made


def words(line: RequestStatus) -> str:
    return "" if line.isHidden() else line.findChildren(QLabel)[0].text()


def role(line: RequestStatus) -> str:
    return str(line.findChildren(QLabel)[0].property("role"))


def test_a_request_is_told_from_beginning_to_end(
    line: RequestStatus, actions: FakeActions, qtbot: QtBot
) -> None:
    """Empty before the first; then what is done, then how it ended."""
    assert words(line) == ""
    line.begin(MakeSupportFile(path="x"), "Looking…")
    (request,) = actions.of(MakeSupportFile)
    assert request.path == "x"
    assert words(line) == "Looking…"
    with qtbot.waitSignal(line.ended):
        actions.reply(Done(words="x is written."))
    assert words(line) == "x is written."


def test_a_refusal_looks_like_trouble(line: RequestStatus, actions: FakeActions) -> None:
    """And what went well later does not."""
    line.begin(LookAround(), "")
    actions.reply(Refused(words="No. Try again."))
    assert (words(line), role(line)) == ("No. Try again.", "trouble")
    line.begin(LookAround(), "Again…")
    actions.reply(Done())
    assert (words(line), role(line)) == ("", "small")


def test_a_look_gives_way_to_what_somebody_asks_for(
    line: RequestStatus, actions: FakeActions
) -> None:
    """Its answer comes too late then, and what was asked for gives way to nothing."""
    line.begin(LookAround(), "")
    late = actions.last(LookAround).id
    line.begin(MakeSupportFile(path="x"), "Writing…")
    actions.reply(Done(id=late))
    line.begin(LookAround(), "")
    assert actions.last(LookAround).id == late
    assert words(line) == "Writing…"


def test_one_request_at_a_time(line: RequestStatus, actions: FakeActions) -> None:
    """The second wish waits until the first is over; one that was ended is over."""
    line.begin(LookAround(), "Looking…")
    line.begin(LookAround(), "Looking…")
    assert len(actions.all) == 1
    assert "One moment" in words(line)
    actions.reply(Cancelled())
    line.begin(LookAround(), "")
    assert len(actions.all) == 2


def test_a_request_can_be_cancelled(line: RequestStatus, actions: FakeActions) -> None:
    """The one that is under way, and no other; its answer is its end."""
    line.cancel()
    assert actions.all == []
    line.begin(LookAround(), "Looking…")
    number = actions.last(LookAround).id
    line.cancel()
    assert actions.of(Cancel) == [Cancel(request=number)]
    line.begin(LookAround(), "")
    assert actions.last(LookAround).id == number
    actions.reply(Cancelled())
    line.begin(LookAround(), "")
    assert actions.last(LookAround).id != number


def test_how_it_goes_can_be_told(line: RequestStatus, actions: FakeActions) -> None:
    """By whoever understands the answers on the way."""
    line.begin(LookAround(), "Looking…")
    told: list[object] = []
    line.progress.connect(told.append)
    actions.reply(progress := UpdateProgress(id=1, stage="downloading"))
    assert told == [progress]
    line.tell("Half of it.")
    assert words(line) == "Half of it."


def test_its_beginning_and_its_end_are_said_aloud(
    line: RequestStatus, actions: FakeActions, monkeypatch: pytest.MonkeyPatch
) -> None:
    """How far it has come is not: that would never end."""
    heard = listen(monkeypatch)
    line.begin(LookAround(), "Looking…")
    line.tell("Downloading: 1 of 2")
    actions.reply(Refused(words="Nobody answers."))
    assert heard == ["Looking…", "Nobody answers."]
