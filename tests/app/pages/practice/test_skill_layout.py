"""Where the parts of the skill map stand."""

from hypothesis import given
from hypothesis import strategies as st
from PySide6.QtCore import QPointF

from app.pages.practice.skill_layout import MOST_PANELS, SkillLayout, panels_in

LAYOUTS = st.builds(
    SkillLayout,
    width=st.floats(480, 2_000),
    rows=st.integers(1, 200),
    columns=st.integers(1, 9),
    panels=st.integers(1, 1),
    top=st.floats(0, 100),
) | st.builds(
    SkillLayout,
    width=st.floats(1_500, 2_500),
    rows=st.integers(1, 200),
    columns=st.integers(1, 9),
    panels=st.integers(1, MOST_PANELS),
    top=st.floats(0, 100),
)


@given(LAYOUTS, st.data())
def test_every_cell_is_found_where_it_is_drawn(layout: SkillLayout, data: st.DataObject) -> None:
    """And stands inside, to the right of its title."""
    row = data.draw(st.integers(0, layout.rows - 1))
    column = data.draw(st.integers(0, layout.columns - 1))
    cell = layout.cell((row, column))
    assert layout.place_at(cell.center()) == (row, column)
    assert cell.left() >= layout.title(row).right()
    assert layout.title(row).width() > 100
    assert cell.right() <= layout.width + 0.01
    assert cell.bottom() <= layout.top + layout.height + 0.01


def test_between_cells_there_is_none() -> None:
    """Titles, heads and what is below the last row."""
    layout = SkillLayout(600, 3, 5, 1)
    assert layout.place_at(layout.title(1).center()) is None
    assert layout.place_at(layout.head(0, 1).center()) is None
    below = QPointF(layout.cell((2, 0)).center().x(), layout.height + 5)
    assert layout.place_at(below) is None


def test_rows_run_on_in_the_next_panel() -> None:
    """The last may be shorter."""
    layout = SkillLayout(1_200, 5, 5, 2)
    assert layout.cell((0, 0)).top() == layout.cell((3, 0)).top()
    assert layout.cell((0, 0)).left() < layout.cell((3, 0)).left()
    assert layout.place_at(layout.cell((5, 0)).center()) is None


def test_there_are_as_many_panels_as_can_be_read() -> None:
    """One in the smallest window, two in a large one, and never more than three."""
    assert [panels_in(width) for width in (300, 640, 1_180, 1_700, 9_000)] == [1, 1, 2, 3, 3]
