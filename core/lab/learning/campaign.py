"""Many runs, some at a time, each in a process of its own; resumed from wherever it was ended.

A run's folder holds its plan. What was finished is not played again. Where something was played
after another plan, or by recipes or models of other content, it is refused, so that no results of
two experiments are ever mixed.
"""

import asyncio
import os
import subprocess
from asyncio.subprocess import Process
from collections.abc import AsyncIterator, Callable, Iterator, Sequence
from contextlib import asynccontextmanager, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from time import monotonic
from typing import Final

import msgspec
from filelock import FileLock, Timeout

from core.async_children import kill_and_wait
from core.children import NO_WINDOW, python_command
from core.errors import LabError, UsageError, WaggleError
from core.lab.learning.plans import PLAN, ArmRun, difference, plan_of, read_plan
from core.lab.learning.records import DONE
from core.storage.files import DRAFT_SUFFIX, replace_file

LOG: Final = "log.txt"
_LOCK: Final = "playing.lock"
WORKER: Final = python_command("core.lab.learning.worker")
"""Plays the run whose folder is its last argument, and writes the number of every round."""
_THREAD_SETTINGS: Final = ("OMP_NUM_THREADS", "MKL_NUM_THREADS")


@dataclass(slots=True)
class CampaignProgress:
    """How far a campaign is."""

    rounds: int  # of all runs together
    began: float = field(default_factory=monotonic)  # seconds
    finished: int = 0  # rounds played before or now
    played: int = 0  # rounds played since ``began``

    @property
    def rounds_per_minute(self) -> float:
        """Of all workers together; 0 until a round was played."""
        return 60 * self.played / max(monotonic() - self.began, 1e-9)

    @property
    def left_s(self) -> float | None:
        """Seconds that it will still take; None until a round was played."""
        rate = self.rounds_per_minute
        return None if rate == 0 else 60 * (self.rounds - self.finished) / rate


@dataclass(frozen=True, slots=True)
class WorkerPool:
    """The processes that play, so many at a time."""

    workers: int
    command: Sequence[str] = WORKER  # that starts one of them


async def conduct(
    runs: Sequence[ArmRun], root: Path, pool: WorkerPool, report: Callable[[CampaignProgress], None]
) -> CampaignProgress:
    """Play ``runs`` to their ends, in order.

    Raises:
        UsageError: ``root`` holds other runs under the same names, or another campaign is at it.
        LabError: a run failed; the message is the run's own. The others were ended, and can be
            resumed.
    """
    progress = CampaignProgress(sum(run.setting.rounds for run in runs))
    waiting = list(runs)

    def follow(finished: int, played: int) -> None:
        progress.finished += finished
        progress.played += played
        report(progress)

    async def work() -> None:
        while waiting:
            run = waiting.pop(0)
            folder = root / run.name
            await _play(run, folder, [*pool.command, str(folder)], follow)

    try:
        with _alone(root):
            for run in runs:
                _write_plan(run, root / run.name)
            async with asyncio.TaskGroup() as group:
                for _ in range(pool.workers):
                    group.create_task(work())
    except* WaggleError as several:
        failed = several.exceptions[0]
    else:
        return progress
    raise failed


@contextmanager
def _alone(root: Path) -> Iterator[None]:
    """Two campaigns may share runs, so only one at a time plays in ``root``, or plans there."""
    _make(root)
    try:
        with FileLock(root / _LOCK, timeout=0):
            yield
    except Timeout:
        raise UsageError(
            f"Another experiment is being played in {root}. Wait for its end, or choose another "
            "folder with --out."
        ) from None


def _make(folder: Path) -> list[str]:
    """Have ``folder`` be there; the names in it."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
        return [path.name for path in folder.iterdir()]
    except OSError as error:
        raise LabError(
            f"The folder {folder} cannot be used ({error.strerror or error}). "
            "Choose another one with --out."
        ) from error


def _write_plan(run: ArmRun, folder: Path) -> None:
    names = [name for name in _make(folder) if not name.endswith(DRAFT_SUFFIX)]
    if {PLAN, LOG}.issuperset(names):
        replace_file(folder / PLAN, msgspec.json.format(msgspec.json.encode(plan_of(run))))
    elif words := difference(read_plan(folder), run):
        raise UsageError(
            f"{folder} holds {words}. Choose another folder with --out, or move that one away."
        )


async def _play(
    run: ArmRun, folder: Path, command: Sequence[str], follow: Callable[[int, int], None]
) -> None:
    """Let a process play ``run``; ``follow`` is told how many more are finished, and played now."""
    last = 0
    if not (folder / DONE).exists():
        async with _worker(command, folder / LOG) as process:
            assert process.stdout is not None  # noqa: S101 - it was asked for
            async for line in process.stdout:
                number = int(line)
                follow(number - last, 1)  # the first one counts what was played before, too
                last = number
            code = await process.wait()
            if code != 0:
                raise LabError(_words_of(run, folder / LOG, code))
    follow(run.setting.rounds - last, 0)


@asynccontextmanager
async def _worker(command: Sequence[str], errors: Path) -> AsyncIterator[Process]:
    """A process of ``command``; it ends with the block."""
    with errors.open("wb") as log:
        process = await asyncio.create_subprocess_exec(
            *command,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=log,
            env=os.environ | dict.fromkeys(_THREAD_SETTINGS, "1"),
            creationflags=NO_WINDOW,
        )
    try:
        yield process
    finally:
        await kill_and_wait(process)


def _words_of(run: ArmRun, log: Path, code: int) -> str:
    """Why ``run`` failed: the last that its process said, unless it was killed (``code`` < 0)."""
    said = log.read_text("utf-8", errors="replace").strip().splitlines()
    killed = "its process was ended from outside, perhaps because the memory ran out"
    words = said[-1] if said and code > 0 else killed
    stop = "" if words.endswith((".", "?", "!")) else "."
    return f"The run {run.name} failed: {words}{stop} All that it said is in {log}."
