"""Asking over a real D-Bus."""

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

pytest.importorskip("jeepney", reason="D-Bus is Linux's")

from core.sensors.dbus import Buses, DBusCall, SilentError, address
from tests.session_bus import program, session_bus

NAME = "org.example.Clock"
QUESTION = DBusCall("session", NAME, "/org/example/Clock", NAME, "Tell")


@pytest.fixture
def bus(monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    with session_bus() as where:
        monkeypatch.setenv("DBUS_SESSION_BUS_ADDRESS", where)
        yield where


def test_an_answer_comes_back_with_its_values(bus: str) -> None:
    """Typed as the other side typed them, as often as it is asked."""
    buses = Buses()
    with program(bus, NAME, {"Tell": lambda: ("ts", (7, "o'clock"))}):
        assert buses.ask(QUESTION) == (7, "o'clock")
        assert buses.ask(QUESTION) == (7, "o'clock")
    buses.close()


def test_nobody_of_that_name_is_silence(bus: str) -> None:
    """And the connection is of use for the next question."""
    buses = Buses()
    with pytest.raises(SilentError, match=r"org\.example\.Nobody"):
        buses.ask(replace(QUESTION, service="org.example.Nobody"))
    with program(bus, NAME, {"Tell": lambda: ("t", (7,))}):
        assert buses.ask(QUESTION) == (7,)
    buses.close()


def test_an_error_is_silence(bus: str) -> None:
    """Some programs have the method and refuse it."""
    buses = Buses()
    with program(bus, NAME, {"Tell": lambda: None}), pytest.raises(SilentError, match="NotSupp"):
        buses.ask(QUESTION)
    buses.close()


def test_a_bus_that_comes_back_is_asked_again(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whoever logs out and in again gets a new one."""
    buses = Buses()
    for number in range(2):
        with session_bus() as where:
            monkeypatch.setenv("DBUS_SESSION_BUS_ADDRESS", where)
            with program(where, NAME, {"Tell": lambda: ("t", (7,))}):
                if number:  # the first bus is gone, and that is noticed once
                    with pytest.raises(SilentError):
                        buses.ask(QUESTION)
                assert buses.ask(QUESTION) == (7,)
    buses.close()


def test_without_a_bus_there_is_silence(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """As on a server."""
    monkeypatch.setenv("DBUS_SESSION_BUS_ADDRESS", f"unix:path={tmp_path}/nowhere")
    with pytest.raises(SilentError, match="session bus"):
        Buses().ask(QUESTION)


def test_the_session_is_found_in_its_usual_place(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """Where whoever started us forgot to name it; otherwise as it is named."""
    monkeypatch.delenv("DBUS_SESSION_BUS_ADDRESS", raising=False)
    monkeypatch.setenv("XDG_RUNTIME_DIR", str(tmp_path))
    assert address("session") == "SESSION"
    assert address("system") == "SYSTEM"
    with session_bus() as where:
        path = where.removeprefix("unix:path=").split(",")[0]
        (tmp_path / "bus").symlink_to(path)
        assert address("session") == f"unix:path={tmp_path / 'bus'}"
