"""An update source on loopback: a real repository made by our own script, served over HTTP.

Packages are tiny Waggles made of shell scripts. What goes wrong on the way is chosen by the test.
"""

import io
import re
import sys
import tarfile
import threading
from collections import Counter
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from importlib import import_module
from pathlib import Path
from types import ModuleType

from core.updates.installation import Installation
from core.updates.source import ReleaseSource
from core.updates.upkeep import UpdateOptions

ROOT = Path(__file__).resolve().parent.parent
PLATFORM = "linux-x86_64"


def load_script(name: str = "release_repository") -> ModuleType:
    """A script of ``packaging/``, which is no package: scripts there import each other by name."""
    sys.path.insert(0, str(ROOT / "packaging"))
    try:
        return import_module(name)
    finally:
        sys.path.pop(0)


def answering(version: str) -> str:
    """A script that answers as ``waggle --version`` does."""
    return f"#!/bin/sh\necho waggle {version}\n"


def app_files(version: str, window: str = "#!/bin/sh\nexit 0\n") -> dict[str, str]:
    """A Waggle that answers for itself and whose window does what ``window`` says."""
    return {
        "waggle": answering(version),
        "waggle-app": window,
        "install.toml": 'kind = "tarball"\n',
        "_internal/big.bin": "x" * 50_000 + version,
    }


def opening(mark: str, code: int = 0) -> str:
    """A window's script that tells its help, or leaves ``mark`` and ends with ``code``."""
    return f'#!/bin/sh\n[ "$1" = --help ] && exit 0\n{mark}\nexit {code}\n'


def install(place: Path, files: Mapping[str, str]) -> Installation:
    """Lay ``files`` out as an unpacked tarball."""
    for name, text in files.items():
        path = place / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
        path.chmod(0o755 if text.startswith("#!") else 0o644)
    return Installation("tarball", place)


def pack(archive: Path, files: Mapping[str, str], top: str = "waggle") -> Path:
    """A tarball of ``files``, not compressed so that it has a length worth cutting."""
    with tarfile.open(archive, "w") as tar:
        for name, text in files.items():
            member = tarfile.TarInfo(f"{top}/{name}")
            member.size = len(text.encode())
            member.mode = 0o755 if text.startswith("#!") else 0o644
            tar.addfile(member, io.BytesIO(text.encode()))
    return archive


@dataclass
class Trouble:
    """What goes wrong; nothing at first. Names are looked for in the path."""

    cuts: dict[str, list[int]] = field(default_factory=dict)  # bytes after which the line breaks
    changed: set[str] = field(default_factory=set)  # served with one bit turned over
    errors: dict[str, int] = field(default_factory=dict)  # answered with this status
    ignores_ranges: bool = False
    tells_no_length: bool = False
    has_page_for_ranges: bool = False  # as a firewall does: a page and 200
    longer: set[str] = field(default_factory=set)  # served with more at the end


class UpdateSource:
    """A repository below ``folder``, and its server."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.script = load_script()
        self.trouble = Trouble()
        self.served: Counter[str] = Counter()  # path -> bytes
        self.ranges: list[str] = []
        self.url = ""
        self.repository = self.made(datetime.now(UTC).replace(microsecond=0))
        self.repository.init()
        self.first_root = (self.web / "metadata" / "1.root.json").read_bytes()

    @property
    def web(self) -> Path:
        """What is served."""
        return self.folder / "web"

    @property
    def keys(self) -> Path:
        """All private keys."""
        return self.folder / "keys"

    @property
    def root(self) -> Path:
        """What is believed from the beginning."""
        return self.folder / "root.json"

    def made(self, now: datetime):  # type: ignore[no-untyped-def]  # noqa: ANN201 - of a script
        """The repository as somebody signs it at ``now``."""
        return self.script.Repository(self.web, self.script.Keys([self.keys]), self.root, now)

    def release(self, version: str, files: Mapping[str, str] | None = None) -> Path:
        """Offer a version."""
        name = f"waggle-{version}-{PLATFORM}.tar.xz"
        archive = pack(self.folder / name, files or app_files(version))
        self.repository.add([archive])
        return archive

    def source(self) -> ReleaseSource:
        """As it is built into a Waggle."""
        return ReleaseSource(self.url, self.first_root)

    def means(self, installation: Installation, version: str = "0.1.0") -> UpdateOptions:
        """A Waggle of that version which asks here, and does not wait between its tries."""
        return UpdateOptions(lambda: installation, self.source, version, PLATFORM, (0.0, 0.0))

    @contextmanager
    def running(self) -> Iterator["UpdateSource"]:
        """Serve meanwhile."""
        owner = self

        class Handler(_Handler):
            source = owner

        server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        server.daemon_threads = True
        thread = threading.Thread(target=lambda: server.serve_forever(0.01), daemon=True)
        thread.start()
        self.url = f"http://127.0.0.1:{server.server_port}/"
        try:
            yield self
        finally:
            server.shutdown()
            server.server_close()
            thread.join()


class _Handler(BaseHTTPRequestHandler):
    source: UpdateSource

    def do_GET(self) -> None:
        """Serve a file, or a part of it, or what the test wants instead."""
        trouble, path = self.source.trouble, self.source.web / self.path.lstrip("/")
        status = next((s for name, s in trouble.errors.items() if name in self.path), None)
        if status is not None or not path.is_file():
            self.send_error(status or 404)
            return
        start, data = self._start(), self._spoilt(path.read_bytes())
        if trouble.has_page_for_ranges and "Range" in self.headers:
            start, data = 0, b"<html>Log in</html>"
        self.send_response(206 if start else 200)
        if start:
            self.send_header("Content-Range", f"bytes {start}-{len(data) - 1}/{len(data)}")
        if not trouble.tells_no_length:
            self.send_header("Content-Length", str(len(data) - start))
        self.end_headers()
        cut = next((c for name, c in trouble.cuts.items() if name in self.path and c), None)
        data = data[start:] if cut is None else data[start : start + cut.pop(0)]
        self.source.served[self.path] += len(data)
        self.wfile.write(data)
        self.close_connection = True

    def log_message(self, *_: object) -> None:
        """Say nothing."""

    def _start(self) -> int:
        asked = re.fullmatch(r"bytes=(\d+)-", self.headers.get("Range", ""))
        if asked is not None:
            self.source.ranges.append(asked[0])
        return int(asked[1]) if asked and not self.source.trouble.ignores_ranges else 0

    def _spoilt(self, data: bytes) -> bytes:
        trouble = self.source.trouble
        if any(name in self.path for name in trouble.changed):
            middle = len(data) // 2
            data = data[:middle] + bytes([data[middle] ^ 1]) + data[middle + 1 :]
        return data + b"more" if any(name in self.path for name in trouble.longer) else data
