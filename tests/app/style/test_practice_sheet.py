"""The part of the sheet for the page."""

import pytest
from pytestqt.qtbot import QtBot

from app.style.practice_sheet import practice_sheet
from app.style.theme import DARK, LIGHT, Palette


@pytest.mark.parametrize("palette", [LIGHT, DARK])
def test_its_colours_are_those_of_the_palette(palette: Palette, qtbot: QtBot) -> None:
    """Verdicts and focus rings follow light and dark; no placeholder is left."""
    assert qtbot
    sheet = practice_sheet(palette)
    for colour in (palette.good, palette.trouble, palette.mine, palette.focus):
        assert colour in sheet
    assert "{c." not in sheet
    assert sheet.count("{") == sheet.count("}")
