"""How the programs look in Explorer and in Finder: their icon, and what Windows tells of them."""

import struct
import sys
from pathlib import Path
from typing import Any

SIZES_OF_WINDOWS = (16, 24, 32, 48, 64, 128, 256)
TYPES_OF_MACOS = {128: b"ic07", 256: b"ic08", 512: b"ic09", 1024: b"ic10"}


def icon(drawing: Path, folder: Path) -> str | None:
    """The icon file of this system, made from ``drawing`` (SVG); None where programs have none."""
    if sys.platform == "linux":
        return None
    is_mac = sys.platform == "darwin"
    out = folder / ("waggle.icns" if is_mac else "waggle.ico")
    sizes = TYPES_OF_MACOS if is_mac else SIZES_OF_WINDOWS
    pictures = {size: drawn(drawing, size) for size in sizes}
    out.write_bytes(icns(pictures) if is_mac else ico(pictures))
    return str(out)


def drawn(drawing: Path, size: int) -> bytes:
    """``drawing`` as a square PNG of ``size`` pixels."""
    from PySide6.QtCore import QBuffer, QByteArray, QIODevice
    from PySide6.QtGui import QImage, QPainter
    from PySide6.QtSvg import QSvgRenderer

    image = QImage(size, size, QImage.Format.Format_ARGB32)
    image.fill(0)
    painter = QPainter(image)
    QSvgRenderer(str(drawing)).render(painter)
    painter.end()
    data = QByteArray()
    buffer = QBuffer(data)
    buffer.open(QIODevice.OpenModeFlag.WriteOnly)
    image.save(buffer, "PNG")  # type: ignore[call-overload] # it takes bytes in its types only
    return bytes(data.data())


def ico(pictures: dict[int, bytes]) -> bytes:
    """Windows' icon file of PNG pictures by their size; 256 is written as 0."""
    head = struct.pack("<HHH", 0, 1, len(pictures))
    at = len(head) + 16 * len(pictures)
    for size, png in pictures.items():
        head += struct.pack("<BBBBHHII", size % 256, size % 256, 0, 0, 1, 32, len(png), at)
        at += len(png)
    return head + b"".join(pictures.values())


def icns(pictures: dict[int, bytes]) -> bytes:
    """MacOS' icon file of PNG pictures by their size."""
    parts = [
        TYPES_OF_MACOS[size] + struct.pack(">I", 8 + len(png)) + png
        for size, png in pictures.items()
    ]
    body = b"".join(parts)
    return b"icns" + struct.pack(">I", 8 + len(body)) + body


def version_of_windows(version: str, name: str) -> Any:  # noqa: ANN401 - PyInstaller has no types
    """What the properties of the .exe say; None elsewhere."""
    if sys.platform != "win32":
        return None
    from PyInstaller.utils.win32 import versioninfo as v

    numbers = tuple(map(int, [*version.split("."), "0", "0", "0"][:4]))
    words = {
        "FileDescription": "Waggle" if name == "waggle-app" else "Waggle (command line)",
        "FileVersion": version,
        "OriginalFilename": f"{name}.exe",
        "ProductName": "Waggle",
        "ProductVersion": version,
    }
    table = v.StringTable("040904B0", [v.StringStruct(key, text) for key, text in words.items()])
    return v.VSVersionInfo(
        ffi=v.FixedFileInfo(filevers=numbers, prodvers=numbers),
        kids=[
            v.StringFileInfo([table]),
            v.VarFileInfo([v.VarStruct("Translation", [0x409, 1200])]),
        ],
    )
