"""What all charts share."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from PySide6.QtCore import Qt

from app import theme
from app.charts import percent, score_marks, small_font, step


@given(st.floats(0, 1))
def test_the_axis_holds_every_point(highest: float) -> None:
    """The marks rise from 0, end above the highest point, and are few."""
    marks = score_marks(highest)
    assert marks[0] == 0
    assert marks == sorted(marks)
    assert len(marks) <= 6
    assert marks[-1] >= highest - 1e-9


def test_a_percent_sign_stays_with_its_number() -> None:
    """No line ends between the two."""
    assert percent(0.314) == "31\u00a0%"


def test_figures_are_small() -> None:
    """Along an axis they are read after the curve."""
    assert small_font().pixelSize() == theme.TEXT_SMALL


@pytest.mark.parametrize(
    ("key", "at", "place"),
    [
        (Qt.Key.Key_Left, 3, 2),
        (Qt.Key.Key_Left, 0, 0),
        (Qt.Key.Key_Right, 9, 9),
        (Qt.Key.Key_Up, 3, 0),
        (Qt.Key.Key_Home, 5, 0),
        (Qt.Key.Key_End, 5, 9),
        (Qt.Key.Key_A, 5, None),
    ],
)
def test_a_key_leads_to_a_place_of_the_chart(key: Qt.Key, at: int, place: int | None) -> None:
    """Never beyond its ends; and nowhere where there is nothing."""
    leaps = {Qt.Key.Key_Up: -7}
    assert step(key, at, 9, leaps) == place
    assert step(key, at, -1, leaps) is None
