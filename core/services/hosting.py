"""A meeting point on this computer, as long as the window is open.

It runs in a process of its own (``core.services.hub_child``), so that neither strangers nor their
load can harm the helper; when the helper is gone, it ends by itself.
"""

import asyncio
import subprocess
from asyncio.subprocess import Process
from collections.abc import Sequence
from typing import Final

import msgspec

from core.api.pipe import decode
from core.api.requests import Refused
from core.api.swarm import MOST_HUBS, HostHub, HubOpen
from core.async_children import kill_and_wait
from core.children import NO_WINDOW, python_command
from core.errors import SwarmError, WireError
from core.i18n import retold, translatable
from core.net.addresses import parse_hub_url
from core.paths import Home
from core.services.service import SendReply, ServiceContext
from core.settings import in_url
from core.swarm.lan.interfaces import look_around

END_S: Final = 2.0
"""For closing well, before it is killed."""

_FOUR: Final = "//0.0.0.0:"
_EVERYWHERE: Final = (_FOUR, "//[::]:")
_words: msgspec.json.Decoder[HubOpen | Refused] = msgspec.json.Decoder(HubOpen | Refused)


async def host_hub(request: HostHub, context: ServiceContext, tell: SendReply) -> None:
    """Host a hub until cancelled, and tell who comes.

    Raises:
        UsageError: the address that the person gave is none.
        SwarmError: it cannot be opened, or ended by itself.
    """
    url = parse_hub_url(request.url).url if request.url else ""
    listen = f"0.0.0.0:{request.port}"
    process = await _start(hub_command(context.home, listen, url))
    try:
        await _forward(process, tell)
    finally:
        await _end(process)


def hub_command(home: Home, listen: str, url: str) -> tuple[str, ...]:
    """The command line of a hub on ``home`` that ends with its stdin."""
    command = python_command("core.services.hub_child")
    return (*command, "--home", str(home.root), "--listen", listen, "--url", url)


def addresses_of(base: str, hosts: Sequence[str] | None = None) -> tuple[str, ...]:
    """Where others find a hub that listens at ``base``; at all addresses, those of this computer.

    ``hosts`` are those; without them, the system is asked.
    """
    if not any(everywhere in base for everywhere in _EVERYWHERE):
        return (base,)
    port = base.rpartition(":")[2]
    here = look_around().hosts if hosts is None else hosts
    if _FOUR in base:
        here = [host for host in here if ":" not in host]
    some = (here or ("127.0.0.1",))[: MOST_HUBS - 1]
    return tuple(f"http://{in_url(host)}:{port}" for host in some)


async def _start(command: Sequence[str]) -> Process:
    try:
        return await asyncio.create_subprocess_exec(
            *command,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            start_new_session=True,  # Ctrl-C in a terminal is for us alone
            creationflags=NO_WINDOW,
        )
    except OSError as error:
        raise SwarmError(
            translatable(
                "The meeting point cannot be started ({}). "
                "Close other programs, or restart the computer.",
                error.strerror or error,
            )
        ) from error


async def _forward(process: Process, tell: SendReply) -> None:
    assert process.stdout is not None  # noqa: S101 - a pipe was asked for
    async for line in process.stdout:
        try:
            heard = decode(_words, line)
        except WireError as error:
            raise _ended_error() from error
        if isinstance(heard, Refused):
            raise SwarmError(retold(heard.words, heard.remarks))
        tell(heard)
    raise _ended_error()


async def _end(process: Process) -> None:
    """Let go of the leash and wait until it is gone."""
    assert process.stdin is not None  # noqa: S101 - a pipe was asked for
    process.stdin.close()
    try:
        async with asyncio.timeout(END_S):
            await process.wait()
    except TimeoutError:
        await kill_and_wait(process)


def _ended_error() -> SwarmError:
    return SwarmError(
        translatable(
            "The meeting point on this computer ended unexpectedly. Open it again; if that goes "
            "on, the log folder says more."
        )
    )
