"""A picture is there as a whole, or not at all."""

from pathlib import Path

from PySide6.QtGui import QImage

from app.pages.contribution.saving import save_picture


def blank(colour: str = "white") -> QImage:
    made = QImage(12, 6, QImage.Format.Format_RGB32)
    made.fill(colour)
    return made


def test_a_picture_is_written_whole(tmp_path: Path) -> None:
    """In place of an older one, as PNG whatever the name says; nothing else is left there."""
    path = tmp_path / "mine.png"
    path.write_bytes(b"an older picture")
    assert save_picture(blank("red"), path) == ""
    assert path.read_bytes().startswith(b"\x89PNG")
    assert QImage(str(path)) == blank("red")
    assert list(tmp_path.iterdir()) == [path]


def test_a_picture_that_cannot_be_written_is_explained(tmp_path: Path) -> None:
    """What is there stays."""
    assert save_picture(blank(), tmp_path / "nowhere" / "mine.png")
    assert save_picture(blank(), tmp_path)
    assert tmp_path.is_dir()
