"""How long nobody touched a Linux machine, as its desktop tells it."""

from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

pytest.importorskip("jeepney", reason="D-Bus is Linux's")

from core.sensors.dbus import Buses, DBusCall, SilentError
from core.sensors.linux_idle import ASK_AGAIN_S, LOGIND, MUTTER, SCREEN_SAVER, LinuxIdle
from tests.session_bus import program, session_bus

NOW = 1_800_000_000.0


class Desktop:
    """Answers what it knows, and counts what it is asked."""

    def __init__(self, knows: dict[DBusCall, Any] | None = None) -> None:
        self.knows = knows or {}
        self.asked: list[DBusCall] = []

    def ask(self, question: DBusCall) -> tuple[Any, ...]:
        self.asked.append(question)
        if question not in self.knows:
            raise SilentError("not here")
        return (self.knows[question],)


def idle(desktop: Desktop, clock: Callable[[], float] = lambda: 0.0) -> LinuxIdle:
    return LinuxIdle(desktop, lambda: NOW, clock)


def hint(is_idle: object, since: object) -> dict[str, tuple[str, object]]:
    return {"IdleHint": ("b", is_idle), "IdleSinceHint": ("t", since), "Name": ("s", "anna")}


@pytest.mark.parametrize(
    ("knows", "seconds"),
    [
        ({MUTTER: 12_500}, 12.5),
        ({SCREEN_SAVER: 3_000}, 3.0),
        ({LOGIND: hint(is_idle=True, since=(NOW - 90) * 1e6)}, 90.0),
        ({LOGIND: hint(is_idle=False, since=(NOW - 90) * 1e6)}, 0.0),
        ({MUTTER: 1_000, LOGIND: hint(is_idle=True, since=(NOW - 90) * 1e6)}, 1.0),
    ],
)
def test_whoever_knows_is_believed(knows: dict[DBusCall, Any], seconds: float) -> None:
    """The one that knows best first."""
    assert idle(Desktop(knows)).read().value == seconds


@pytest.mark.parametrize(
    "knows",
    [
        {},
        {LOGIND: hint(is_idle=False, since=0)},
        {LOGIND: {}},
        {LOGIND: "nonsense"},
        {MUTTER: "soon"},
        {SCREEN_SAVER: None},
        {SCREEN_SAVER: 0},
    ],
)
def test_a_desktop_that_does_not_tell_is_unknown(knows: dict[DBusCall, Any]) -> None:
    """A hint that nobody ever gave says nothing, nor does nonsense."""
    reading = idle(Desktop(knows)).read()
    assert reading.value is None
    assert "no program" in reading.words


def test_whoever_answered_is_asked_first_from_then_on() -> None:
    """One question a look is enough."""
    desktop = Desktop({SCREEN_SAVER: 3_000})
    sensor = idle(desktop)
    sensor.read()
    desktop.asked.clear()
    sensor.read()
    assert desktop.asked == [SCREEN_SAVER]
    desktop.knows = {MUTTER: 5_000}
    assert sensor.read().value == 5.0


def test_a_screen_saver_that_never_counts_is_passed_over() -> None:
    """That of KDE on Wayland: whoever is away would seem to be at the computer for ever."""
    away = {SCREEN_SAVER: 0, LOGIND: hint(is_idle=True, since=(NOW - 90) * 1e6)}
    reading = idle(Desktop(away)).read()
    assert (reading.value, reading.words) == (90.0, "untouched for 90 s, says systemd")


def test_a_screen_saver_that_counts_may_say_nothing_but_zero() -> None:
    """That of KDE on X11, asked while a key goes down."""
    desktop = Desktop({SCREEN_SAVER: 3_000})
    sensor = idle(desktop)
    sensor.read()
    desktop.knows = {SCREEN_SAVER: 0}
    assert sensor.read().value == 0.0


def test_a_screen_saver_that_begins_to_count_is_believed_at_once() -> None:
    """Asked again at the next look, whatever systemd said meanwhile: it knows better."""
    desktop = Desktop({SCREEN_SAVER: 0})
    sense = idle(desktop)
    assert sense.read().value is None
    desktop.knows[LOGIND] = hint(is_idle=False, since=1e6)
    assert sense.read().value == 0.0
    desktop.knows[SCREEN_SAVER] = 4_000
    assert sense.read().value == 4.0


def test_where_nobody_knows_nobody_is_pestered() -> None:
    """And a desktop that starts later is found within a minute."""
    seconds = [0.0]
    desktop = Desktop()
    sensor = idle(desktop, lambda: seconds[0])
    sensor.read()
    desktop.knows, seconds[0] = {MUTTER: 1_000}, ASK_AGAIN_S - 1
    assert sensor.read().value is None
    assert len(desktop.asked) == 3
    seconds[0] = ASK_AGAIN_S
    assert sensor.read().value == 1.0


@given(st.recursive(st.none() | st.booleans() | st.integers() | st.floats() | st.text(), st.lists))
def test_any_answer_is_seconds_or_unknown(answer: object) -> None:
    """The other side is a program, and programs err."""
    reading = idle(Desktop({MUTTER: answer, SCREEN_SAVER: answer, LOGIND: answer})).read()
    assert reading.value is None or reading.value >= 0


def test_it_is_asked_over_a_real_bus(monkeypatch: pytest.MonkeyPatch) -> None:
    """Names, paths and types are those of GNOME."""
    with session_bus() as where:
        monkeypatch.setenv("DBUS_SESSION_BUS_ADDRESS", where)
        buses = Buses()
        with program(where, MUTTER.service, {"GetIdletime": lambda: ("t", (4_200,))}):
            reading = LinuxIdle(buses).read()
        buses.close()
    assert reading.value == 4.2
    assert reading.words == "untouched for 4 s, says GNOME"
