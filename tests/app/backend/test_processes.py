"""Engine and helper as one."""

from collections.abc import Callable

from pytestqt.qtbot import QtBot

from app.backend.helper_client import HelperClient
from app.backend.processes import Processes
from core.api.events import Join, RoundFinished
from core.paths import Home
from tests.fake_engine import SAVED_FILE
from tests.fake_helper import PUT_AWAY_FILE, Act
from tests.hand_alarm import Connect

NEVER_MS = 60_000


def test_whoever_waits_returns_when_both_have_put_things_away(
    connect: Connect, helper: HelperClient, home: Home, qtbot: QtBot
) -> None:
    """As a log-out needs it: all is safe when the call is over."""
    processes = Processes(connect("train"), helper)
    assert not processes.is_running
    rounds: list[object] = []
    heard: list[object] = []
    processes.engine.event_received.connect(rounds.append)
    processes.helper.answered.connect(heard.append)
    processes.engine.join(Join(model="spark"))
    processes.helper.call(Act(deed="work"))
    seen: Callable[[], bool] = lambda: any(isinstance(one, RoundFinished) for one in rounds)  # noqa: E731 - a name for mypy
    qtbot.waitUntil(lambda: seen() and bool(heard))
    processes.let_go()
    assert processes.wait(NEVER_MS)
    assert (home.root / SAVED_FILE).exists()
    assert (home.root / PUT_AWAY_FILE).exists()


def test_nobody_waits_for_ever(connect: Connect, helper: HelperClient) -> None:
    """One that hangs is given up when the time is over."""
    processes = Processes(connect("mute"), helper)
    processes.engine.join(Join(model="spark"))
    processes.let_go()
    assert not processes.wait(200)
