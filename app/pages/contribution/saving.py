"""Writes a picture in one step."""

from pathlib import Path

from PySide6.QtCore import QByteArray, QSaveFile
from PySide6.QtGui import QImage, QImageWriter


def save_picture(picture: QImage, path: Path) -> str:
    """Write ``picture`` as PNG; returns why that could not be done, or nothing.

    What was there before stays until the new one is whole.
    """
    file = QSaveFile(str(path))
    if not file.open(QSaveFile.OpenModeFlag.WriteOnly):
        return file.errorString()
    writer = QImageWriter(file, QByteArray(b"png"))
    if not writer.write(picture):
        return writer.errorString()
    return "" if file.commit() else file.errorString()
