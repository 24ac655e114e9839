"""Asking other programs over D-Bus; Linux only, a few milliseconds a question."""

import os
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, Literal

from jeepney import DBusAddress, HeaderFields, MessageFlag, MessageType, new_method_call
from jeepney.io.blocking import DBusConnection, open_dbus_connection

TIMEOUT_S: Final = 0.5

BusName = Literal["session", "system"]


class SilentError(Exception):
    """Nobody answers; ``str(error)`` says why."""


@dataclass(frozen=True, slots=True)
class DBusCall:
    """A D-Bus method call."""

    bus: BusName
    service: str
    path: str
    interface: str
    method: str
    signature: str = ""  # of ``arguments``, in D-Bus's letters
    arguments: tuple[Any, ...] = ()


class Buses:
    """The two buses, each connected to when it is first needed and again after it broke.

    For one thread at a time.
    """

    def __init__(self) -> None:
        self._connections: dict[BusName, DBusConnection] = {}

    def ask(self, question: DBusCall) -> tuple[Any, ...]:
        """The answer's values, as the other side typed them.

        Raises:
            SilentError: there is no bus, nobody of that name, or no answer in time.
        """
        try:
            answer = self._connection(question.bus).send_and_get_reply(
                _call(question), timeout=TIMEOUT_S
            )
        except Exception as error:  # the library raises whatever a stranger's bytes lead it to
            self._hang_up(question.bus)
            raise SilentError(f"no answer on the {question.bus} bus ({error!r})") from error
        if answer.header.message_type is not MessageType.method_return:
            name = answer.header.fields.get(HeaderFields.error_name, "refused")
            raise SilentError(f"{question.service}: {name}")
        values: tuple[Any, ...] = answer.body
        return values

    def close(self) -> None:
        """Hang up everywhere."""
        for bus in list(self._connections):
            self._hang_up(bus)

    def _connection(self, bus: BusName) -> DBusConnection:
        if bus not in self._connections:
            self._connections[bus] = open_dbus_connection(address(bus), auth_timeout=TIMEOUT_S)
        return self._connections[bus]

    def _hang_up(self, bus: BusName) -> None:
        connection = self._connections.pop(bus, None)
        if connection is not None:
            connection.close()


def address(bus: BusName) -> str:
    """Where ``bus`` is; the session's is found in its usual place, too, if nobody names it."""
    if bus == "system":
        return "SYSTEM"
    usual = Path(os.environ.get("XDG_RUNTIME_DIR", "/nowhere"), "bus")
    if "DBUS_SESSION_BUS_ADDRESS" not in os.environ and usual.is_socket():
        return f"unix:path={usual}"
    return "SESSION"


def _call(question: DBusCall) -> Any:  # noqa: ANN401 - jeepney comes without types
    to = DBusAddress(question.path, question.service, question.interface)
    call = new_method_call(to, question.method, question.signature or None, question.arguments)
    call.header.flags |= MessageFlag.no_auto_start  # whoever is not there is not to be woken
    return call
