"""Line icons in the palette's colours."""

from pathlib import Path

import pytest
from PySide6.QtCore import QSize
from PySide6.QtGui import QIcon, QImage
from PySide6.QtWidgets import QApplication

from app.style.icons import ICONS, line_icon

LINES = sorted(
    path.relative_to(ICONS).with_suffix("").as_posix()
    for path in ICONS.rglob("*.svg")
    if "currentColor" in path.read_text(encoding="utf-8")
)
SIZE = 96


def drawn(icon: QIcon, state: QIcon.State = QIcon.State.Off) -> QImage:
    return icon.pixmap(QSize(SIZE, SIZE), QIcon.Mode.Normal, state).toImage()


def colours(image: QImage) -> set[str]:
    points = ((x, y) for x in range(image.width()) for y in range(image.height()))
    return {
        image.pixelColor(x, y).name() for x, y in points if image.pixelColor(x, y).alpha() == 255
    }


@pytest.mark.parametrize("name", LINES)
def test_an_icon_wears_the_colour_that_it_is_given(qapp: QApplication, name: str) -> None:
    """Another one while it is chosen, and nothing else but these."""
    assert qapp
    icon = line_icon(name, "#112233", "#445566")
    assert colours(drawn(icon)) == {"#112233"}
    assert colours(drawn(icon, QIcon.State.On)) == {"#445566"}


@pytest.mark.parametrize("name", LINES)
def test_an_icon_fills_its_square_and_is_not_cut_off(qapp: QApplication, name: str) -> None:
    """All of them look as large as each other beside their words."""
    assert qapp
    image = drawn(line_icon(name, "#000000", "#000000"))
    inked = [
        (x, y)
        for x in range(image.width())
        for y in range(image.height())
        if image.pixelColor(x, y).alpha() > 0
    ]
    columns, rows = [x for x, _ in inked], [y for _, y in inked]
    assert max(max(columns) - min(columns), max(rows) - min(rows)) >= 60
    assert min(*columns, *rows) > 0
    assert max(*columns, *rows) < SIZE - 1


def test_a_missing_icon_is_an_error() -> None:
    """It would be an invisible button."""
    with pytest.raises(FileNotFoundError):
        line_icon(str(Path("pages") / "attic"), "#000000", "#000000")
