"""The part of the sheet for the page."""

import pytest

from app.home.style import home_sheet
from app.theme import DARK, LIGHT, Palette


@pytest.mark.parametrize("palette", [LIGHT, DARK])
def test_the_sheet_wears_the_palette(palette: Palette) -> None:
    """Its colours, and no placeholder left."""
    sheet = home_sheet(palette)
    assert palette.text in sheet
    assert "{c." not in sheet
    assert "{t." not in sheet
