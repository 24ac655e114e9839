"""Notices on a bus of our own, with a desktop on it that the test plays."""

from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import Any

import pytest

pytest.importorskip("jeepney", reason="D-Bus is Linux's")

from jeepney import DBusAddress, MessageType, message_bus, new_method_return, new_signal
from jeepney.io.blocking import DBusConnection, open_dbus_connection
from PySide6.QtCore import QObject
from PySide6.QtNetwork import QLocalSocket
from pytestqt.qtbot import QtBot

from app.desktop.dbus_notifications import NAME, NoticeBus, session_bus
from app.desktop.notifications import Notification
from tests.posix import unix_socket
from tests.session_bus import session_bus as own_bus

PLACE = DBusAddress("/org/freedesktop/Notifications", interface=NAME)
_UNCONNECTED = QLocalSocket.LocalSocketState.UnconnectedState
GOOD = Notification("A milestone", "Spark & <b>co</b> have finished 100 rounds.")
GRAVE = Notification("Practice has stopped", "The disk is full.", is_grave=True)


class Desktop:
    """Hears what is to be shown, and clicks on it."""

    def __init__(self, connection: DBusConnection) -> None:
        self._connection = connection
        connection.send_and_get_reply(message_bus.RequestName(NAME))
        self.shown: list[tuple[Any, ...]] = []

    def answer(self) -> bool:
        """Answer what has arrived; whether something was to be shown."""
        while True:
            try:
                call = self._connection.receive(timeout=0)
            except TimeoutError:
                return bool(self.shown)
            if call.header.message_type is MessageType.method_call:
                self.shown.append(call.body)
                self._connection.send(new_method_return(call, "u", (len(self.shown),)))

    def click(self, number: int) -> None:
        """As if the person did."""
        self._connection.send(new_signal(PLACE, "ActionInvoked", "us", (number, "default")))


@contextmanager
def desktop_on(address: str) -> Iterator[Desktop]:
    connection = open_dbus_connection(address)
    try:
        yield Desktop(connection)
    finally:
        connection.close()


@pytest.fixture
def desktop(monkeypatch: pytest.MonkeyPatch) -> Iterator[Desktop]:
    with own_bus() as address, desktop_on(address) as made:
        monkeypatch.setenv("DBUS_SESSION_BUS_ADDRESS", address)
        yield made


@pytest.fixture
def bus(qtbot: QtBot) -> Iterator[NoticeBus]:
    assert qtbot
    owner = QObject()
    yield NoticeBus(owner)
    owner.deleteLater()


def test_a_notice_is_shown_as_those_of_others(
    bus: NoticeBus, desktop: Desktop, qtbot: QtBot
) -> None:
    """Under our name, in plain words, and a grave one until it was seen."""
    bus.notify(GOOD)
    bus.notify(GRAVE)
    qtbot.waitUntil(lambda: desktop.answer() and len(desktop.shown) == 2)
    good, grave = desktop.shown
    assert (good[0], good[3]) == ("Waggle", "A milestone")
    assert good[4] == "Spark &amp; &lt;b&gt;co&lt;/b&gt; have finished 100 rounds."
    assert (good[6]["urgency"], grave[6]["urgency"]) == (("y", 1), ("y", 2))
    assert (good[7] > 0, grave[7]) == (True, -1)


def test_a_click_opens_the_window(bus: NoticeBus, desktop: Desktop, qtbot: QtBot) -> None:
    """On one of ours, later ones included; those of other programs have numbers, too."""
    for number in (1, 2):
        bus.notify(GOOD)
        qtbot.waitUntil(lambda n=number: desktop.answer() and len(desktop.shown) == n)  # type: ignore[misc]  # default binds the loop's value
        desktop.click(99)
        with qtbot.waitSignal(bus.open_asked):
            desktop.click(number)


def test_a_bus_that_comes_back_is_used_again(
    bus: NoticeBus, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As after the desktop has crashed; what it showed is no longer there to be clicked."""
    for _life in range(2):
        with own_bus() as address, desktop_on(address) as desktop:
            monkeypatch.setenv("DBUS_SESSION_BUS_ADDRESS", address)
            bus.notify(GOOD)
            qtbot.waitUntil(desktop.answer)
            (socket_of_bus,) = bus.findChildren(QLocalSocket)
        qtbot.waitUntil(lambda s=socket_of_bus: s.state() is _UNCONNECTED)  # type: ignore[misc]  # default binds the loop's value


@pytest.mark.parametrize("address", ["unix:path=/nowhere/bus", "tcp:host=localhost", "nonsense"])
def test_without_a_bus_nothing_happens(
    bus: NoticeBus, monkeypatch: pytest.MonkeyPatch, address: str
) -> None:
    """Nobody waits, and nobody is told."""
    monkeypatch.setenv("DBUS_SESSION_BUS_ADDRESS", address)
    bus.notify(GOOD)
    bus.notify(GRAVE)


def test_the_bus_is_found_in_its_usual_place(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where nobody names it; systems that name it may put it where no file is."""
    monkeypatch.delenv("DBUS_SESSION_BUS_ADDRESS", raising=False)
    monkeypatch.setenv("XDG_RUNTIME_DIR", "/run/user/7")
    assert session_bus() == "/run/user/7/bus"
    monkeypatch.setenv("DBUS_SESSION_BUS_ADDRESS", "unix:abstract=/tmp/dbus-1,guid=0")
    assert session_bus() == "\0/tmp/dbus-1"


def test_a_bus_that_lets_nobody_in_is_left_alone(
    bus: NoticeBus, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Nothing is sent to it but the greeting; its name may be one without a file."""
    with unix_socket() as server:
        server.bind("\0waggle-test-of-a-bus")
        server.listen()
        monkeypatch.setenv("DBUS_SESSION_BUS_ADDRESS", "unix:abstract=waggle-test-of-a-bus")
        bus.notify(GOOD)
        guest, _ = server.accept()
        guest.settimeout(0)
        heard: list[bytes] = []

        def hears() -> bool:
            with suppress(BlockingIOError):
                heard.append(guest.recv(100))
            return bool(heard)

        with guest:
            qtbot.waitUntil(hears)
            assert heard.pop().startswith(b"\0AUTH EXTERNAL ")
            guest.send(b"REJECTED\r\n")
            qtbot.waitUntil(hears)
            assert heard == [b""]  # it hung up
