"""What an installed Waggle must never have: writable places, ports, code of others."""

import re
import stat
from collections.abc import Iterable
from pathlib import Path
from typing import Final

from installers.linux.elf import strays

_MAPPED_CODE: Final = re.compile(r"^\S+ ..x. .* (/.+)$", re.MULTILINE)
_SOCKETS: Final = ("tcp", "tcp6", "udp", "udp6")
_LISTENING: Final = {"tcp": "0A", "tcp6": "0A", "udp": "07", "udp6": "07"}
"""States of sockets that anybody may send to, in /proc/net; 07 is a UDP socket without a peer."""


def writable(folder: Path) -> list[str]:
    """What below ``folder`` others than root could change, or would run as somebody else."""
    found = []
    for path in [folder, *folder.rglob("*")]:
        told = path.lstat()
        loose = not path.is_symlink() and told.st_mode & (stat.S_IWGRP | stat.S_IWOTH)
        if loose or told.st_uid or told.st_gid or told.st_mode & (stat.S_ISUID | stat.S_ISGID):
            found.append(f"{path}: {stat.filemode(told.st_mode)} {told.st_uid}:{told.st_gid}")
    return found


def searched_elsewhere(folder: Path) -> list[str]:
    """Libraries of ``folder`` that are searched outside of it."""
    return [f"{path} searches {place or 'the working folder'}" for path, place in strays(folder)]


def listening(pid: int) -> list[str]:
    """Sockets that take what others send, of everybody in the network of process ``pid``."""
    return [
        f"{kind} {line.split()[1]}"
        for kind in _SOCKETS
        for line in Path(f"/proc/{pid}/net/{kind}").read_text("ascii").splitlines()[1:]
        if line.split()[3] == _LISTENING[kind]
    ]


def foreign_code(pids: Iterable[int], own: tuple[str, ...]) -> set[str]:
    """Files that the processes run code of and that lie in none of the folders ``own``."""
    return {
        path
        for pid in pids
        for path in _MAPPED_CODE.findall(_said(pid, "maps"))
        if not path.startswith(own)
    }


def locked_in(pids: Iterable[int]) -> list[int]:
    """Those of the processes that the kernel keeps from most system calls (seccomp)."""
    return [pid for pid in pids if "\nSeccomp:\t2\n" in _said(pid, "status")]


def readable_by_others(home: Path) -> list[str]:
    """Folders of ``home`` that others may enter, and keys that they may read."""
    open_to_others = stat.S_IRWXG | stat.S_IRWXO
    paths = [home, home / "identity"]
    return [str(path) for path in paths if path.stat().st_mode & open_to_others]


def _said(pid: int, name: str) -> str:
    try:
        return Path(f"/proc/{pid}/{name}").read_text("utf-8", "replace")
    except OSError:  # it has just ended
        return ""
