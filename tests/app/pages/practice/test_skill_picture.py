"""The picture that people send around."""

import pytest
from PySide6.QtWidgets import QApplication

from app.pages.practice.skill_map_model import skill_map_model
from app.pages.practice.skill_picture import SCALE, draw_skill_picture
from app.style.theme import DARK, LIGHT, Palette
from tests.app.pages.practice.samples import skills


@pytest.mark.parametrize("palette", [LIGHT, DARK])
def test_it_is_drawn_in_both_palettes_and_nothing_reaches_the_edge(
    qapp: QApplication, palette: Palette
) -> None:
    """However long the model's name is."""
    assert qapp
    picture = draw_skill_picture(skill_map_model(skills(), "Spark " * 60), palette)
    width, height = picture.width(), picture.height()
    edges = {(x, y) for x in (0, 20 * SCALE, width - 20 * SCALE) for y in range(0, height, 3)}
    edges |= {(x, y) for x in range(0, width, 3) for y in (0, 20 * SCALE, height - 20 * SCALE)}
    assert {picture.pixelColor(x, y).name() for x, y in edges} == {palette.surface.lower()}
    seen = {
        picture.pixelColor(x, y).name() for x in range(0, width, 4) for y in range(0, height, 4)
    }
    assert palette.text.lower() in seen
    assert len(seen) > 20
