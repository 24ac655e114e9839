"""The client against a real process: events, leash, restarts, and an engine that misbehaves."""

import contextlib
import sys
from pathlib import Path

import psutil
import pytest
from pytestqt.qtbot import QtBot

from app.backend.engine_client import CLOSE_S, DELAYS_S, STOP_S, EngineClient, Restarts
from app.backend.output_log import OutputLog
from app.main import ENGINE_LOG
from app.state.engine_status import EngineStatus
from core.api.events import (
    Event,
    Failed,
    Finish,
    Join,
    Loading,
    Pause,
    Paused,
    Resumed,
    RoundFinished,
    Snooze,
    Started,
    Stop,
    Stopped,
)
from core.paths import Home
from tests.fake_engine import JOINS_FILE, SAVED_FILE, SHORT_SNOOZE_S
from tests.hand_alarm import Connect, HandAlarm

spark = Join(model="spark")


class Heard:
    """Everything a client says."""

    def __init__(self, client: EngineClient) -> None:
        self.events: list[Event] = []
        self.links: list[EngineStatus] = []
        client.event_received.connect(self.events.append)
        client.link_changed.connect(self.links.append)

    def count(self, kind: type[Event]) -> int:
        return sum(isinstance(event, kind) for event in self.events)


def joins(home: Home) -> int:
    return len((home.root / JOINS_FILE).read_text(encoding="utf-8").splitlines())


def kill_engine() -> None:
    """End the one child of this process the hard way."""
    for child in psutil.Process().children():
        if any("fake_engine" in part for part in child.cmdline()):
            child.kill()


def kill_and_restart(client: EngineClient, alarm: HandAlarm, qtbot: QtBot) -> None:
    """As if the client had waited as long as it wants to."""
    kill_engine()
    qtbot.waitUntil(lambda: client.link.phase == "waiting")
    alarm.ring()


def test_events_arrive_in_order(connect: Connect, qtbot: QtBot) -> None:
    """Joining starts a process, and what it says comes out as typed events."""
    client = connect("train")
    heard = Heard(client)
    client.join(spark)
    qtbot.waitUntil(lambda: heard.count(RoundFinished) >= 3)
    rounds = [event.round for event in heard.events if isinstance(event, RoundFinished)]
    assert rounds[:3] == [1, 2, 3]
    assert heard.links == [EngineStatus("up")]


def test_letting_go_of_the_leash_saves(
    connect: Connect, home: Home, alarm: HandAlarm, qtbot: QtBot
) -> None:
    """Closing is told at once, and the engine puts everything away before it ends."""
    client = connect("train")
    heard = Heard(client)
    client.join(spark)
    qtbot.waitUntil(lambda: heard.count(RoundFinished) >= 1)
    client.close()
    assert client.link == EngineStatus("closing")
    assert alarm.seconds == CLOSE_S
    qtbot.waitUntil(lambda: client.link == EngineStatus("off"))
    assert (home.root / SAVED_FILE).exists()
    assert alarm.seconds is None


def test_an_engine_that_does_not_let_go_is_killed(
    connect: Connect, home: Home, alarm: HandAlarm, qtbot: QtBot
) -> None:
    """A hung engine cannot keep the window from closing."""
    client = connect("hang")
    heard = Heard(client)
    client.join(spark)
    qtbot.waitUntil(lambda: heard.count(RoundFinished) == 2)
    client.close()
    alarm.ring()
    qtbot.waitUntil(lambda: client.link == EngineStatus("off"))
    assert not (home.root / SAVED_FILE).exists()


def test_a_dying_engine_is_restarted_three_times(
    connect: Connect, home: Home, alarm: HandAlarm, qtbot: QtBot
) -> None:
    """Back-off 1, 4, 15 s; each try joins again; then it is given up with a reason."""
    client = connect("die-at-once")
    client.join(spark)
    for delay in (1, 4, 15):
        qtbot.waitUntil(lambda: client.link.phase == "waiting")
        assert client.link.wait_s == alarm.seconds == delay
        alarm.ring()
        assert client.link.phase == "up"
    qtbot.waitUntil(lambda: client.link.phase == "gave_up")
    assert client.link.reason == "it ended with an error"
    assert joins(home) == 4


