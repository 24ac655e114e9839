"""The Debian package: the frozen folder below /usr/lib, and what a desktop wants to know of it.

It has no scripts of its own that run as root: the desktop's database, the icon cache and the
manual's index follow by triggers of the packages that own them.
"""

import gzip
import os
import re
import shutil
import subprocess
import tempfile
import time
from email.utils import formatdate
from pathlib import Path
from typing import Final

from installers.linux.depends import depends
from installers.linux.elf import architecture
from installers.linux.rpath import forget_strays

HERE: Final = Path(__file__).parent
ICON: Final = Path("_internal", "resources", "icons", "waggle.svg")
PLACE: Final = "usr/lib/waggle"
PROGRAMS: Final = ("waggle", "waggle-app")
FOR_TARBALL: Final = shutil.ignore_patterns("install.sh", "uninstall.sh")
MAINTAINER: Final = "Waggle contributors <waggle@localhost>"
"""Whoever publishes packages puts an address that works into ``$WAGGLE_MAINTAINER``."""

_LEVEL: Final = 1  # of xz: a quarter of the time of level 4, and 10 percent more
_VERSION: Final = re.compile(r"[0-9]+(\.[0-9]+)*([a-z0-9.~+]*)")

_CONTROL: Final = """\
Package: waggle
Version: {version}
Architecture: {architecture}
Maintainer: {maintainer}
Installed-Size: {kib}
Depends: {depends}
Recommends: xdg-utils
Suggests: gnome-keyring | kwalletmanager
Section: science
Priority: optional
Description: lend this computer to a swarm that trains small language models
 Waggle lets this computer practise puzzles with a small language model of
 its own, and swaps ideas with the models of other people, as plain text.
 No model and no file of yours ever leaves the computer.
 .
 The window shows what happens and when; the command waggle does the same
 in a terminal. Two small models are included, so that nothing has to be
 downloaded to begin.
"""

_CHANGES: Final = """\
waggle ({version}) stable; urgency=medium

  * What changed is told in the release notes of Waggle {version}.

 -- {maintainer}  {date}
"""


def build(folder: Path, version: str, out: Path, compression: str = "xz") -> Path:
    """Make the package of the frozen ``folder`` in the folder ``out`` and return its path.

    The same folder gives the same bytes where ``$SOURCE_DATE_EPOCH`` is the same.

    Raises:
        ValueError: Debian would not take ``version``, or the folder is for no known processor.
        UnknownLibraryError: the folder needs a library that no package is known for.
        CalledProcessError: dpkg-deb or readelf failed, and said why on stderr.
    """
    if not _VERSION.fullmatch(version):
        raise ValueError(f"{version!r} is no version that Debian takes")
    processor = architecture(folder / PROGRAMS[0])
    out.mkdir(parents=True, exist_ok=True)
    package = out / f"waggle_{version}_{processor}.deb"
    with tempfile.TemporaryDirectory(dir=out) as staging:
        root = Path(staging, "root")
        _lay_out(folder, root, version)
        make_plain(root)
        forget_strays(root / PLACE)
        facts = {
            "architecture": processor,
            "depends": ", ".join(depends(root / PLACE)),
            "kib": -(-_size(root) // 1024),
            "maintainer": _maintainer(),
            "version": version,
        }
        _write(root / "DEBIAN" / "control", _CONTROL.format(**facts))
        _pack(root, package, compression)
    return package


def make_plain(root: Path) -> None:
    """Everybody may read what is below ``root``, its owner alone may write; nothing is setuid."""
    root.chmod(0o755)
    for path in root.rglob("*"):
        if not path.is_symlink():
            runs = path.stat().st_mode & 0o100 and ".so" not in path.suffixes
            path.chmod(0o755 if runs or path.is_dir() else 0o644)


def _lay_out(folder: Path, root: Path, version: str) -> None:
    shutil.copytree(folder, root / PLACE, symlinks=True, ignore=FOR_TARBALL)
    _write(root / PLACE / "install.toml", 'kind = "deb"\n')
    (root / "usr" / "bin").mkdir(parents=True)
    for program in PROGRAMS:
        (root / "usr" / "bin" / program).symlink_to(f"../lib/waggle/{program}")
        page = (HERE / f"{program}.1").read_bytes()
        _zip(root / "usr" / "share" / "man" / "man1" / f"{program}.1.gz", page)
    share = root / "usr" / "share"
    _copy(folder / ICON, share / "icons" / "hicolor" / "scalable" / "apps" / "waggle.svg")
    _copy(HERE / "waggle.desktop", share / "applications" / "waggle.desktop")
    _copy(HERE / "waggle.metainfo.xml", share / "metainfo" / "org.waggle.window.metainfo.xml")
    _copy(HERE / "copyright", share / "doc" / "waggle" / "copyright")
    _copy(HERE / "lintian-overrides", share / "lintian" / "overrides" / "waggle")
    date = formatdate(_now(), localtime=False)
    changes = _CHANGES.format(version=version, maintainer=_maintainer(), date=date)
    _zip(share / "doc" / "waggle" / "changelog.gz", changes.encode())


def _pack(root: Path, package: Path, compression: str) -> None:
    environment = {**os.environ, "SOURCE_DATE_EPOCH": str(_now())}
    command = ["dpkg-deb", "--root-owner-group", f"-Z{compression}", f"-z{_LEVEL}", "--build"]
    subprocess.run(  # noqa: S603 - our own command line
        [*command, str(root), str(package)],
        check=True,
        env=environment,
        stdout=subprocess.DEVNULL,
    )


def _now() -> int:
    """Seconds since 1970 that everything in the package is dated with, at the latest."""
    return int(os.environ.get("SOURCE_DATE_EPOCH") or time.time())


def _maintainer() -> str:
    return os.environ.get("WAGGLE_MAINTAINER") or MAINTAINER


def _size(root: Path) -> int:
    """Bytes of all files."""
    return sum(path.lstat().st_size for path in root.rglob("*") if not path.is_dir())


def _copy(source: Path, target: Path) -> None:
    target.parent.mkdir(parents=True, exist_ok=True)
    shutil.copyfile(source, target)


def _write(target: Path, text: str) -> None:
    target.parent.mkdir(parents=True, exist_ok=True)
    target.write_text(text, encoding="utf-8")


def _zip(target: Path, content: bytes) -> None:
    target.parent.mkdir(parents=True, exist_ok=True)
    target.write_bytes(gzip.compress(content, 9, mtime=0))
