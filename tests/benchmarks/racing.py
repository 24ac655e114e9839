"""Contestants in processes of their own: own memory, own environment, and still turn by turn.

The parent writes a line, the child does one lap and answers with it as JSON. What libraries print
in a child goes to stderr.
"""

import os
import subprocess
import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import IO

import msgspec

from core.bench.contest import Contestant, Lap
from core.bench.memory import peak_mb
from tests.benchmarks.job import Job, encode_job

ROOT = Path(__file__).resolve().parents[2]


class Racer:
    """A running contestant, seen from the parent."""

    def __init__(self, python: Path, name: str, job: Job, errors: Path) -> None:
        threads = str(job.threads)
        with errors.open("wb") as sink:
            self._child = subprocess.Popen(  # noqa: S603 - our own command
                [python, "-m", "tests.benchmarks.racer", name, encode_job(job)],
                cwd=ROOT,
                env={**os.environ, "OMP_NUM_THREADS": threads, "MKL_NUM_THREADS": threads},
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=sink,
            )
        self._name = name
        self._errors = errors

    @property
    def pid(self) -> int:
        """Of its process."""
        return self._child.pid

    def lap(self) -> Lap:
        """One turn; raises with the end of its errors where it died."""
        assert self._child.stdin is not None
        assert self._child.stdout is not None
        try:
            self._child.stdin.write(b"go\n")
            self._child.stdin.flush()
            return msgspec.json.decode(self._child.stdout.readline(), type=Lap)
        except (BrokenPipeError, msgspec.DecodeError) as error:
            said = self._errors.read_text(errors="replace")[-2_000:]
            raise RuntimeError(f"{self._name} died: {said}") from error

    def close(self) -> None:
        """End it."""
        self._child.kill()
        self._child.communicate()


@contextmanager
def racers(job: Job, pythons: Mapping[str, Path], folder: Path) -> Iterator[dict[str, Contestant]]:
    """Start a contestant for each name; the value is the Python that it runs in."""
    with ExitStack() as stack:
        started: dict[str, Contestant] = {}
        for name, python in pythons.items():
            racer = Racer(python, name, job, folder / f"{name}.stderr")
            stack.callback(racer.close)
            started[name] = racer.lap
        yield started


def keep_stdout() -> IO[bytes]:
    """The pipe to the parent; from now on, whatever is printed goes to stderr."""
    pipe = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)
    return pipe


def serve(lap: Callable[[], Lap], pipe: IO[bytes]) -> None:
    """Do laps until the parent wants no more."""
    for _ in sys.stdin:
        answer(pipe, lap())


def answer(pipe: IO[bytes], lap: Lap) -> None:
    """Tell the parent of a lap, with the memory that this process has needed so far."""
    whole = msgspec.structs.replace(lap, peak_mb=peak_mb())
    pipe.write(msgspec.json.encode(whole) + b"\n")
    pipe.flush()
