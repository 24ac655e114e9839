"""Notices of a Linux desktop, asked for over D-Bus; they need no icon in the tray.

Through jeepney: PySide's QtDBus writes whole numbers as int32 or uint16, never as the uint32 that
``Notify`` takes.
"""

import html
import os
from contextlib import suppress
from itertools import count

from jeepney import DBusAddress, HeaderFields, Message, MessageType, Parser, new_method_call
from jeepney.auth import BEGIN, AuthenticationError, Authenticator
from jeepney.bus import get_bus
from jeepney.bus_messages import MatchRule, message_bus
from PySide6.QtCore import QCoreApplication, QObject, Signal
from PySide6.QtNetwork import QLocalSocket

from app.desktop.notifications import NOTICE_MS, Notification
from app.style.icons import EMBLEM

translate = QCoreApplication.translate

NAME = "org.freedesktop.Notifications"
_DESKTOP = DBusAddress("/org/freedesktop/Notifications", NAME, NAME)
_CLICKED = MatchRule(type="signal", sender=NAME, interface=NAME, member="ActionInvoked")
_NORMAL, _CRITICAL = 1, 2


class NoticeBus(QObject):
    """Waits for nobody: where there is no bus, or no desktop on it, nothing is shown.

    The connection stays, since GNOME takes the notices of a program away when it hangs up.
    """

    open_asked = Signal()  # a notice was clicked

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        self._socket = QLocalSocket(self)
        self._socket.connected.connect(self._introduce)
        self._socket.readyRead.connect(self._read)
        self._socket.errorOccurred.connect(self._give_up)
        self._login = Authenticator()
        self._parser = Parser()
        self._serials = count(1)
        self._asked: set[int] = set()  # serials of notices that have no number yet
        self._shown: set[int] = set()  # numbers that the desktop gave them
        self._waiting: list[Notification] = []  # for the bus to let us in

    def notify(self, notice: Notification) -> None:
        """Show ``notice`` as the desktop shows those of other programs."""
        self._waiting.append(notice)
        if self._socket.state() is QLocalSocket.LocalSocketState.UnconnectedState:
            self._connect()
        elif self._login.authenticated:
            self._send_waiting()

    def _connect(self) -> None:
        path = session_bus()
        abstract = QLocalSocket.SocketOption.AbstractNamespaceOption
        options = abstract if path.startswith("\0") else QLocalSocket.SocketOption.NoOptions
        self._socket.setSocketOptions(options)
        self._login, self._parser, self._serials = Authenticator(), Parser(), count(1)
        self._asked.clear()
        self._shown.clear()
        self._socket.connectToServer(path.removeprefix("\0"))

    def _introduce(self) -> None:
        self._socket.write(self._login.data_to_send() or b"")

    def _read(self) -> None:
        data = bytes(self._socket.readAll().data())
        if self._login.authenticated:
            self._parser.add_data(data)
            while (message := self._parser.get_next_message()) is not None:
                self._heed(message)
            return
        try:
            self._login.feed(data)
        except AuthenticationError:
            self._give_up()
        if self._login.authenticated:
            self._socket.write(BEGIN)
            self._send(message_bus.Hello())
            self._send(message_bus.AddMatch(_CLICKED))
            self._send_waiting()

    def _send_waiting(self) -> None:
        while self._waiting:
            self._asked.add(self._send(_call(self._waiting.pop(0))))

    def _send(self, message: Message) -> int:
        serial = next(self._serials)
        self._socket.write(message.serialise(serial))
        return serial

    def _heed(self, message: Message) -> None:
        answered = message.header.fields.get(HeaderFields.reply_serial)
        if answered in self._asked:
            self._asked.discard(answered)
            if message.header.message_type is MessageType.method_return:
                self._shown.add(message.body[0])
        elif _is_click(message) and message.body[0] in self._shown:
            self.open_asked.emit()

    def _give_up(self) -> None:
        self._waiting.clear()
        self._socket.abort()


def session_bus() -> str:
    """Path of the socket of this person's bus, an abstract one after a NUL; empty: none."""
    usual = f"unix:path={os.environ.get('XDG_RUNTIME_DIR', '')}/bus"
    with suppress(ValueError, RuntimeError):
        path: str = get_bus(os.environ.get("DBUS_SESSION_BUS_ADDRESS") or usual)
        return path
    return ""


def _is_click(message: Message) -> bool:
    return bool(message.header.fields.get(HeaderFields.member) == "ActionInvoked")


def _call(notice: Notification) -> Message:
    """What the specification of desktop notifications asks for."""
    hints = {
        "desktop-entry": ("s", "waggle"),
        "urgency": ("y", _CRITICAL if notice.is_grave else _NORMAL),
    }
    told = (
        "Waggle",
        0,  # no earlier notice gives way to it
        EMBLEM.as_uri(),
        notice.title,
        html.escape(notice.words, quote=False),  # desktops read it as markup
        ["default", translate("Tray", "Open Waggle")],  # a click on it
        hints,
        -1 if notice.is_grave else NOTICE_MS,
    )
    return new_method_call(_DESKTOP, "Notify", "susssasa{sv}i", told)
