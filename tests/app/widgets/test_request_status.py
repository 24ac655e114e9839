"""The line that says how a request goes."""

import pytest
from PySide6.QtWidgets import QLabel
from pytestqt.qtbot import QtBot

from app.widgets.request_status import RequestStatus
from core.api.maintenance import LookAround, MakeSupportFile
from core.api.requests import Cancel, Cancelled, Done, Refused
from tests.wishes import Wishes


@pytest.fixture
def line(qtbot: QtBot) -> RequestStatus:
    made = RequestStatus()
    qtbot.addWidget(made)
    return made


def words(line: RequestStatus) -> str:
    return "" if line.isHidden() else line.findChildren(QLabel)[0].text()


def role(line: RequestStatus) -> str:
    return str(line.findChildren(QLabel)[0].property("role"))


def test_an_request_is_told_from_beginning_to_end(line: RequestStatus, qtbot: QtBot) -> None:
    """Empty before the first; then what is done, then how it ended."""
    wishes = Wishes(line.asked)
    assert words(line) == ""
    line.begin(MakeSupportFile(path="x"), "Looking…")
    (request,) = wishes.of(MakeSupportFile)
    assert request.path == "x"
    assert words(line) == "Looking…"
    assert line.is_busy
    with qtbot.waitSignal(line.ended):
        line.hear(Done(id=request.id, words="x is written."))
    assert words(line) == "x is written."
    assert not line.is_busy


def test_a_refusal_looks_like_trouble(line: RequestStatus) -> None:
    """And what went well later does not."""
    wishes = Wishes(line.asked)
    line.begin(LookAround(), "")
    line.hear(Refused(id=wishes.last(LookAround).id, words="No. Try again."))
    assert (words(line), role(line)) == ("No. Try again.", "trouble")
    line.begin(LookAround(), "Again…")
    line.hear(Done(id=wishes.last(LookAround).id))
    assert (words(line), role(line)) == ("", "small")


def test_a_look_gives_way_to_what_somebody_asks_for(line: RequestStatus) -> None:
    """Its answer comes too late then, and what was asked for gives way to nothing."""
    wishes = Wishes(line.asked)
    line.begin(LookAround(), "")
    late = wishes.last(LookAround).id
    line.begin(MakeSupportFile(path="x"), "Writing…")
    line.hear(Done(id=late))
    line.begin(LookAround(), "Looking…")
    assert wishes.last(LookAround).id == late
    assert (words(line), line.is_busy) == ("Writing…", True)


def test_only_answers_of_its_own_count(line: RequestStatus) -> None:
    """All pages hear all answers."""
    line.hear(Done(id=1, words="somebody else's"))
    wishes = Wishes(line.asked)
    line.begin(LookAround(), "Looking…")
    line.hear(Done(id=wishes.last(LookAround).id + 1, words="somebody else's"))
    assert words(line) == "Looking…"


def test_one_request_at_a_time(line: RequestStatus) -> None:
    """The second wish waits until the first is over; one that was ended is over."""
    wishes = Wishes(line.asked)
    line.begin(LookAround(), "")
    line.begin(LookAround(), "")
    assert len(wishes.all) == 1
    line.hear(Cancelled(id=wishes.last(LookAround).id))
    line.begin(LookAround(), "")
    assert len(wishes.all) == 2


def test_an_request_can_be_cancelled(line: RequestStatus) -> None:
    """The one that is under way, and no other; its answer is its end."""
    wishes = Wishes(line.asked)
    line.cancel()
    assert wishes.all == []
    line.begin(LookAround(), "Looking…")
    number = wishes.last(LookAround).id
    line.cancel()
    assert wishes.of(Cancel) == [Cancel(errand=number)]
    assert line.is_busy
    line.hear(Cancelled(id=number))
    assert not line.is_busy


def test_how_it_goes_can_be_told(line: RequestStatus) -> None:
    """By whoever understands the answers on the way."""
    wishes = Wishes(line.asked)
    line.begin(LookAround(), "Looking…")
    number = wishes.last(LookAround).id
    assert line.is_about(Done(id=number))
    assert not line.is_about(Done(id=number + 1))
    line.tell("Half of it.")
    assert words(line) == "Half of it."
