"""Colours and marks of the skill map."""

from itertools import pairwise

import pytest
from PySide6.QtCore import QRectF
from PySide6.QtGui import QColor, QImage, QPainter
from PySide6.QtWidgets import QApplication

from app.pages.practice.skill_drawing import colour_of, draw_cell, ink_on
from app.pages.practice.skill_map_model import MapCell
from app.style.theme import PALETTES, Palette
from tests.app.contrast import contrast, luminance

EVERY = [palette for pair in PALETTES.values() for palette in pair.values()]
SHARES = [part / 100 for part in range(101)]


@pytest.mark.parametrize("palette", EVERY)
def test_more_is_always_further_from_the_ground(palette: Palette) -> None:
    """By lightness alone, which every kind of colour blindness leaves; darker on light cards."""
    lights = [luminance(colour_of(share, palette)) for share in SHARES]
    sign = -1 if luminance(QColor(palette.ground)) > 0.5 else 1
    assert all(sign * (after - before) >= 0 for before, after in pairwise(lights))
    quarters = lights[::25]
    assert all((max(p) + 0.05) / (min(p) + 0.05) > 1.25 for p in pairwise(quarters))


@pytest.mark.parametrize("palette", EVERY)
def test_numbers_can_be_read_on_every_share(palette: Palette) -> None:
    """4.5 : 1, as WCAG 2.2 AA asks of text."""
    for share in SHARES:
        ground = colour_of(share, palette)
        assert contrast(ink_on(ground), ground) >= 4.5


def test_beyond_the_scale_are_its_ends() -> None:
    """Rounding never takes a colour from nowhere."""
    palette = EVERY[0]
    assert colour_of(-0.01, palette) == QColor(palette.solved[0])
    assert colour_of(1.01, palette) == QColor(palette.solved[-1])


def drawn(cell: MapCell, palette: Palette) -> QImage:
    picture = QImage(48, 26, QImage.Format.Format_RGB32)
    picture.fill(QColor(palette.surface))
    painter = QPainter(picture)
    draw_cell(painter, QRectF(0, 0, 48, 26), cell, palette)
    painter.end()
    return picture


def cell(
    now: float | None, base: float | None = None, *, is_open: bool = True, ahead: bool = False
) -> MapCell:
    return MapCell("gcd", 1, "", now, base, is_open, ahead, ())


@pytest.mark.parametrize("palette", EVERY)
def test_whatever_is_told_is_seen(qapp: QApplication, palette: Palette) -> None:
    """Now, before, the swarm, what is not practised and what is unknown all look otherwise."""
    assert qapp
    cells = (
        cell(0.6),
        cell(0.6, 0.2),
        cell(0.6, ahead=True),
        cell(0.6, is_open=False),
        cell(None),
        cell(None, is_open=False),
    )
    pictures = [drawn(one, palette) for one in cells]
    for at, picture in enumerate(pictures):
        assert all(picture != other for other in pictures[:at])
    before = drawn(cell(0.6, 0.2), palette)
    assert before.pixelColor(5, 5) == colour_of(0.2, palette)
    assert before.pixelColor(12, 5) == colour_of(0.6, palette)
