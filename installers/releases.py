"""Further releases of a frozen folder, offered by an update source on this computer.

A release differs from the folder in its version and in its source, which are plain files there.
"""

import os
import re
import shutil
import subprocess
import sys
import tarfile
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Final

VERSION_FILE: Final = Path("_internal", "core", "version.py")
RESOURCES: Final = Path("_internal", "resources")

_SCRIPT: Final = Path(__file__).resolve().parent.parent / "packaging" / "release_repository.py"
_VERSION: Final = re.compile(r'(?<=^VERSION = ")([0-9]+)\.([0-9]+)\.([0-9]+)(?="$)', re.MULTILINE)
_QUICK: Final = 1  # gzip's level: a package of this test travels nowhere


@dataclass(frozen=True, slots=True)
class UpdateSource:
    """A repository below ``folder``, and where it is served."""

    folder: Path
    url: str

    @property
    def root(self) -> bytes:
        """What is built into whoever is to believe this source."""
        return (self.folder / "web" / "metadata" / "1.root.json").read_bytes()

    def offer(self, release: Path, name: str) -> None:
        """Sign the folder ``release`` as the package ``name``.

        Raises:
            CalledProcessError: the script of the repository failed.
        """
        package = self.folder / name
        with tarfile.open(package, "w:gz", compresslevel=_QUICK) as archive:
            archive.add(release, "waggle")
        self.run_script("add", str(package))
        package.unlink()

    def run_script(self, command: str, *more: str) -> None:
        """Run a command of ``release_repository.py`` on the repository.

        Raises:
            CalledProcessError: it failed.
        """
        places = [str(self.folder / "web"), "--keys", str(self.folder / "keys")]
        places += ["--root", str(self.folder / "root.json")]
        subprocess.run(  # noqa: S603 - our own script
            [sys.executable, str(_SCRIPT), command, *places, *more], capture_output=True, check=True
        )


@contextmanager
def served_source(folder: Path) -> Iterator[UpdateSource]:
    """A new, empty source, served meanwhile to this computer alone.

    Raises:
        CalledProcessError: it cannot be made.
    """
    handler = partial(_SilentHandler, directory=str(folder / "web"))
    with ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        source = UpdateSource(folder, f"http://127.0.0.1:{server.server_port}/")
        source.run_script("init")
        thread = threading.Thread(target=server.serve_forever, daemon=True)
        thread.start()
        try:
            yield source
        finally:
            server.shutdown()
            thread.join()


def copy_release(folder: Path, to: Path, version: str, source: UpdateSource) -> Path:
    """Copy the frozen ``folder`` as the release ``version`` that believes ``source``.

    What is the same is linked: the copy must be on the same disk, and nothing may write into it.
    """
    shutil.copytree(folder, to, symlinks=True, copy_function=os.link)
    told = (to / VERSION_FILE).read_text("utf-8")
    put(to / VERSION_FILE, _VERSION.sub(version, told).encode())
    put(to / RESOURCES / "updates.toml", f'url = "{source.url}"\n'.encode())
    put(to / RESOURCES / "updates" / "root.json", source.root)
    return to


def put(path: Path, data: bytes) -> None:
    """Write a file of a copy anew, and not into the one that it is linked to; one that ran runs."""
    runs = path.exists() and os.access(path, os.X_OK)
    path.parent.mkdir(exist_ok=True)
    path.unlink(missing_ok=True)
    path.write_bytes(data)
    path.chmod(0o755 if runs else 0o644)


def next_version(folder: Path, step: int) -> str:
    """The release that comes ``step`` after the one in the frozen ``folder``.

    Raises:
        OSError: it does not say which one it is.
    """
    found = _VERSION.search((folder / VERSION_FILE).read_text("utf-8"))
    if found is None:
        raise OSError(f"{folder / VERSION_FILE} holds no version")
    return f"{found[1]}.{int(found[2]) + step}.0"


class _SilentHandler(SimpleHTTPRequestHandler):
    def log_message(self, *_: object) -> None:
        """Say nothing."""
