"""Contestants in processes of their own: own memory, own environment, and still turn by turn.

The parent writes a line, the child does one lap and answers with it as JSON. What libraries print
in a child goes to stderr. One that takes too long is killed: nothing else stops a graphics card.
"""

import os
import subprocess
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from threading import Event, Timer
from typing import IO, TypeVar

import msgspec
import torch

from core.bench.contest import Lap
from core.bench.job import BenchJob, encode_job
from core.bench.memory import device_peak_mb, peak_mb
from core.children import NO_WINDOW, python_command

ROOT = Path(__file__).resolve().parents[2]

Answer = TypeVar("Answer")


def racer_command() -> tuple[str, ...]:
    """The command line of our own contestants; name and job are appended."""
    return python_command("core.bench.racer")


class Racer:
    """A running contestant, seen from the parent."""

    def __init__(self, command: Sequence[str], name: str, job: BenchJob, errors: Path) -> None:
        threads = str(job.threads)
        with errors.open("wb") as sink:
            self._child = subprocess.Popen(  # noqa: S603 - our own command
                [*command, name, encode_job(job)],
                cwd=ROOT,
                env={**os.environ, "OMP_NUM_THREADS": threads, "MKL_NUM_THREADS": threads},
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=sink,
                creationflags=NO_WINDOW,
            )
        if self._child.stdin is None or self._child.stdout is None:
            raise RuntimeError("a pipe that was asked for is missing")
        self._to, self._from = self._child.stdin, self._child.stdout
        self._name = name
        self._errors = errors

    @property
    def pid(self) -> int:
        """Of its process."""
        return self._child.pid

    def lap(self) -> Lap:
        """One turn, however long it takes; raises RuntimeError where it died."""
        return self.ask(Lap)

    def ask(self, kind: type[Answer], limit_s: float | None = None) -> Answer:
        """One turn, which is answered by a ``kind``.

        Raises:
            RuntimeError: it died; with the end of its errors.
            TimeoutError: it took longer than ``limit_s``, and was killed.
        """
        late = Event()
        guard = Timer(limit_s or 0.0, self._give_up, (late,))
        if limit_s is not None:
            guard.start()
        try:
            self._to.write(b"go\n")
            self._to.flush()
            return msgspec.json.decode(self._from.readline(), type=kind)
        except (OSError, msgspec.DecodeError) as error:
            if late.is_set():
                raise TimeoutError(f"no end after {limit_s:.0f} s") from error
            said = self._errors.read_text(errors="replace")[-2_000:]
            raise RuntimeError(f"{self._name} died: {said}") from error
        finally:
            guard.cancel()

    def _give_up(self, late: Event) -> None:
        late.set()
        self._child.kill()

    def close(self) -> None:
        """End it."""
        self._child.kill()
        self._child.communicate()


def keep_stdout() -> IO[bytes]:
    """The pipe to the parent; from now on, whatever is printed goes to stderr."""
    pipe = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)
    return pipe


def serve(lap: Callable[[], Lap], pipe: IO[bytes], device: torch.device | None = None) -> None:
    """Do laps until the parent wants no more."""
    for _ in sys.stdin:
        answer(pipe, lap(), device)


def answer(pipe: IO[bytes], lap: Lap, device: torch.device | None = None) -> None:
    """Tell the parent of a lap, with the memory that this process has needed so far.

    That of a graphics card where it works on one.
    """
    on_card = device is not None and device.type != "cpu"
    most = device_peak_mb(device) if on_card and device is not None else peak_mb()
    say(pipe, msgspec.structs.replace(lap, peak_mb=most))


def say(pipe: IO[bytes], value: object) -> None:
    """Answer the parent with ``value``."""
    pipe.write(msgspec.json.encode(value) + b"\n")
    pipe.flush()
