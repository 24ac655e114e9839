"""What the programs and libraries of a folder ask of the system that runs them, told by readelf."""

import os
import re
import subprocess
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

Version = tuple[int, ...]

MAGIC: Final = b"\x7fELF"
MACHINES: Final = {0x3E: "amd64", 0xB7: "arm64"}
"""``e_machine`` of the ELF header, and what Debian calls it."""

_MACHINE_AT: Final = slice(18, 20)
_NEEDED: Final = re.compile(r"\(NEEDED\).*\[(.+)\]")
_SEARCHED: Final = re.compile(r"\((?:RPATH|RUNPATH)\).*\[(.*)\]")
_GLIBC: Final = re.compile(r"Name: GLIBC_([0-9.]+) ")


@dataclass(frozen=True, slots=True)
class Binary:
    """One program or library."""

    path: Path
    needed: tuple[str, ...]  # names of libraries that the loader has to find
    searched: tuple[str, ...]  # folders of its RPATH or RUNPATH
    glibc: Version  # the newest release of the C library that it asks for; () for none


def is_elf(path: Path) -> bool:
    """Whether ``path`` is a program or library for Linux."""
    if path.is_symlink() or not path.is_file():
        return False
    with path.open("rb") as file:
        return file.read(len(MAGIC)) == MAGIC


def architecture(program: Path) -> str:
    """What Debian calls the processor that ``program`` is for.

    Raises:
        ValueError: it is no program, or for a processor without a package of ours.
    """
    with program.open("rb") as file:
        head = file.read(_MACHINE_AT.stop)
    machine = int.from_bytes(head[_MACHINE_AT], "little")
    if not head.startswith(MAGIC) or machine not in MACHINES:
        raise ValueError(f"{program} is not a program for {' or '.join(MACHINES.values())}")
    return MACHINES[machine]


def binaries(folder: Path) -> Iterator[Binary]:
    """Every program and library below ``folder``.

    Raises:
        CalledProcessError: readelf cannot read one.
    """
    environment = {**os.environ, "LC_ALL": "C"}
    for path in sorted(path for path in folder.rglob("*") if is_elf(path)):
        told = subprocess.run(  # noqa: S603 - our own command line
            ["readelf", "--dynamic", "--version-info", "--wide", path],  # noqa: S607 - on PATH
            capture_output=True,
            check=True,
            env=environment,
            text=True,
        ).stdout
        yield parse(path, told)


def asked_of_system(folder: Path, found: Sequence[Binary]) -> dict[str, Path]:
    """Libraries that ``found`` need and ``folder`` does not hold, each with one that needs it."""
    held = {path.name for path in folder.rglob("*")}
    return {name: binary.path for binary in found for name in binary.needed if name not in held}


def strays(folder: Path) -> list[tuple[Path, str]]:
    """Libraries that are searched outside of ``folder``: each binary, and where it would look.

    Only places relative to the binary itself, and below ``folder``, are sound: whoever can write
    to any other one could slip code of theirs in.
    """
    root = Path(os.path.abspath(folder))  # noqa: PTH100 - links must stay what they are
    return [
        (binary.path, place)
        for binary in binaries(root)
        for place in binary.searched
        if not _stays_inside(root, binary.path.parent, place)
    ]


def _stays_inside(root: Path, origin: Path, place: str) -> bool:
    start, _, rest = place.partition("/")
    if start not in ("$ORIGIN", "${ORIGIN}"):
        return False
    return Path(os.path.normpath(origin / rest)).is_relative_to(root)


def parse(path: Path, told: str) -> Binary:
    """What readelf ``told`` about ``path``."""
    places = [place for found in _SEARCHED.findall(told) for place in found.split(":")]
    releases = [tuple(map(int, name.split("."))) for name in _GLIBC.findall(told)]
    return Binary(path, tuple(_NEEDED.findall(told)), tuple(places), max(releases, default=()))
