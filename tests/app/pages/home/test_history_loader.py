"""The helper is asked for earlier rounds when it is of use, and only then."""

from dataclasses import replace

import pytest
from PySide6.QtCore import QObject, QTimer
from pytestqt.qtbot import QtBot

from app.pages.home.history_loader import FIRST_MS, TIMEOUT_MS, HistoryLoader
from app.pages.home.round_history import RoundHistory
from app.state.app_state import AppState
from app.state.engine_status import EngineStatus
from app.state.model_choices import load_choices
from core.api.events import Join, Point, Started, Stopped
from core.api.practice import HistoryShown, ShowHistory
from core.api.requests import Refused
from core.api.state import NodeState, apply, ask
from tests.fake_actions import FakeActions

IDLE = AppState(choices=load_choices(), chosen="spark", has_practised=True)
EMBER = replace(IDLE, chosen="ember")
POINTS = (Point(1, 0.5, None),)


class Visit:
    """A recall, and what it asked for; its timers ring by hand."""

    def __init__(self) -> None:
        self.owner = QObject()
        self.actions = FakeActions()
        self.loader = HistoryLoader(self.owner, self.actions)

    def open(self) -> None:
        self.loader.come_into_view()
        self.ring(FIRST_MS)

    def ring(self, interval: int) -> None:
        """Let the time of a timer be over, if it runs."""
        for timer in self.loader.findChildren(QTimer):
            if timer.isActive() and timer.interval() == interval:
                timer.stop()
                timer.timeout.emit()

    def answer(self, *points: Point, at: int = -1) -> None:
        request = self.asked[at]
        last = points[-1].round if points else 0
        told = HistoryShown(id=request.id, model=request.model, history=points, round=last)
        self.actions.reply(told)

    def refuse(self) -> None:
        self.actions.reply(Refused(words="The record of rounds is damaged."))

    @property
    def asked(self) -> list[ShowHistory]:
        return self.actions.of(ShowHistory)

    @property
    def models(self) -> list[str]:
        return [request.model for request in self.asked]


@pytest.fixture
def visit(qtbot: QtBot) -> Visit:
    assert qtbot
    return Visit()


def test_nothing_is_asked_before_home_is_seen(visit: Visit, qtbot: QtBot) -> None:
    """Nor in the same moment: the window is painted first."""
    visit.loader.show_state(IDLE)
    assert visit.asked == []
    visit.loader.come_into_view()
    visit.loader.show_state(replace(IDLE, problem="Something else."))
    assert visit.asked == []
    qtbot.waitUntil(lambda: visit.models == ["spark"])


def test_a_new_node_asks_nothing(visit: Visit) -> None:
    """There is nothing to know, and the helper is not started for it."""
    visit.loader.show_state(replace(IDLE, has_practised=False))
    visit.open()
    visit.open()
    assert visit.asked == []


def test_what_the_helper_knows_is_kept(visit: Visit, qtbot: QtBot) -> None:
    """It is told, and not asked for again until Home is opened once more."""
    visit.loader.show_state(IDLE)
    visit.open()
    with qtbot.waitSignal(visit.loader.changed):
        visit.answer(*POINTS)
    assert visit.loader.past == RoundHistory("spark", POINTS, 1)
    visit.loader.show_state(IDLE)
    assert visit.models == ["spark"]
    visit.open()
    assert visit.models == ["spark", "spark"]
    assert visit.loader.past.points == POINTS


def test_another_model_has_another_past(visit: Visit) -> None:
    """The answer about the one before comes too late."""
    visit.loader.show_state(IDLE)
    visit.open()
    visit.loader.show_state(EMBER)
    visit.loader.show_state(EMBER)
    assert visit.models == ["spark", "ember"]
    visit.answer(*POINTS, at=0)
    assert visit.loader.past.points == ()
    visit.answer(*POINTS)
    assert visit.loader.past == RoundHistory("ember", POINTS, 1)


def test_a_refusal_is_as_if_there_were_nothing(visit: Visit) -> None:
    """It is not asked again and again, and what was known before stays."""
    visit.loader.show_state(IDLE)
    visit.open()
    visit.refuse()
    visit.loader.show_state(IDLE)
    assert visit.loader.past == RoundHistory("spark")
    assert visit.models == ["spark"]
    visit.open()
    visit.answer(*POINTS)
    visit.open()
    visit.refuse()
    assert visit.loader.past == RoundHistory("spark", POINTS, 1)


def test_a_helper_that_says_nothing_is_not_awaited_forever(visit: Visit) -> None:
    """What it says later is taken all the same."""
    visit.loader.show_state(IDLE)
    visit.open()
    assert visit.loader.past.asked == "spark"
    visit.ring(TIMEOUT_MS)
    assert visit.loader.past == RoundHistory("spark")
    visit.answer(*POINTS)
    assert visit.loader.past == RoundHistory("spark", POINTS, 1)


def test_the_engine_knows_better(visit: Visit) -> None:
    """Once it has started the past is forgotten, and an answer from before that is void."""
    visit.loader.show_state(IDLE)
    visit.open()
    visit.answer(*POINTS)
    visit.open()
    joining = replace(IDLE, node=ask(NodeState(), Join(model="spark")), link=EngineStatus("up"))
    visit.loader.show_state(joining)
    assert visit.loader.past.points == POINTS
    event = Started(model="spark", round=1, peer="", name="", solo=True, history=POINTS)
    started = replace(joining, node=apply(joining.node, event))
    visit.loader.show_state(started)
    assert visit.loader.past == RoundHistory()
    ended = replace(IDLE, node=apply(started.node, Stopped(round=2)))
    visit.loader.show_state(ended)
    visit.answer()
    assert visit.loader.past == RoundHistory()
    assert visit.models == ["spark", "spark"]
