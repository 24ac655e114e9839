"""Limits of memory that control groups of Linux set, as for containers: cgroup v2 and v1.

Without them a container would count all of its host's memory as its own, until it is killed.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final

GROUPS: Final = Path("/sys/fs/cgroup")
OWN_GROUPS: Final = Path("/proc/self/cgroup")


@dataclass(frozen=True, slots=True)
class _Files:
    """What a version of control groups calls its files, and the lines of its statistics."""

    root: str  # below ``GROUPS``
    limit: str
    used: str
    inactive: str  # files in memory that nobody has read again
    active: str  # other files in memory
    mapped: str  # files that programs have mapped, such as their code


_V2: Final = _Files(
    "", "memory.max", "memory.current", "inactive_file", "active_file", "file_mapped"
)
_V1: Final = _Files(
    "memory",
    "memory.limit_in_bytes",
    "memory.usage_in_bytes",
    "total_inactive_file",
    "total_active_file",
    "total_mapped_file",
)
_NO_LIMIT: Final = 1 << 62  # v1 says so by a number that no computer has


@dataclass(frozen=True, slots=True)
class GroupMemory:
    """The memory of one group that is limited, in bytes."""

    limit: int
    free: int


def limited_groups(groups: Path = GROUPS, own: Path = OWN_GROUPS) -> Iterator[GroupMemory]:
    """Each limited group around this process, the innermost first; none on other systems.

    In a container the group that ``own`` names may be seen as the root of ``groups``.
    """
    try:
        lines = own.read_text(encoding="utf-8").splitlines()
    except OSError:
        return
    for line in lines:
        number, _, rest = line.partition(":")
        controllers, _, name = rest.partition(":")
        if "memory" in controllers.split(","):
            yield from _around(groups, name, _V1)
        elif number == "0" and not controllers:
            yield from _around(groups, name, _V2)


def _around(groups: Path, name: str, files: _Files) -> Iterator[GroupMemory]:
    root = groups / files.root
    folder = root / name.strip("/")
    for group in (folder, *folder.parents):
        if group.is_relative_to(root) and (found := _read(group, files)) is not None:
            yield found


def _read(group: Path, files: _Files) -> GroupMemory | None:
    try:
        limit = int((group / files.limit).read_text(encoding="ascii"))  # "max" in v2: none
        used = int((group / files.used).read_text(encoding="ascii"))
        lines = (group / "memory.stat").read_text(encoding="ascii").splitlines()
        counts = {name: int(count) for name, count in map(str.split, lines)}
    except (OSError, ValueError):
        return None
    if limit >= _NO_LIMIT:
        return None
    # Files that were read count as used until somebody needs the memory: after a download that
    # would be all of it. What is mapped is read again and again, and so not to be had.
    others = counts.get(files.active, 0) - counts.get(files.mapped, 0)
    cached = counts.get(files.inactive, 0) + max(0, others)
    return GroupMemory(limit, min(limit, max(0, limit - used + cached)))
