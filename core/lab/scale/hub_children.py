"""Hubs of the lab's own: ``waggle hub`` as it is, in processes that end with the experiment.

They run as behind a proxy, so that every light client can name an address of its own and all limits
of an address hold as they do outside. What a hub costs is read from the system.
"""

import asyncio
import subprocess
import tempfile
from asyncio.subprocess import Process
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import psutil

from core.async_children import kill_and_wait
from core.children import NO_WINDOW, python_command
from core.errors import SwarmError

START_S: Final = 30.0
_END_S: Final = 5.0
_URL_MARK: Final = "http://"


@dataclass(frozen=True, slots=True)
class ProcessUsage:
    """What a hub's process took of the machine."""

    cpu_s: float  # over some time
    rss_bytes: int  # at its end


@dataclass(frozen=True, slots=True)
class HubChild:
    """A running hub."""

    url: str
    pid: int

    def usage(self) -> ProcessUsage:
        """What it took so far.

        Raises:
            SwarmError: it has died.
        """
        try:
            process = psutil.Process(self.pid)
            times = process.cpu_times()
            return ProcessUsage(times.user + times.system, process.memory_info().rss)
        except psutil.Error as error:
            raise SwarmError(
                f"The lab's hub has ended ({error}). Start the experiment again."
            ) from error


@asynccontextmanager
async def hub_children(store: str | None, count: int) -> AsyncIterator[list[HubChild]]:
    """``count`` hubs on one ``store`` within the block; None: SQLite in a folder that goes.

    Raises:
        SwarmError: a hub does not start.
    """
    async with AsyncExitStack() as opened:
        root = Path(
            opened.enter_context(
                tempfile.TemporaryDirectory(prefix="waggle-scale-", ignore_cleanup_errors=True)
            )
        )
        where = store or f"sqlite:{root / 'hub.sqlite'}"
        yield [
            await opened.enter_async_context(_hub_child(where, root / f"hub-{number}"))
            for number in range(count)
        ]


@asynccontextmanager
async def _hub_child(store: str, home: Path) -> AsyncIterator[HubChild]:
    options = ("--listen", "127.0.0.1:0", "--store", store, "--home", str(home), "--behind-proxy")
    process = await asyncio.create_subprocess_exec(
        *python_command("core.cli.main"),
        "hub",
        *options,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        creationflags=NO_WINDOW,
    )
    try:
        yield HubChild(await _url_of(process), process.pid)
    finally:
        await _end(process)


async def _url_of(process: Process) -> str:
    """Where the hub says that it is."""
    said = b""
    with suppress(TimeoutError):
        async with asyncio.timeout(START_S):
            said = await process.stdout.readline() if process.stdout is not None else b""
    words = said.decode(errors="replace").split()
    for word in words:
        if word.startswith(_URL_MARK):
            return word.rstrip(".")
    raise SwarmError("The lab's hub does not start. Try the same store with waggle hub.")


async def _end(process: Process) -> None:
    with suppress(ProcessLookupError):
        process.terminate()
    try:
        async with asyncio.timeout(_END_S):
            await process.wait()
    except TimeoutError:
        await kill_and_wait(process)
