"""The package names what it needs, and no more."""

from pathlib import Path

import pytest

from installers.linux import depends as module
from installers.linux.depends import PACKAGES, UnknownLibraryError, depends
from installers.linux.elf import Binary


@pytest.fixture
def headers(monkeypatch: pytest.MonkeyPatch) -> dict[str, Binary]:
    """What the headers of the folder's libraries would say: name of a file, and its binary."""
    said: dict[str, Binary] = {}
    monkeypatch.setattr(module, "binaries", lambda _folder: list(said.values()))
    return said


def hold(folder: Path, headers: dict[str, Binary], name: str, *needed: str) -> None:
    """Put a library into ``folder`` that needs others."""
    (folder / name).touch()
    headers[name] = Binary(folder / name, needed, (), (2, 34) if "libc.so.6" in needed else ())


def test_packages_are_named_once_and_sorted(tmp_path: Path, headers: dict[str, Binary]) -> None:
    """Two libraries of one package are one entry; the C library comes with its release."""
    hold(tmp_path, headers, "a.so", "libc.so.6", "libm.so.6", "libGL.so.1")
    hold(tmp_path, headers, "b.so", "libc.so.6", "libGL.so.1")
    assert depends(tmp_path) == ["libc6 (>= 2.34)", "libgl1"]


def test_what_the_folder_holds_is_not_named(tmp_path: Path, headers: dict[str, Binary]) -> None:
    """Nobody is asked to install what is in the package."""
    hold(tmp_path, headers, "a.so", "libGL.so.1")
    hold(tmp_path, headers, "libGL.so.1")
    assert depends(tmp_path) == []


def test_an_unknown_library_stops_the_build(tmp_path: Path, headers: dict[str, Binary]) -> None:
    """A package that would not start is not made; the message names library and user."""
    hold(tmp_path, headers, "a.so", "libmystery.so.4")
    with pytest.raises(UnknownLibraryError, match=r"libmystery\.so\.4 \(for a\.so\)"):
        depends(tmp_path)


def test_what_qt_opens_by_name_is_named_too(tmp_path: Path, headers: dict[str, Binary]) -> None:
    """No header tells of D-Bus; without it there is no tray and no dark desktop."""
    hold(tmp_path, headers, "libQt6DBus.so.6")
    assert depends(tmp_path) == ["libdbus-1-3"]


def test_what_a_library_of_the_folder_reads_is_named(
    tmp_path: Path, headers: dict[str, Binary]
) -> None:
    """Fontconfig without its settings finds no font of the system, and so no Chinese."""
    hold(tmp_path, headers, "libfontconfig.so.1")
    assert depends(tmp_path) == ["fontconfig-config"]


def test_a_package_that_changed_its_name_is_named_both_ways() -> None:
    """Debian 12 has the older name, later ones the newer."""
    assert PACKAGES["libglib-2.0.so.0"] == "libglib2.0-0t64 | libglib2.0-0"
