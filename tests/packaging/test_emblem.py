"""Icons of Windows and macOS hold the emblem in each size."""

import struct
from importlib import import_module
from pathlib import Path
from types import ModuleType

import pytest

ROOT = Path(__file__).resolve().parents[2]
PNG = b"\x89PNG\r\n\x1a\n"


@pytest.fixture
def emblem(monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    monkeypatch.syspath_prepend(str(ROOT / "packaging"))
    return import_module("emblem")


def test_windows_finds_each_picture(emblem: ModuleType) -> None:
    """At the place that the directory of the file says."""
    drawing = ROOT / "resources" / "icons" / "waggle.svg"
    data = emblem.ico({size: emblem.drawn(drawing, size) for size in (16, 256)})
    assert struct.unpack_from("<HHH", data) == (0, 1, 2)
    for at, written, size in ((6, 16, 16), (22, 0, 256)):
        width, *_, length, offset = struct.unpack_from("<BBBBHHII", data, at)
        assert width == written
        assert data[offset : offset + 8] == PNG
        assert struct.unpack_from(">II", data, offset + 16) == (size, size)
        assert offset + length <= len(data)


def test_macos_finds_each_picture(emblem: ModuleType) -> None:
    """One behind the other, each with its length before it."""
    data = emblem.icns({128: PNG + b"a", 1024: PNG + b"bc"})
    assert data[:8] == b"icns" + struct.pack(">I", len(data))
    assert data[8:12] == b"ic07"
    (first,) = struct.unpack_from(">I", data, 12)
    assert data[8 + first : 12 + first] == b"ic10"
    assert data.endswith(PNG + b"bc")