def test_after_giving_up_joining_starts_afresh(
    connect: Connect, alarm: HandAlarm, qtbot: QtBot
) -> None:
    """Trying again is a join with all its tries."""
    client = connect("die-at-once")
    client.join(spark)
    for _ in range(3):
        qtbot.waitUntil(lambda: client.link.phase == "waiting")
        alarm.ring()
    qtbot.waitUntil(lambda: client.link.phase == "gave_up")
    client.join(spark)
    qtbot.waitUntil(lambda: client.link.phase == "waiting")
    assert client.link.wait_s == 1


def test_a_finished_round_gives_all_tries_back(
    connect: Connect, alarm: HandAlarm, qtbot: QtBot
) -> None:
    """An engine that dies now and then but gets on is restarted for ever, and goes on."""
    client = connect("die-after-2")
    heard = Heard(client)
    client.join(spark)
    for life in range(1, 6):
        qtbot.waitUntil(lambda: client.link.phase == "waiting")
        assert client.link.wait_s == 1
        assert heard.count(RoundFinished) == 2 * life
        alarm.ring()
    starts = [event.round for event in heard.events if isinstance(event, Started)]
    assert starts[:5] == [0, 2, 4, 6, 8]


@pytest.mark.skipif(sys.platform == "win32", reason="there are no signals to die of")
def test_a_killed_engine_is_paused_again_if_it_was(
    connect: Connect, alarm: HandAlarm, qtbot: QtBot
) -> None:
    """Killed -9 while paused: restarted with the reason in words, and still paused."""
    client = connect("train")
    heard = Heard(client)
    client.join(spark)
    client.send(Pause())
    qtbot.waitUntil(lambda: heard.count(Paused) == 1)
    kill_engine()
    qtbot.waitUntil(lambda: client.link.phase == "waiting")
    assert "memory" in client.link.reason
    alarm.ring()
    qtbot.waitUntil(lambda: heard.count(Paused) == 2)


@pytest.mark.skipif(sys.platform == "win32", reason="there are no signals to die of")
def test_a_killed_engine_snoozes_on_if_it_did(
    connect: Connect, alarm: HandAlarm, qtbot: QtBot
) -> None:
    """Killed in its snooze: the next one is told of it."""
    client = connect("train")
    heard = Heard(client)
    client.join(spark)
    client.send(Snooze(seconds=60))
    qtbot.waitUntil(lambda: heard.count(Paused) == 1)
    kill_and_restart(client, alarm, qtbot)
    qtbot.waitUntil(lambda: heard.count(Paused) == 2)
    assert heard.events[-1] == Paused(reason="snoozed")


@pytest.mark.skipif(sys.platform == "win32", reason="there are no signals to die of")
def test_a_snooze_that_is_over_is_not_told_again(
    connect: Connect, alarm: HandAlarm, qtbot: QtBot
) -> None:
    """Killed after it had gone on by itself: the next one practises at once."""
    client = connect("train")
    heard = Heard(client)
    client.join(spark)
    client.send(Snooze(seconds=SHORT_SNOOZE_S))
    qtbot.waitUntil(lambda: heard.count(Resumed) == 1)
    kill_and_restart(client, alarm, qtbot)
    qtbot.waitUntil(lambda: heard.count(Started) == 2)
    before = heard.count(RoundFinished)
    qtbot.waitUntil(lambda: heard.count(RoundFinished) > before)
    assert heard.count(Paused) == 1


