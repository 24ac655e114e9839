"""The tokens reach Qt."""

import re

import pytest
from PySide6.QtGui import QPalette
from PySide6.QtWidgets import QWidget
from pytestqt.qtbot import QtBot

from app.style.stylesheet import qt_palette, style_sheet
from app.style.theme import DARK, LIGHT, Palette


@pytest.mark.parametrize("colours", [LIGHT, DARK], ids=["light", "dark"])
def test_the_sheet_is_whole(qtbot: QtBot, colours: Palette) -> None:
    """No placeholder is left over, braces pair up, and Qt parses it without a warning."""
    sheet = style_sheet(colours)
    assert not re.search(r"\{[ct]\.|\{tick", sheet)
    assert sheet.count("{") == sheet.count("}")
    part = QWidget()  # not the application: it would dress the tests after this one
    qtbot.addWidget(part)
    part.setStyleSheet(sheet)
    part.ensurePolished()


def test_nothing_is_pulled_out_of_its_place() -> None:
    """Qt draws no widget beyond its edge: what a negative margin moves there is cut off."""
    assert not re.findall(r"margin[^;]*-\d", style_sheet(LIGHT))


def test_all_colours_of_the_sheet_are_tokens() -> None:
    """A colour that is in no palette would be wrong in one of the two."""
    known = {getattr(LIGHT, name) for name in LIGHT.__slots__}
    assert set(re.findall(r"#[0-9A-Fa-f]{6}", style_sheet(LIGHT))) <= known


def test_fusion_gets_the_same_colours() -> None:
    """What Fusion paints itself stands on the same ground."""
    assert qt_palette(DARK).color(QPalette.ColorRole.Window).name().upper() == DARK.ground


@pytest.mark.parametrize("palette", [LIGHT, DARK])
def test_its_colours_are_those_of_the_palette(palette: Palette, qtbot: QtBot) -> None:
    """Verdicts and focus rings follow light and dark."""
    assert qtbot
    sheet = style_sheet(palette)
    for colour in (palette.good, palette.trouble, palette.mine, palette.focus):
        assert colour in sheet
