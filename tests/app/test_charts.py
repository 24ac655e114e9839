"""What all charts share."""

from hypothesis import given
from hypothesis import strategies as st

from app import theme
from app.charts import percent, score_marks, small_font


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
