"""What the marks mean is written beside them."""

import pytest
from PySide6.QtGui import QColor, QImage, QPainter
from PySide6.QtWidgets import QApplication

from app.pages.practice.skill_legend import draw_legend, legend_in
from app.style.theme import DARK, LIGHT, Palette


@pytest.mark.usefixtures("qapp")
def test_it_takes_as_many_lines_as_it_needs() -> None:
    """Every mark has words; a narrow map has a higher legend."""
    wide, narrow = legend_in(2_000), legend_in(320)
    assert [item.words for item in wide.items] == [item.words for item in narrow.items]
    assert all(item.words for item in wide.items)
    assert {item.top for item in wide.items} == {0.0}
    assert narrow.height > wide.height


@pytest.mark.parametrize("palette", [LIGHT, DARK])
def test_it_is_drawn_in_every_palette(qapp: QApplication, palette: Palette) -> None:
    """With both ends of the scale."""
    assert qapp
    picture = QImage(900, 30, QImage.Format.Format_RGB32)
    picture.fill(QColor(palette.surface))
    painter = QPainter(picture)
    draw_legend(painter, legend_in(900), palette)
    painter.end()
    colours = {picture.pixelColor(x, 12).name() for x in range(900)}
    assert {palette.solved[0].lower(), palette.solved[-1].lower()} <= colours
