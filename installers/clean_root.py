"""A fresh Debian in a folder, and a machine that sees nothing else: no network, no checkout.

Needs root, debootstrap and util-linux. Packages are fetched from wherever this system has its own.
"""

import os
import shutil
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import psutil

USER: Final = "newcomer"
USER_HOME: Final = Path("/srv/newcomer")
_PATH: Final = "/usr/sbin:/usr/bin:/sbin:/bin"
_PASSING: Final = {"dev", "proc", "run", "sys", "tmp"}  # top folders of what no disk keeps

# pivot_root and not chroot: the kernel lets nobody make namespaces in a chroot, and the judge does.
_BECOME: Final = """\
set -e
mount --make-rprivate /
mount --bind "$1" "$1"
cd "$1"
mount -t proc proc proc
mount -t sysfs sysfs sys
mount --rbind /dev dev
mount -t tmpfs tmpfs tmp
chmod 1777 tmp
mkdir tmp/.X11-unix
mount --bind /tmp/.X11-unix tmp/.X11-unix
pivot_root . mnt
umount -l /mnt
echo ready
exec sleep infinity
"""


@dataclass(frozen=True, slots=True)
class CleanRoot:
    """The files of a Debian below ``folder``."""

    folder: Path

    def administer(self, *command: str) -> str:
        """Run ``command`` there as root, with this system's network; returns what it said.

        Raises:
            CalledProcessError: it failed.
        """
        environment = {"DEBIAN_FRONTEND": "noninteractive", "LC_ALL": "C", "PATH": _PATH}
        return _output(["chroot", str(self.folder), *command], environment)

    def inside(self, path: Path) -> Path:
        """Where the absolute ``path`` of that Debian is here."""
        return self.folder / path.relative_to("/")

    def listing(self) -> set[str]:
        """Every file and folder that stays when the machine is off, relative to the root."""
        found = set()
        for parent, folders, files in os.walk(self.folder):
            if Path(parent) == self.folder:
                folders[:] = set(folders) - _PASSING
            place = Path(parent).relative_to(self.folder)
            found |= {(place / name).as_posix() for name in (*folders, *files)}
        return found


@dataclass(frozen=True, slots=True)
class Machine:
    """A ``CleanRoot`` with processes of its own; ``pid`` is the first of them."""

    pid: int

    def command(self, *command: str, **environment: str) -> list[str]:
        """What runs ``command`` in it as an ordinary person with nothing but ``environment``."""
        basic = {"HOME": str(USER_HOME), "LANG": "C.UTF-8", "PATH": "/usr/bin:/bin"}
        named = [f"{name}={value}" for name, value in {**basic, **environment}.items()]
        enter = ["nsenter", f"--target={self.pid}", "--mount", "--pid", "--net", "--ipc", "--uts"]
        become = ["/usr/sbin/runuser", "-u", USER, "--", "/usr/bin/env", "-i"]
        return [*enter, *become, f"--chdir={USER_HOME}", *named, *command]

    def run(self, *command: str) -> str:
        """What ``command`` says when run to its end.

        Raises:
            CalledProcessError: it failed.
        """
        return _output(self.command(*command))

    def processes(self) -> list[int]:
        """All that run in it now but the first, by their ids outside."""
        home = _namespace(self.pid)
        ids = [int(path.name) for path in Path("/proc").iterdir() if path.name.isdecimal()]
        return [pid for pid in ids if pid != self.pid and _namespace(pid) == home]


def make_root(folder: Path, base: Path | None) -> CleanRoot:
    """A Debian of the kind that this system is, in ``folder``; a copy of ``base`` if there is one.

    Raises:
        CalledProcessError: debootstrap, or a command in the new system, failed.
    """
    if base is None:
        release = _output(["sh", "-c", '. /etc/os-release; echo "$VERSION_CODENAME"']).strip()
        _output(["debootstrap", "--variant=minbase", release, str(folder)])
    else:
        _output(["cp", "-a", f"{base}/.", str(folder)])
    root = CleanRoot(folder)
    shutil.copyfile("/etc/resolv.conf", root.folder / "etc" / "resolv.conf")
    root.administer("useradd", "--create-home", "--home-dir", str(USER_HOME), USER)
    return root


@contextmanager
def machine_on(root: CleanRoot) -> Iterator[Machine]:
    """Start it; at the end everything that runs in it is killed.

    Raises:
        OSError: this system does not let us.
    """
    Path("/tmp/.X11-unix").mkdir(mode=0o1777, exist_ok=True)  # noqa: S108 - where X puts its socket
    apart = ["unshare", "--mount", "--pid", "--net", "--ipc", "--uts", "--fork", "--kill-child"]
    command = [*apart, "sh", "-c", _BECOME, "sh", str(root.folder)]
    with subprocess.Popen(command, stdout=subprocess.PIPE) as process:  # noqa: S603 - our own
        assert process.stdout is not None  # noqa: S101 - for mypy: a pipe was asked for
        first = 0
        try:
            if process.stdout.readline() != b"ready\n":
                raise OSError("The clean root cannot be entered; the lines above say why.")
            children = Path(f"/proc/{process.pid}/task/{process.pid}/children").read_text("ascii")
            first = int(children.split()[0])
            yield Machine(first)
        finally:
            psutil.Process(first or process.pid).kill()  # unshare ends after the first process


def _namespace(pid: int) -> str:
    try:
        return str(Path(f"/proc/{pid}/ns/pid").readlink())
    except OSError:  # it has just ended
        return ""


def _output(command: list[str], environment: dict[str, str] | None = None) -> str:
    done = subprocess.run(  # noqa: S603 - our own command lines
        command, capture_output=True, check=True, env=environment, text=True
    )
    return done.stdout
