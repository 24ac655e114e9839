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
from collections import deque
from collections.abc import AsyncIterator, Callable
from contextlib import suppress
from io import RawIOBase
from pathlib import Path
from typing import assert_never

from core.api import events
from core.api.pipe import MAX_LINE, decode_command, encode
from core.api.preview import WatchPuzzles
from core.api.swarm_view import Block, WatchSwarm
from core.bootstrap import NodeChoice, open_node
from core.children import make_way
from core.engine.debounce import LastingPhases
from core.engine.loop import NodeLoop
from core.errors import WaggleError, WireError
from core.governor.loop import GovernorLoop
from core.governor_setup import open_governor
from core.logs import log_to_file
from core.paths import Home, default_home
from core.pipes import Leash, claim_stdout, read_lines, send_line
from core.rollouts.types import ModelId, PeerId
from core.settings import load_settings
from core.tasks.deck_tasks import kinds_in_swarm

MOST_EARLY = 64
GRACE_S = 6.0  # after the window is gone; while it is there, it kills an engine sooner
_log = logging.getLogger(__name__)


class Engine:
    """Runs one node, steered by commands; the window starts a process for each run."""

    def __init__(self, home: Home, emit: Callable[[events.Event], None]) -> None:
        self._home = home
        self._emit = emit
        self._governor: GovernorLoop | None = None
        self._node: NodeLoop | None = None
        self._practice: asyncio.Task[None] | None = None
        # For the node, once there is one.
        self._early: deque[WatchSwarm | Block | WatchPuzzles] = deque(maxlen=MOST_EARLY)

    async def serve(self, commands: AsyncIterator[events.Command]) -> None:
        """Obey until ``commands`` ends, then stop what runs.

        What Waggle cannot explain is raised: the process dies and the window starts a new one.
        """
        async with asyncio.TaskGroup() as group:
            async for command in commands:
                self._obey(command, group)
            self._stop()

    def _obey(self, command: events.Command, group: asyncio.TaskGroup) -> None:
        if isinstance(command, events.Join):
            if self._practice is None:
                # Whoever started this process is Waggle, too: its load is no reason to pause.
                self._governor = open_governor(self._home, os.getppid())
                self._practice = group.create_task(self._practise(command, self._governor))
        elif isinstance(command, events.Pause | events.Resume | events.Snooze):
            if self._governor is not None:
                self._governor.obey(command)
        elif self._node is not None:
            _dispatch(self._node, command)
        elif isinstance(command, events.Finish | events.Stop):
            self._stop()
        elif isinstance(command, WatchSwarm | Block | WatchPuzzles):
            self._early.append(command)

    def _stop(self) -> None:
        if self._node:
            self._node.stop()
        elif self._practice:
            self._practice.cancel()  # still loading: there is no round to drop

    async def _practise(self, join: events.Join, governor: GovernorLoop) -> None:
        try:
            async with open_node(self._choice(join), self._emit) as node:
                self._node = node
                while self._early:
                    _dispatch(node, self._early.popleft())
                async with governor.over(node):
                    await node.run()
        except WaggleError as error:
            self._emit(events.failed(error))
        except asyncio.CancelledError:
            self._emit(events.Stopped(round=0))
            raise
        finally:
            self._node = None

    def _choice(self, join: events.Join) -> NodeChoice:
        settings = load_settings(self._home.settings)
        swarm = join.swarm or settings.swarm.name
        return NodeChoice(
            home=self._home,
            settings=settings,
            model=ModelId(join.model),
            solo=join.solo,
            swarm=swarm,
            hubs=join.hubs or settings.swarm.hubs,
            threads=settings.compute.threads,
            load_anyway=join.load_anyway,
            spared=settings.rules.memory_floor,
            patience_s=GRACE_S,  # that of a window that was killed has as long to end
            kinds=() if join.solo else kinds_in_swarm(swarm, self._home),
        )


def _dispatch(
    node: NodeLoop, command: events.Finish | events.Stop | WatchSwarm | Block | WatchPuzzles
) -> None:
    match command:
        case events.Finish():
            node.finish()
        case events.Stop():
            node.stop()
        case WatchSwarm():
            node.monitor.watch(on=command.on)
        case Block():
            node.block(PeerId(command.peer), on=command.on)
        case WatchPuzzles():
            node.watch_puzzles(command)
        case _:
            assert_never(command)


async def read_commands(source: RawIOBase) -> AsyncIterator[events.Command]:
    """Commands from ``source`` until it ends; lines that are none are logged and skipped."""
    async for line in read_lines(source, MAX_LINE):
        try:
            yield decode_command(line)
        except WireError as error:
            _log.warning("Ignoring a line that is no command: %s", error)


def main() -> int:
    """Serve the window that started this process."""
    channel = claim_stdout()
    parser = argparse.ArgumentParser(prog="waggle-engine", description=__doc__)
    parser.add_argument("--home", type=Path, default=default_home().root)
    parser.add_argument("--every-phase", action="store_true", help="also those too short to read")
    asked = parser.parse_args()
    home = Home(asked.home)

    def emit(event: events.Event) -> None:
        send_line(channel, encode(event))

    try:
        home.prepare()
        log_to_file(home)
    except WaggleError as error:
        emit(events.failed(error))
        return 1
    make_way(apart=True)
    commands = read_commands(Leash(GRACE_S))
    with suppress(KeyboardInterrupt):  # Ctrl-C where it shares a terminal
        tell = emit if asked.every_phase else LastingPhases(emit)
        asyncio.run(Engine(home, tell).serve(commands))
    return 0


if __name__ == "__main__":
    sys.exit(main())
