"""Versions, and the packages that carry them; pure."""

import platform
import re
import sys
from collections.abc import Collection, Iterable
from dataclasses import dataclass
from typing import Final, Literal

Version = tuple[int, int, int]

Form = Literal["tar.xz", "tar.gz", "exe"]

_VERSION: Final = re.compile(r"(0|[1-9][0-9]{0,5})\.(0|[1-9][0-9]{0,5})\.(0|[1-9][0-9]{0,5})")
_PACKAGE: Final = re.compile(r"waggle-([0-9.]{5,20})-([a-z]+-[a-z0-9_]+)\.(tar\.xz|tar\.gz|exe)")
_SYSTEMS: Final = {"darwin": "macos", "win32": "windows"}
_MACHINES: Final = {"amd64": "x86_64", "aarch64": "arm64"}  # one name, whatever a system says
_FORMS: Final[dict[str, Form]] = {"tar.xz": "tar.xz", "tar.gz": "tar.gz", "exe": "exe"}


@dataclass(frozen=True, slots=True)
class Package:
    """One file of a release, such as ``waggle-0.2.0-linux-x86_64.tar.xz``."""

    name: str
    version: Version
    platform: str
    form: Form


@dataclass(frozen=True, slots=True)
class Installable:
    """The platform and archive formats that can be installed here."""

    platform: str
    forms: Collection[Form]

    def takes(self, package: Package) -> bool:
        """Whether ``package`` can be installed here."""
        return package.platform == self.platform and package.form in self.forms


def parse_version(text: str) -> Version | None:
    """Three numbers without ornament; None where ``text`` is anything else."""
    found = _VERSION.fullmatch(text)
    return (int(found[1]), int(found[2]), int(found[3])) if found else None


def version_in_words(version: Version) -> str:
    """``version`` with dots, such as ``0.2.0``."""
    return ".".join(map(str, version))


def read_package(name: str) -> Package | None:
    """The package that the file name ``name`` describes; None where it is none of Waggle's."""
    found = _PACKAGE.fullmatch(name)
    version = parse_version(found[1]) if found else None
    if found is None or version is None:
        return None
    return Package(name, version, found[2], _FORMS[found[3]])


def this_platform() -> str:
    """The platform in the names of packages for this computer, such as ``linux-x86_64``."""
    machine = platform.machine().lower()
    return f"{_SYSTEMS.get(sys.platform, 'linux')}-{_MACHINES.get(machine, machine)}"


def newest(names: Iterable[str], fits: "Installable", above: Version) -> Package | None:
    """The newest package that ``fits`` and is newer than ``above``.

    A lower version is never taken, whoever signed it: the way back would reopen holes that were
    closed.
    """
    found = (package for package in map(read_package, names) if package is not None)
    fitting = [package for package in found if fits.takes(package) and package.version > above]
    return max(fitting, key=lambda package: (package.version, package.form), default=None)
