"""The Debian package holds the folder, plainly, and what a desktop wants to know."""

import hashlib
import shutil
import subprocess
from pathlib import Path

import pytest

from installers.linux.deb import build, make_plain

ROOT = Path(__file__).resolve().parents[3]

pytestmark = pytest.mark.skipif(
    not all(map(shutil.which, ("dpkg-deb", "readelf"))), reason="not a Debian, or no binutils"
)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A frozen folder in which every file is as it should not stay."""
    folder = tmp_path / "waggle"
    icons = folder / "_internal" / "resources" / "icons"
    icons.mkdir(parents=True)
    shutil.copy(ROOT / "resources" / "icons" / "waggle.svg", icons)
    for name in ("waggle", "waggle-app", "_internal/libone.so.1"):
        shutil.copy("/bin/true", folder / name)
        (folder / name).chmod(0o4775)
    (folder / "_internal" / "notes.txt").write_text("notes", "ascii")
    (folder / "_internal" / "notes.txt").chmod(0o666)
    (folder / "_internal" / "link").symlink_to("notes.txt")
    (folder / "install.toml").write_text('kind = "tarball"\n', "ascii")
    for name in ("install.sh", "uninstall.sh"):
        (folder / name).write_text("#!/bin/sh\n", "ascii")
    return folder


@pytest.fixture
def package(folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """It, packed."""
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "1700000000")
    return build(folder, "0.1.0", tmp_path / "out", "gzip")


def ask(*command: str | Path) -> str:
    """What a command says."""
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout  # noqa: S603 - our own


def test_it_is_the_folder_and_a_place_in_the_desktop(package: Path) -> None:
    """Programs, icon, menu entry, manual and copyright are where Debian looks for them."""
    listed = {line.split()[5] for line in ask("dpkg-deb", "--contents", package).splitlines()}
    assert listed >= {
        "./usr/lib/waggle/waggle",
        "./usr/lib/waggle/_internal/notes.txt",
        "./usr/bin/waggle",
        "./usr/bin/waggle-app",
        "./usr/share/applications/waggle.desktop",
        "./usr/share/icons/hicolor/scalable/apps/waggle.svg",
        "./usr/share/man/man1/waggle.1.gz",
        "./usr/share/man/man1/waggle-app.1.gz",
        "./usr/share/doc/waggle/copyright",
    }
    assert not any(name.endswith("install.sh") for name in listed)


def test_only_root_may_change_it_and_nothing_is_setuid(package: Path) -> None:
    """Whatever the modes of the folder were; a library does not have to be executable."""
    told = ask("dpkg-deb", "--contents", package).splitlines()
    modes = {line.split()[5]: line.split()[:2] for line in told}
    assert {owner for _, owner in modes.values()} == {"root/root"}
    assert {mode for mode, _ in modes.values()} == {
        "drwxr-xr-x",
        "-rwxr-xr-x",
        "-rw-r--r--",
        "lrwxrwxrwx",
    }
    assert modes["./usr/lib/waggle/waggle"][0] == "-rwxr-xr-x"
    assert modes["./usr/lib/waggle/_internal/libone.so.1"][0] == "-rw-r--r--"


def test_it_knows_that_the_package_manager_updates_it(package: Path, tmp_path: Path) -> None:
    """``install.toml`` says deb, whatever the folder said."""
    ask("dpkg-deb", "--extract", package, tmp_path / "root")
    told = (tmp_path / "root/usr/lib/waggle/install.toml").read_text("ascii")
    assert told == 'kind = "deb"\n'


def test_the_links_lead_to_the_programs(package: Path, tmp_path: Path) -> None:
    """Relative ones, so that they hold in any root."""
    ask("dpkg-deb", "--extract", package, tmp_path / "root")
    for name in ("waggle", "waggle-app"):
        assert (
            tmp_path / "root/usr/bin" / name
        ).resolve() == tmp_path / "root/usr/lib/waggle" / name


def test_control_tells_what_it_needs(package: Path) -> None:
    """Name, version, processor and the C library."""
    fields = ["Package", "Version", "Architecture", "Depends", "Installed-Size"]
    told = dict(
        line.split(": ", 1) for line in ask("dpkg-deb", "--field", package, *fields).splitlines()
    )
    assert told["Package"] == "waggle"
    assert told["Version"] == "0.1.0"
    assert "libc6 (>= 2." in told["Depends"]
    assert int(told["Installed-Size"]) > 0
    assert package.name == f"waggle_0.1.0_{told['Architecture']}.deb"


def test_nothing_of_it_runs_as_root(package: Path, tmp_path: Path) -> None:
    """No maintainer scripts; triggers of others do the rest."""
    ask("dpkg-deb", "--control", package, tmp_path / "control")
    assert {path.name for path in (tmp_path / "control").iterdir()} == {"control"}


def test_the_same_folder_gives_the_same_bytes(package: Path, folder: Path, tmp_path: Path) -> None:
    """So that whoever doubts a package can build it again."""
    again = build(folder, "0.1.0", tmp_path / "again", "gzip")
    digests = {hashlib.sha256(path.read_bytes()).hexdigest() for path in (package, again)}
    assert len(digests) == 1


@pytest.mark.parametrize("version", ["", "v1", "1.0\nDepends: evil", "1 0", "latest"])
def test_a_version_that_is_none_is_refused(folder: Path, tmp_path: Path, version: str) -> None:
    """It would end up in the control file."""
    with pytest.raises(ValueError, match="no version"):
        build(folder, version, tmp_path / "out")


def test_the_folder_itself_stays_as_it_was(package: Path, folder: Path) -> None:
    """The tarball is made of the same one."""
    assert package.exists()
    assert (folder / "install.toml").read_text("ascii") == 'kind = "tarball"\n'
    assert (folder / "waggle").stat().st_mode & 0o4000


def test_modes_are_made_plain(tmp_path: Path) -> None:
    """Programs stay programs, everything else becomes a plain file."""
    for name, mode in {"run": 0o700, "lib.so": 0o777, "lib.so.1.2": 0o755, "text": 0o600}.items():
        (tmp_path / name).touch()
        (tmp_path / name).chmod(mode)
    make_plain(tmp_path)
    modes = {path.name: path.stat().st_mode & 0o7777 for path in tmp_path.iterdir()}
    assert modes == {"run": 0o755, "lib.so": 0o644, "lib.so.1.2": 0o644, "text": 0o644}
