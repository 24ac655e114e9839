"""How this Waggle came onto the computer."""

import os
import sys
from pathlib import Path

import pytest

from core.updates.installation import (
    NOTE,
    Installation,
    installation_at,
    obstacle,
    this_installation,
)


def test_a_checkout_is_a_checkout() -> None:
    """And is never touched."""
    here = this_installation()
    assert here.kind == "source"
    assert (here.place / "core").is_dir()
    assert obstacle(here) == "source"


@pytest.mark.parametrize("kind", ["tarball", "deb", "inno", "dmg"])
def test_the_note_says_what_it_is(tmp_path: Path, kind: str) -> None:
    """It lies beside the executables."""
    (tmp_path / NOTE).write_text(f'kind = "{kind}"\n')
    assert installation_at(tmp_path) == Installation(kind, tmp_path)  # type: ignore[arg-type]  # one of them


@pytest.mark.parametrize("data", [None, b"", b'kind = "floppy"', b"\x00", b'kind = "\xff"'])
def test_without_a_note_nobody_updates_it(tmp_path: Path, data: bytes | None) -> None:
    """Rather than to guess."""
    if data is not None:
        (tmp_path / NOTE).write_bytes(data)
    assert installation_at(tmp_path).kind == "source"


def test_a_bundle_is_replaced_as_a_whole(tmp_path: Path) -> None:
    """On macOS the executables lie deep inside."""
    inside = tmp_path / "Waggle.app" / "Contents" / "MacOS"
    inside.mkdir(parents=True)
    resources = inside.parent / "Resources"
    resources.mkdir()
    (resources / NOTE).write_text('kind = "dmg"\n')
    found = installation_at(inside)
    assert found.kind == "dmg"
    assert found.place == tmp_path / "Waggle.app"
    assert found.console().parent == inside
    assert found.window(tmp_path / "new").is_relative_to(tmp_path / "new" / "Contents")


def test_a_package_of_the_system_is_left_to_the_system(tmp_path: Path) -> None:
    """Whoever may write there."""
    assert obstacle(Installation("deb", tmp_path)) == "system"


@pytest.mark.skipif(sys.platform == "win32", reason="modes mean little there")
def test_a_folder_of_somebody_else_is_locked(tmp_path: Path) -> None:
    """The folder around it counts, too, since folders are renamed."""
    place = tmp_path / "waggle"
    place.mkdir()
    assert obstacle(Installation("tarball", place)) == "none"
    place.chmod(0o555)
    try:
        expected = "none" if os.access(place, os.W_OK) else "locked"  # root may everything
        assert obstacle(Installation("tarball", place)) == expected
    finally:
        place.chmod(0o755)


def test_a_missing_folder_is_locked(tmp_path: Path) -> None:
    """There is nothing to replace."""
    assert obstacle(Installation("tarball", tmp_path / "gone")) == "locked"
