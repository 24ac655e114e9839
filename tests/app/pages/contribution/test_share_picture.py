"""The picture for sharing is drawn in full."""

from dataclasses import replace

import pytest
from PySide6.QtGui import QColor, QImage
from PySide6.QtWidgets import QApplication

from app.pages.contribution.share_picture import SIZE, draw_picture
from app.pages.contribution.share_words import share_words
from app.style.theme import DARK, LIGHT, Palette
from tests.app.pages.contribution.samples import EVERY, MONTH, YEARS

MARGIN = 40  # px in which nothing may stand


def edge_colours(picture: QImage) -> set[str]:
    """Of the right margin, where a text that is too long would stick out."""
    left = SIZE.width() - MARGIN
    return {
        QColor(picture.pixel(x, y)).name()
        for x in range(left, SIZE.width(), 2)
        for y in range(SIZE.height())
    }


@pytest.mark.usefixtures("qapp")
@pytest.mark.parametrize("palette", [LIGHT, DARK])
@pytest.mark.parametrize("name", ["one", "month", "years", "old"])
def test_it_is_drawn_for_every_history_in_both_palettes(name: str, palette: Palette) -> None:
    """As large as sites want it, in the palette's colours, and nothing reaches the edge."""
    picture = draw_picture(share_words(EVERY[name]), palette)
    assert picture.size() == SIZE
    assert QColor(picture.pixel(2, 2)).name() == palette.surface.lower()
    assert edge_colours(picture) == {palette.surface.lower()}
    drawn = {QColor(picture.pixel(x, 500)).name() for x in range(0, SIZE.width(), 2)}
    assert palette.accent.lower() in drawn  # bars


def test_long_words_become_smaller(qapp: QApplication) -> None:
    """Other languages and great figures need more room; they stay inside."""
    assert qapp
    words = share_words(YEARS)
    long = replace(words, headline=words.headline * 3, name="very-long-name" * 5)
    picture = draw_picture(long, LIGHT)
    assert edge_colours(picture) == {LIGHT.surface.lower()}


def test_another_name_is_another_picture(qapp: QApplication) -> None:
    """The made-up name is on it."""
    assert qapp
    words = share_words(MONTH)
    assert draw_picture(words, LIGHT) == draw_picture(words, LIGHT)
    assert draw_picture(words, LIGHT) != draw_picture(replace(words, name="jolly-lark-11"), LIGHT)