@pytest.mark.skipif(sys.platform == "win32", reason="there are no signals to die of")
@pytest.mark.parametrize(("passed", "pauses"), [(60 - SHORT_SNOOZE_S, 2), (60, 1)])
def test_a_killed_engine_snoozes_no_longer_than_it_was_to(
    connect: Connect, alarm: HandAlarm, qtbot: QtBot, passed: int, pauses: int
) -> None:
    """The next one is told what is left of it, or nothing once it is over."""
    times = [1_000.0]
    client = connect("train", lambda: times[-1])
    heard = Heard(client)
    client.join(spark)
    client.send(Snooze(seconds=60))
    qtbot.waitUntil(lambda: heard.count(Paused) == 1)
    times.append(times[0] + passed)
    kill_and_restart(client, alarm, qtbot)
    qtbot.waitUntil(lambda: heard.count(Started) == 2)
    before = heard.count(RoundFinished)
    qtbot.waitUntil(lambda: heard.count(RoundFinished) > before + 3)
    assert heard.count(Paused) == pauses


def test_garbage_is_logged_and_passed_over(connect: Connect, home: Home, qtbot: QtBot) -> None:
    """Lines that are no events change nothing for those that are."""
    client = connect("garbage")
    heard = Heard(client)
    client.join(spark)
    qtbot.waitUntil(lambda: heard.count(RoundFinished) >= 2)
    log = (home.logs / ENGINE_LOG).read_text(encoding="utf-8")
    assert log.count("Ignoring a line that is no event") >= 6
    assert client.link == EngineStatus("up")


def test_a_failure_that_was_explained_is_not_retried(
    connect: Connect, home: Home, qtbot: QtBot
) -> None:
    """The engine said why it cannot go on: trying again would only say it again."""
    client = connect("fatal")
    heard = Heard(client)
    client.join(spark)
    qtbot.waitUntil(lambda: client.link == EngineStatus("off"))
    assert heard.count(Failed) == 1
    assert joins(home) == 1


def test_finish_ends_with_a_finished_round(connect: Connect, qtbot: QtBot) -> None:
    """The engine says Stopped, and its process goes too."""
    client = connect("train")
    heard = Heard(client)
    client.join(spark)
    qtbot.waitUntil(lambda: heard.count(RoundFinished) >= 1)
    client.send(Finish())
    qtbot.waitUntil(lambda: client.link == EngineStatus("off"))
    assert heard.count(Stopped) == 1


@pytest.mark.parametrize(
    ("wishes", "is_told"),
    [((Finish(),), True), ((Stop(),), False), ((Finish(), Stop()), False)],
)
def test_a_death_before_the_round_was_finished_is_told(
    connect: Connect, qtbot: QtBot, wishes: tuple[Finish | Stop, ...], *, is_told: bool
) -> None:
    """Why the round was lost, unless it was to be: after Stop. Nothing starts again."""
    client = connect("mute")
    heard = Heard(client)
    client.join(spark)
    for wish in wishes:
        client.send(wish)
    qtbot.waitUntil(lambda: heard.count(Loading) == 1)
    kill_engine()
    qtbot.waitUntil(lambda: not client.link.is_running)
    assert client.link.phase == "off"
    assert bool(client.link.reason) == is_told


def test_stop_works_on_an_engine_that_does_not_answer(
    connect: Connect, alarm: HandAlarm, qtbot: QtBot
) -> None:
    """First the leash, then the kill."""
    client = connect("mute")
    client.join(spark)
    client.send(Stop())
    assert alarm.seconds == STOP_S
    alarm.ring()
    assert client.link == EngineStatus("closing")
    assert alarm.seconds == CLOSE_S
    alarm.ring()
    qtbot.waitUntil(lambda: client.link == EngineStatus("off"))


def test_stop_while_waiting_for_a_restart_cancels_it(
    connect: Connect, alarm: HandAlarm, qtbot: QtBot
) -> None:
    """Nothing starts again that was told to stop."""
    client = connect("die-at-once")
    client.join(spark)
    qtbot.waitUntil(lambda: client.link.phase == "waiting")
    client.send(Stop())
    assert client.link == EngineStatus("off")
    assert alarm.seconds is None


