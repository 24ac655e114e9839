"""A control group of Linux with a limit of memory, v1 or v2, for whole trees of processes.

    with memory_group(5_000_000_000) as group:
        subprocess.Popen(group.command(["waggle", "join"]))
        print(group.held, group.kills)

Whatever a member starts is a member, too. Where no group can be made, the test is skipped.
"""

import os
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import psutil
import pytest

from tests.posix import is_root_of_linux

_V1: Final = Path("/sys/fs/cgroup/memory")
_V2: Final = Path("/sys/fs/cgroup")
_TIMEOUT_S: Final = 20.0
_ENTER: Final = 'echo $$ > "$0" && exec "$@"'


@dataclass(frozen=True, slots=True)
class MemoryGroup:
    """A group that was made."""

    folder: Path
    is_old: bool  # cgroup v1

    def command(self, arguments: Sequence[str]) -> list[str]:
        """What runs ``arguments`` in the group; the process is the command itself."""
        return ["sh", "-c", _ENTER, str(self.folder / "cgroup.procs"), *arguments]

    def adopt(self, pid: int) -> None:
        """Make a process a member that began elsewhere; what it held before is not counted."""
        (self.folder / "cgroup.procs").write_text(str(pid), "ascii")

    def limit(self, size: int) -> None:
        """Let all members together have ``size`` bytes from now on, and no swap.

        Raises:
            OSError: they hold more, or this computer has no such groups.
        """
        if not self.is_old:
            (self.folder / "memory.max").write_text(str(size), "ascii")
            if (self.folder / "memory.swap.max").exists():
                (self.folder / "memory.swap.max").write_text("0", "ascii")
            return
        memory, both = (self.folder / f"memory.{it}limit_in_bytes" for it in ("", "memsw."))
        with suppress(OSError):  # it may not be above that of both: first where it is lowered
            memory.write_text(str(size), "ascii")
        if both.exists():
            both.write_text(str(size), "ascii")
        memory.write_text(str(size), "ascii")

    @property
    def held(self) -> int:
        """Bytes that members hold and would hardly give back: cached files only if mapped."""
        names = ("total_rss", "total_mapped_file") if self.is_old else ("anon", "file_mapped")
        counts = self._counts("memory.stat")
        return sum(counts[name] for name in names)

    @property
    def kills(self) -> int:
        """How many members the system has killed for want of memory."""
        return self._counts("memory.oom_control" if self.is_old else "memory.events")["oom_kill"]

    @property
    def peak(self) -> int:
        """The most bytes that were ever counted, cached files among them."""
        name = "memory.max_usage_in_bytes" if self.is_old else "memory.peak"
        return int((self.folder / name).read_text(encoding="ascii"))

    def members(self) -> list[int]:
        """Process ids."""
        return list(map(int, (self.folder / "cgroup.procs").read_text(encoding="ascii").split()))

    def _counts(self, name: str) -> dict[str, int]:
        lines = (self.folder / name).read_text(encoding="ascii").splitlines()
        return {line.split()[0]: int(line.split()[1]) for line in lines}


@contextmanager
def memory_group(limit: int) -> Iterator[MemoryGroup]:
    """A new group; members that are left at the end are killed."""
    if not is_root_of_linux():
        pytest.skip("groups with a limit of memory need Linux and its root user")
    is_old = (_V1 / "memory.limit_in_bytes").exists()
    folder = (_V1 if is_old else _V2) / f"waggle-{os.getpid()}-{time.monotonic_ns()}"
    group = MemoryGroup(folder, is_old)
    try:
        folder.mkdir()
        group.limit(limit)
    except OSError as error:
        with suppress(OSError):
            folder.rmdir()
        pytest.skip(f"no group with a limit of memory can be made here: {error}")
    try:
        yield group
    finally:
        _end(group)


def _end(group: MemoryGroup) -> None:
    deadline = time.monotonic() + _TIMEOUT_S
    while (members := group.members()) and time.monotonic() < deadline:
        for pid in members:
            with suppress(psutil.NoSuchProcess):
                psutil.Process(pid).kill()
        time.sleep(0.05)  # until they are gone nothing else tells
    group.folder.rmdir()
