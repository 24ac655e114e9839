"""The scorer's hold on one judge process: start it, talk to it against the clock, end it."""

import asyncio
import subprocess
import tempfile
from asyncio.subprocess import Process
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TypeVar

from core.async_children import kill_and_wait
from core.children import NO_WINDOW, PROMPT, bare_environment, python_command
from core.errors import ScorerError, WireError
from core.i18n import translatable
from core.tasks.judge_messages import (
    HEADER,
    Greeting,
    Reply,
    Work,
    body_size,
    decode_greeting,
    decode_reply,
    to_frame,
)

_Type = TypeVar("_Type")


class ChildLostError(Exception):
    """The judge died, was silent for too long, or said what it must not; it is of no more use."""


def judge_command(decks: Sequence[Path] = ()) -> tuple[str, ...]:
    """How the judge of this release is started, with files of the decks that it knows, too."""
    return (*python_command("core.tasks.judge_process"), *(str(path.resolve()) for path in decks))


def environment() -> dict[str, str]:
    """Nothing of ours; only what the judge cannot start without."""
    # numpy's idle threads would forbid it a namespace. pyfiglet, which the puzzles load, fails on
    # Windows without a folder of settings; the person's names them, so it gets the judge's own.
    return bare_environment(OPENBLAS_NUM_THREADS="1", APPDATA=".")


class JudgeChild:
    """One judge process; after ChildLostError only ``end`` may be called."""

    def __init__(self, process: Process, folder: "tempfile.TemporaryDirectory[str]") -> None:
        self._process = process
        self._folder = folder

    @classmethod
    async def spawn(cls, command: Sequence[str]) -> "JudgeChild":
        """Start a judge in an empty folder; it loads its puzzles while we go on.

        Raises:
            ScorerError: the system starts no process.
        """
        try:
            folder = tempfile.TemporaryDirectory(prefix="waggle-judge-", ignore_cleanup_errors=True)
        except OSError as error:
            raise ScorerError(
                translatable(
                    "The judge of answers gets no temporary folder ({}). "
                    "Free some space on the disk and start again.",
                    error.strerror or error,
                )
            ) from error
        try:
            process = await asyncio.create_subprocess_exec(
                *command,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
                cwd=folder.name,
                env=environment(),
                start_new_session=True,  # Ctrl-C in a terminal is for us alone
                creationflags=NO_WINDOW | PROMPT,
            )
        except BaseException as error:
            folder.cleanup()
            if isinstance(error, OSError):
                raise ScorerError(
                    translatable(
                        "The judge of answers cannot be started ({}). "
                        "Close other programs, or restart the computer.",
                        error.strerror or error,
                    )
                ) from error
            raise
        return cls(process, folder)

    async def send(self, work: Work, limit_s: float) -> None:
        """Hand over work.

        Raises:
            ChildLostError: the judge does not listen, or no longer.
        """
        assert self._process.stdin is not None  # noqa: S101 - a pipe was asked for
        try:
            async with asyncio.timeout(limit_s):
                self._process.stdin.write(to_frame(work))
                await self._process.stdin.drain()
        except OSError as error:
            raise ChildLostError from error

    async def greeting(self, limit_s: float) -> Greeting:
        """Wait until the judge has started.

        Raises:
            ChildLostError: it died, or said nothing in time.
        """
        return await self._receive(decode_greeting, limit_s)

    async def reply(self, limit_s: float) -> Reply:
        """Wait for the next reply.

        Raises:
            ChildLostError: none came in time, or what came is none.
        """
        return await self._receive(decode_reply, limit_s)

    async def _receive(self, decode: Callable[[bytes], _Type], limit_s: float) -> _Type:
        assert self._process.stdout is not None  # noqa: S101 - a pipe was asked for
        try:
            async with asyncio.timeout(limit_s):
                header = await self._process.stdout.readexactly(HEADER.size)
                return decode(await self._process.stdout.readexactly(body_size(header)))
        except (TimeoutError, asyncio.IncompleteReadError, OSError, WireError) as error:
            raise ChildLostError from error

    async def end(self) -> None:
        """Kill the process, wait until it is gone, and remove its folder."""
        try:
            await kill_and_wait(self._process)
        finally:
            self._folder.cleanup()
