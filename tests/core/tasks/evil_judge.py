"""A judge whose verifier does what an answer tells it: as if the answer had taken it over.

Started by ``evil_command``. An answer is a verb and, after a colon, an operand; it earns 1.0 if
the deed was done and 0.0 if it was prevented.
"""

import ctypes
import mmap
import os
import signal
import socket
import subprocess
import sys
from collections.abc import Callable, Sequence
from pathlib import Path

from core.errors import RulesetError, UnknownTaskError
from core.rollouts.types import PuzzleKey, Question, TaskId
from core.tasks.catalog import Preset, Task, TaskCatalog
from core.tasks.confinement import layers_here
from core.tasks.judge_messages import HEADER, Judged, to_frame
from core.tasks.judge_process import Examiner, run

ROOT = Path(__file__).resolve().parents[3]
CHANNEL = 3  # the first descriptor after the standard three
EVIL = TaskId("evil")
DEADLY = 1_000_013  # index of a puzzle that kills whoever makes it
BUGGY = 1_000_014  # and of one that cannot be made
EVIL_CATALOG = TaskCatalog(
    [
        Task(
            id=EVIL,
            dataset="none",
            title="Do as you are told",
            levels=(Preset(settings=()),) * 3,
            verifier="text",
            specialty=False,
            starter=True,
        )
    ],
    ruleset="evil",
)


def evil_command(mood: str = "confined") -> tuple[str, ...]:
    """How this judge is started: "confined", "free" of all protections, or in a failing mood."""
    boot = (
        "import sys; sys.path.append(sys.argv[1]); "
        "from tests.core.tasks.evil_judge import main; sys.exit(main(sys.argv[2]))"
    )
    return (sys.executable, "-I", "-c", boot, str(ROOT), mood)


def hang(_: str) -> None:
    while True:
        pass


def sulk(_: str) -> None:
    """Hang so that only the kernel can end it: deaf to the end of the input."""
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    hang("")


def eat(operand: str) -> None:
    bytearray(int(operand))


def reserve(operand: str) -> None:
    """Take memory without touching it, which is quick."""
    mmap.mmap(-1, int(operand)).close()


def crash(_: str) -> None:
    ctypes.string_at(0)


def leave(_: str) -> None:
    os._exit(0)


def recurse(_: str) -> None:
    recurse("")


def chatter(_: str) -> None:
    print("." * 100_000)  # noqa: T201 - what some libraries do
    os.write(1, b"." * 100_000)


def connect(operand: str) -> None:
    socket.create_connection(("127.0.0.1", int(operand)), timeout=5).close()


def write(operand: str) -> None:
    Path(operand).write_text("was here")


def read(operand: str) -> None:
    Path(operand).read_bytes()


def delete(operand: str) -> None:
    Path(operand).unlink()


def execute(operand: str) -> None:
    subprocess.run([operand], check=True)  # noqa: S603 - the test names a harmless program


def replace(operand: str) -> None:
    os.execv(operand, [operand])  # noqa: S606 - the test names a harmless program


def fork(_: str) -> None:
    if sys.platform != "win32" and os.fork() == 0:
        os._exit(0)


def kill(operand: str) -> None:
    os.kill(int(operand), 0)


def unlimit(_: str) -> None:
    if sys.platform != "win32":
        import resource

        resource.setrlimit(resource.RLIMIT_NOFILE, (64, 64))


def forge(_: str) -> None:
    """Send a reward that nobody asked for."""
    os.write(CHANNEL, to_frame(Judged(1.0)))


def garble(_: str) -> None:
    os.write(CHANNEL, HEADER.pack(5) + b"\xff\xff\xff\xff\xff")


def threaten(_: str) -> None:
    """Announce a frame of four gigabytes."""
    os.write(CHANNEL, b"\xff\xff\xff\xff")


def overrate(_: str) -> None:
    frame = to_frame(Judged(1.0))
    os.write(CHANNEL, frame.replace(b"\x3f\xf0", b"\x40\xf0"))


DEEDS: dict[str, Callable[[str], None]] = {
    deed.__name__: deed
    for deed in (
        hang, sulk, eat, reserve, crash, leave, recurse, chatter, connect, write, read, delete,
        execute, replace, fork, kill, unlimit, forge, garble, threaten, overrate,
    )
}  # fmt: skip


class EvilExaminer:
    """Obeys every answer."""

    def question(self, key: PuzzleKey) -> Question:
        if key.level == 3:
            raise UnknownTaskError("There is no level 3 here.")
        if key.index == DEADLY:
            leave("")
        if key.index == BUGGY:
            raise KeyError("a bug of the library")
        return Question(key, f"Say right. This is number {key.seed + key.index}.")

    def reward(self, _: PuzzleKey, answer: str) -> float:
        verb, _colon, operand = answer.partition(":")
        if verb == "reward":
            return float(operand)
        if verb in DEEDS:
            try:
                DEEDS[verb](operand)
            except OSError:
                return 0.0
            return 1.0
        return 1.0 if answer in ("right", "Right") else 0.0

    def is_canonical(self, _: PuzzleKey, answer: str) -> bool:
        return answer != "Right"


def load(mood: str) -> Examiner:
    if mood == "other release":
        raise RulesetError("Another release is installed. Install the right one.")
    if mood == "broken":
        raise ImportError("no such library")
    if mood == "stillborn":
        leave("")
    if mood == "dumb":
        hang("")
    return EvilExaminer()


def main(mood: str) -> int:
    return run(lambda: load(mood), () if mood == "free" else layers_here())


def evil_keys(indices: Sequence[int], level: int = 1) -> list[PuzzleKey]:
    return [PuzzleKey(EVIL, level, seed=100, index=index) for index in indices]
