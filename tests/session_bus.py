"""A D-Bus of our own, with programs on it that answer as a test says."""

import os
import shutil
import subprocess
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import pytest
from jeepney import MessageType, message_bus, new_error, new_method_return
from jeepney.io.blocking import DBusConnection, open_dbus_connection

Answers = dict[str, Callable[[], tuple[str, tuple[Any, ...]] | None]]
"""What each method is answered: signature and values; None: an error."""


@contextmanager
def session_bus() -> Iterator[str]:
    """A bus to itself; its address."""
    daemon = shutil.which("dbus-daemon")
    if daemon is None:
        pytest.skip("dbus-daemon is not installed")
    with subprocess.Popen(  # noqa: S603 - our own command line
        [daemon, "--session", "--nofork", "--nopidfile", "--print-address"],
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        env={**os.environ, "LC_ALL": "C"},
        text=True,
    ) as process:
        assert process.stdout is not None
        try:
            yield process.stdout.readline().strip()
        finally:
            process.kill()


@contextmanager
def program(address: str, name: str, answers: Answers) -> Iterator[None]:
    """A program called ``name`` that answers until the block ends."""
    connection = open_dbus_connection(address)
    connection.send_and_get_reply(message_bus.RequestName(name))
    thread = threading.Thread(target=_answer, args=(connection, answers), daemon=True)
    thread.start()
    try:
        yield
    finally:
        connection.sock.shutdown(2)
        thread.join()
        connection.close()


def _answer(connection: DBusConnection, answers: Answers) -> None:
    while True:
        try:
            call = connection.receive()
        except (ConnectionError, OSError):
            return
        if call.header.message_type is not MessageType.method_call:
            continue
        member = next(value for field, value in call.header.fields.items() if field == 3)
        answer = answers[member]()
        if answer is None:
            connection.send(new_error(call, "org.example.NotSupported"))
        else:
            connection.send(new_method_return(call, *answer))
