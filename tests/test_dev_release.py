"""Packaging: what goes into the tarball, and that the same content is the same file."""

import sys
import tarfile
from pathlib import Path

import pytest

import dev_release
from core.updates.releases import read_package, this_platform
from dev_system import CONSTRAINTS
from tests.fake_checkout import FakeTools


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A small frozen app in a project of its own."""
    monkeypatch.setattr(dev_release, "ROOT", tmp_path)
    monkeypatch.setattr(dev_release, "DIST", tmp_path)
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "1700000000")
    folder = tmp_path / "waggle"
    (folder / "_internal").mkdir(parents=True)
    (folder / "waggle").write_text("#!/bin/sh\n")
    (folder / "waggle").chmod(0o775)
    (folder / "_internal" / "b").write_bytes(b"b" * 9)
    (folder / "_internal" / "b").chmod(0o666)
    (folder / "_internal" / "a").symlink_to("b")
    scripts = tmp_path / "installers" / "linux"
    scripts.mkdir(parents=True)
    (scripts / "install.sh").write_text("#!/bin/sh\n")
    (scripts / "install.sh").chmod(0o755)
    return folder


def test_the_tarball_is_one_folder_that_is_roots(folder: Path) -> None:
    """In order, with plain modes, and with the scripts that install it."""
    with tarfile.open(dev_release.tarball(folder, "0.1.0")) as archive:
        entries = archive.getmembers()
    assert [entry.name for entry in entries] == [
        "waggle",
        "waggle/_internal",
        "waggle/_internal/a",
        "waggle/_internal/b",
        "waggle/install.sh",
        "waggle/waggle",
    ]
    assert {(entry.uid, entry.gid, entry.mtime) for entry in entries} == {(0, 0, 1_700_000_000)}
    modes = {entry.name: entry.mode for entry in entries if entry.isfile()}
    assert modes == {
        "waggle/_internal/b": 0o644,
        "waggle/install.sh": 0o755,
        "waggle/waggle": 0o755,
    }


@pytest.mark.parametrize("machine", ["x86_64", "aarch64", "arm64"])
def test_whoever_looks_for_the_tarball_finds_it(
    folder: Path, monkeypatch: pytest.MonkeyPatch, machine: str
) -> None:
    """Under the one name of its machine, whatever a system calls it."""
    monkeypatch.setattr("platform.machine", lambda: machine)
    package = read_package(dev_release.tarball(folder, "0.1.0").name)
    assert package is not None
    assert package.platform == this_platform()


def test_the_same_content_is_the_same_file(folder: Path) -> None:
    """Whenever its files were touched."""
    first = dev_release.tarball(folder, "0.1.0").read_bytes()
    (folder / "waggle").touch()
    assert dev_release.tarball(folder, "0.1.0").read_bytes() == first


def test_a_link_weighs_nothing(folder: Path) -> None:
    """The size that is told is that of what was unpacked."""
    assert dev_release.size_of(folder) == len("#!/bin/sh\n") + 9


def test_the_version_is_the_projects() -> None:
    """The one that the program tells, too."""
    from core.version import VERSION

    assert dev_release.project_version() == VERSION


def test_an_argument_is_a_mistake(capsys: pytest.CaptureFixture[str]) -> None:
    """Nothing is made then."""
    assert dev_release.command_package(["--fast"]) == 2
    assert "takes no arguments" in capsys.readouterr().out


def test_all_that_is_shipped_is_pinned() -> None:
    """PyInstaller and its hooks decide what is in the app, so they are inputs like the rest."""
    pins = CONSTRAINTS.read_text(encoding="utf-8")
    for name in ("pyinstaller==", "pyinstaller-hooks-contrib==", "torch==", "llama-cpp-python=="):
        assert f"\n{name}" in pins


@pytest.mark.skipif(sys.platform == "win32", reason="the fake pip is a shell script")
def test_another_pin_of_llama_is_compiled(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A wheel that was kept is that of its pin, and is made once."""
    tools = FakeTools(tmp_path / "bin")
    note = f'echo "$*" >> {tools.log}'
    tools.write("pip", f'[ "$1" != wheel ] || {{ {note}; mkdir -p "$7"; touch "$7/$8.whl"; }}')
    constraints = tmp_path / "constraints.txt"
    for name, place in {
        "SCRIPTS": tools.folder,
        "WHEELS": tmp_path / "wheels",
        "CONSTRAINTS": constraints,
    }.items():
        monkeypatch.setattr(dev_release, name, place)
    for pin in ("1", "1", "2"):
        constraints.write_text(f"{dev_release.LLAMA}=={pin}\n", encoding="utf-8")
        dev_release._install_llama()  # noqa: SLF001 - all before it takes minutes
    made = [call.split()[-1] for call in tools.calls()]
    assert made == [f"{dev_release.LLAMA}=={pin}" for pin in ("1", "2")]
