"""One window per home: a second start hands what it was asked to the first, and ends."""

import ctypes
import getpass
import hashlib
import logging
import os
import secrets
import sys
import tempfile
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import Annotated

import msgspec
from msgspec import Meta
from PySide6.QtCore import QLockFile, QObject, QTimer, Signal
from PySide6.QtNetwork import QLocalServer, QLocalSocket

from core.errors import WaggleError
from core.paths import Home
from core.storage.files import add, replace_file

MOST_BYTES = 8_000
CONNECT_MS = 500
SPEAK_MS = 3_000  # for the first window to take what it is told, or a guest to tell it
CLAIM_MS = 3_000  # two that start at once wait for each other
MOST_GUESTS = 8

_ANY_PROCESS = 0xFFFF_FFFF  # ASFW_ANY: whoever has the socket, which is the window's own

_log = logging.getLogger(__name__)

InviteLink = Annotated[str, Meta(max_length=2_000, pattern=r"^(waggle://join/[A-Za-z0-9_-]+)?\Z")]
"""An invite, or nothing."""


class Opening(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """What a start asks of a window that is open already."""

    link: InviteLink = ""
    hubs: Annotated[tuple[Annotated[str, Meta(max_length=300)], ...], Meta(max_length=8)] = ()
    background: bool = False  # nobody asked to see the window


class SingleInstance(QObject):
    """The claim of one window to its home.

    Where the system has no way to claim it, every start opens a window: that is better than none.
    """

    asked = Signal(object)  # Opening: somebody started Waggle once more

    def __init__(self, home: Home) -> None:
        super().__init__()
        self._address = address_of(home)
        self._server = QLocalServer(self)
        self._server.setSocketOptions(QLocalServer.SocketOption.UserAccessOption)
        self._server.setMaxPendingConnections(MOST_GUESTS)
        self._server.newConnection.connect(self._welcome)

    def claim(self, opening: Opening) -> bool:
        """Whether this is the first window; else the first one was told ``opening``."""
        guard = QLockFile(lock_of(self._address))
        guard.tryLock(CLAIM_MS)
        try:
            if _is_ours(self._address) and tell(self._address, opening):
                return False
            self._listen()
            return True
        finally:
            guard.unlock()

    def release(self) -> None:
        """Let the next start be the first one."""
        self._server.close()

    def _listen(self) -> None:
        if _is_ours(self._address):  # of one that was killed
            QLocalServer.removeServer(self._address)
        if not self._server.listen(self._address):
            _log.warning("Cannot hear of further starts: %s", self._server.errorString())

    def _welcome(self) -> None:
        while (guest := self._server.nextPendingConnection()) is not None:
            guest.readyRead.connect(partial(self._hear, guest))
            guest.disconnected.connect(guest.deleteLater)
            QTimer.singleShot(SPEAK_MS, guest, guest.abort)
            self._hear(guest)

    def _hear(self, guest: QLocalSocket) -> None:
        line = bytes(guest.peek(MOST_BYTES).data())
        if b"\n" not in line and len(line) < MOST_BYTES:
            return
        guest.readAll()
        guest.disconnectFromServer()
        with suppress(msgspec.DecodeError, UnicodeDecodeError):  # whatever it is: not for us
            self.asked.emit(msgspec.json.decode(line.partition(b"\n")[0], type=Opening))


def let_come_to_front() -> None:
    """Allow the window that is open already to come to the front.

    Windows lets only the program that a person has just started do so, or whom that one names.
    """
    if sys.platform == "win32":
        ctypes.WinDLL("user32").AllowSetForegroundWindow(_ANY_PROCESS)


def tell(address: str, opening: Opening, give_way: Callable[[], None] = let_come_to_front) -> bool:
    """Tell ``opening`` to whoever listens at ``address``; whether somebody does.

    If that one is to show its window, ``give_way`` comes first.
    """
    socket = QLocalSocket()
    socket.connectToServer(address)
    if not socket.waitForConnected(CONNECT_MS):
        return False
    if not opening.background:
        give_way()
    socket.write(msgspec.json.encode(opening) + b"\n")
    while socket.bytesToWrite() and socket.waitForBytesWritten(SPEAK_MS):
        pass
    if socket.state() is not QLocalSocket.LocalSocketState.UnconnectedState:
        socket.waitForDisconnected(SPEAK_MS)  # it hangs up once it has understood
    return True


def address_of(home: Home) -> str:
    """Where the window of ``home`` listens; every user has another place.

    Nobody else can guess it, and so listen there first, unless ``home`` can keep no secret.
    """
    token = _token(home)
    told = f"{_user()}\0{home.root.resolve()}".encode() + token
    name = f"waggle-{hashlib.sha256(told).hexdigest()[:20]}"
    return name if os.name == "nt" else str(Path(tempfile.gettempdir()) / name)


def lock_of(address: str) -> str:
    """The file that two starts at once wait at, wherever they were started from.

    On Windows ``address`` is a bare name, which would lead to the folder each works in.
    """
    return str(Path(tempfile.gettempdir()) / f"{Path(address).name}.lock")


def _token(home: Home) -> bytes:
    """What every start on ``home`` finds there, made by the first; empty if it cannot be kept."""
    with suppress(OSError, WaggleError):
        if not home.window_token.exists():
            _make_token(home)
    with suppress(OSError):
        return home.window_token.read_bytes()
    return b""


def _make_token(home: Home) -> None:
    """Whole or not at all, and of two that start at once the first one's.

    Raises:
        OSError, WaggleError: it cannot be kept.
    """
    home.prepare()
    with tempfile.TemporaryDirectory(dir=home.root) as folder, suppress(FileExistsError):
        made = Path(folder, "token")
        replace_file(made, secrets.token_hex(16).encode())
        add(made, home.window_token)


def _user() -> str:
    try:
        return getpass.getuser()
    except (OSError, KeyError):  # a container may run users without a name
        return ""


def _is_ours(address: str) -> bool:
    """Whether the socket belongs to this user.

    Another's could be there to overhear what a start is asked. Windows checks that itself.
    """
    is_ours = True
    if sys.platform != "win32":
        try:
            is_ours = Path(address).lstat().st_uid == os.getuid()
        except OSError:
            is_ours = False
    return is_ours