def test_joining_another_model_ends_the_first_run(
    connect: Connect, home: Home, qtbot: QtBot
) -> None:
    """One process a run: the second starts when the first is gone."""
    client = connect("train")
    heard = Heard(client)
    client.join(spark)
    qtbot.waitUntil(lambda: heard.count(RoundFinished) >= 1)
    client.join(Join(model="ember"))
    qtbot.waitUntil(lambda: heard.count(Started) == 2)
    assert (home.root / JOINS_FILE).read_text(encoding="utf-8").split() == ["spark", "ember"]


def test_stop_while_another_model_waits_ends_both(
    connect: Connect, home: Home, alarm: HandAlarm, qtbot: QtBot
) -> None:
    """And does not give an engine that hangs more time than it had."""
    client = connect("train")
    heard = Heard(client)
    client.join(spark)
    qtbot.waitUntil(lambda: heard.count(RoundFinished) >= 1)
    client.join(Join(model="ember"))
    client.send(Stop())
    assert alarm.seconds == CLOSE_S
    qtbot.waitUntil(lambda: client.link == EngineStatus("off"))
    assert joins(home) == 1


def test_a_pause_while_another_model_waits_is_kept_for_it(connect: Connect, qtbot: QtBot) -> None:
    """Whoever clicks Pause does not mean the model that is leaving."""
    client = connect("train")
    heard = Heard(client)
    client.join(spark)
    qtbot.waitUntil(lambda: heard.count(RoundFinished) >= 1)
    client.join(Join(model="ember"))
    client.send(Pause())
    qtbot.waitUntil(lambda: heard.count(Paused) >= 1)
    assert heard.count(Started) == 2


def test_an_engine_that_is_missing_is_said_in_words(
    home: Home, alarm: HandAlarm, qtbot: QtBot, tmp_path: Path
) -> None:
    """A broken installation shows up as such and not as silence."""
    client = EngineClient(
        (str(tmp_path / "no-such-engine"),), OutputLog(home.logs, ENGINE_LOG), alarm
    )
    client.join(spark)
    qtbot.waitUntil(lambda: client.link.phase == "waiting")
    assert client.link.reason == "it could not be started"


def test_what_the_engine_prints_is_kept_for_the_log(
    connect: Connect, home: Home, qtbot: QtBot
) -> None:
    """The last words of a dying engine are in the log folder."""
    client = connect("die-at-once")
    client.join(spark)
    qtbot.waitUntil(lambda: client.link.phase == "waiting")
    assert "made-up traceback" in (home.logs / ENGINE_LOG).read_text(encoding="utf-8")


_WINDOW = """
import sys
from pathlib import Path
from PySide6.QtCore import QCoreApplication
from app.backend.engine_client import EngineClient
from app.backend.output_log import OutputLog
from core.api.events import Join

home = Path(sys.argv[1])
app = QCoreApplication([])
command = (sys.executable, "-m", "tests.fake_engine", "--home", str(home))
client = EngineClient(command, OutputLog(home / "logs", "engine.log"))
client.join(Join(model="spark"))
app.exec()
"""


def test_an_engine_does_not_outlive_a_killed_window(home: Home, qtbot: QtBot) -> None:
    """The end of stdin is the leash, and the system pulls it when a window dies."""
    root = Path(__file__).resolve().parents[2]
    window = psutil.Popen([sys.executable, "-c", _WINDOW, str(home.root)], cwd=root)
    qtbot.waitUntil((home.root / JOINS_FILE).exists)
    engines = window.children()
    assert engines
    window.kill()
    window.wait()
    qtbot.waitUntil((home.root / SAVED_FILE).exists)
    for engine in engines:
        with contextlib.suppress(psutil.NoSuchProcess):
            engine.wait(10)


def test_three_tries_with_growing_delays() -> None:
    """One, four, fifteen seconds; then none."""
    restarts = Restarts()
    delays = []
    while (delay := restarts.delay_s) is not None:
        delays.append(delay)
        restarts = restarts.after_try()
    assert tuple(delays) == DELAYS_S == (1, 4, 15)
