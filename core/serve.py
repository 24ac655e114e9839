"""``waggle-engine``: the engine process behind the window, on a pair of pipes.

Commands come in on stdin, events go out on what was stdout, one JSON line each. The end of stdin
is the leash: when the window dies, the running round is dropped (the last one is safe on disk) and
the process ends.
"""

import argparse
import asyncio
import logging
import os
import sys
import threading
from collections.abc import AsyncIterator, Callable
from contextlib import suppress
from io import FileIO, RawIOBase
from pathlib import Path
from typing import BinaryIO, assert_never

from core.bootstrap import NodeChoice, open_node
from core.engine.events import (
    Command,
    Event,
    Failed,
    Finish,
    Join,
    Pause,
    Resume,
    Stop,
    Stopped,
)
from core.engine.loop import NodeLoop
from core.engine.pipe import MAX_LINE, decode_command, encode
from core.errors import WaggleError, WireError
from core.logs import log_to_file
from core.paths import Home, default_home
from core.rollouts.types import ModelId
from core.settings import load_settings

_log = logging.getLogger(__name__)


class Engine:
    """Runs at most one node at a time, steered by commands."""

    def __init__(self, home: Home, emit: Callable[[Event], None]) -> None:
        self._home = home
        self._emit = emit
        self._node: NodeLoop | None = None
        self._practice: asyncio.Task[None] | None = None

    async def serve(self, commands: AsyncIterator[Command]) -> None:
        """Obey until ``commands`` ends, then stop what runs.

        What Waggle cannot explain is raised: the process dies and the window starts a new one.
        """
        async with asyncio.TaskGroup() as group:
            async for command in commands:
                self._obey(command, group)
            self._stop()

    def _obey(self, command: Command, group: asyncio.TaskGroup) -> None:
        if isinstance(command, Join):
            if self._is_free():
                self._practice = group.create_task(self._practise(command, self._practice))
        elif self._node is not None:
            _steer(self._node, command)
        elif isinstance(command, Finish | Stop):
            self._stop()

    def _is_free(self) -> bool:
        """Nothing runs, or what ran has said its last word and is being put away."""
        ended = self._node is not None and self._node.ended
        return self._practice is None or self._practice.done() or ended

    def _stop(self) -> None:
        if self._node:
            self._node.stop()
        elif self._practice:
            self._practice.cancel()  # still loading: there is no round to drop

    async def _practise(self, join: Join, before: asyncio.Task[None] | None) -> None:
        if before is not None:
            await asyncio.wait([before])  # it still holds the home
        try:
            async with open_node(self._choice(join), self._emit) as node:
                self._node = node
                await node.run()
        except WaggleError as error:
            self._emit(Failed(words=str(error), fatal=True))
        except asyncio.CancelledError:
            self._emit(Stopped(round=0))
            raise
        finally:
            self._node = None

    def _choice(self, join: Join) -> NodeChoice:
        settings = load_settings(self._home.settings)
        return NodeChoice(
            home=self._home,
            settings=settings,
            model=ModelId(join.model),
            solo=join.solo,
            swarm=join.swarm or settings.swarm.name,
            hubs=join.hubs or settings.swarm.hubs,
            threads=settings.compute.threads,
        )


def _steer(node: NodeLoop, command: Pause | Resume | Finish | Stop) -> None:
    match command:
        case Pause():
            node.pause("you")
        case Resume():
            node.resume()
        case Finish():
            node.finish()
        case Stop():
            node.stop()
        case _:
            assert_never(command)


def claim_stdout() -> BinaryIO:
    """Take file descriptor 1 for events and point it at stderr.

    A native library that prints then cannot corrupt the channel.
    """
    channel = os.fdopen(os.dup(1), "wb", buffering=0)
    os.dup2(2, 1)
    return channel


async def read_commands(source: RawIOBase) -> AsyncIterator[Command]:
    """Commands from ``source`` until it ends; lines that are none are logged and skipped.

    A thread reads, since not every system lets asyncio wait on stdin. It reads without a buffer:
    a thread that waits inside one would hold its lock, and Python could not shut down.
    """
    loop = asyncio.get_running_loop()
    lines: asyncio.Queue[bytes] = asyncio.Queue()

    def read() -> None:
        while line := source.readline(MAX_LINE + 1):
            loop.call_soon_threadsafe(lines.put_nowait, line)
        loop.call_soon_threadsafe(lines.put_nowait, b"")

    threading.Thread(target=read, name="commands", daemon=True).start()
    while line := await lines.get():
        try:
            yield decode_command(line)
        except WireError as error:
            _log.warning("Ignoring a line that is no command: %s", error)


def main() -> int:
    """Serve the window that started this process."""
    channel = claim_stdout()
    parser = argparse.ArgumentParser(prog="waggle-engine", description=__doc__)
    parser.add_argument("--home", type=Path, default=default_home().root)
    home = Home(parser.parse_args().home)

    def emit(event: Event) -> None:
        with suppress(BrokenPipeError):  # the window is gone; the leash is about to say so
            channel.write(encode(event))

    try:
        home.prepare()
        log_to_file(home)
    except WaggleError as error:
        emit(Failed(words=str(error), fatal=True))
        return 1
    commands = read_commands(FileIO(0, closefd=False))
    with suppress(KeyboardInterrupt):  # Ctrl-C in the terminal that opened the window
        asyncio.run(Engine(home, emit).serve(commands))
    return 0


if __name__ == "__main__":
    sys.exit(main())
