"""Names that can be read, colours that can be told apart."""

import sys
from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.errors import LabError
from core.lab.learning import canvas

HEIGHTS = st.lists(st.floats(0, 1), min_size=1, max_size=12)


@given(HEIGHTS, st.floats(0.01, 0.08))
def test_names_keep_their_distance_their_order_and_the_picture(
    wanted: list[float], gap: float
) -> None:
    """Up to as many as there is room for."""
    places = canvas.spread(wanted, gap)
    ordered = sorted(places)
    assert all(b - a >= gap - 1e-9 for a, b in pairwise(ordered))
    assert ordered[0] >= -1e-9
    assert ordered[-1] <= 1 + 1e-9
    ranks = sorted(range(len(wanted)), key=wanted.__getitem__)
    assert [places[i] for i in ranks] == ordered


def test_names_that_are_far_enough_apart_are_not_moved() -> None:
    """Each stands at the end of its line."""
    assert canvas.spread([0.9, 0.1, 0.5], 0.2) == pytest.approx([0.9, 0.1, 0.5])


def test_two_names_in_the_same_place_both_give_way() -> None:
    """By half the gap each."""
    assert canvas.spread([0.5, 0.5], 0.1) == pytest.approx([0.45, 0.55])


def test_twenty_arms_look_different() -> None:
    """By colour, and then by line and mark; the baseline is black."""
    used = canvas.styles([f"arm {number}" for number in range(20)])
    assert len(set(used.values())) == 20
    assert used["arm 0"].colour == "#000000"


def test_without_matplotlib_a_person_is_told_what_to_install(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The lab's other parts work without it."""
    monkeypatch.setitem(sys.modules, "matplotlib.figure", None)
    with pytest.raises(LabError, match="package matplotlib"):
        canvas.sheet(4, 3)


def test_names_at_line_ends_never_hide_each_other() -> None:
    """Nine lines that end in one point have nine names that can be read."""
    matplotlib_text = pytest.importorskip("matplotlib.text")
    drawn = canvas.sheet(9, 5)
    axes = drawn.add_subplot()
    axes.plot([0, 1], [0, 0.4])
    names = [f"arm {number}" for number in range(9)]
    canvas.label_ends(axes, dict.fromkeys(names, (1.0, 0.4)), canvas.styles(names))
    drawn.draw_without_rendering()
    boxes = [matplotlib_text.Text.get_window_extent(text) for text in axes.texts]  # less the hair
    assert len(boxes) == 9
    assert not any(a.overlaps(b) for i, a in enumerate(boxes) for b in boxes[:i])
    assert all(box.x1 <= drawn.bbox.x1 for box in boxes)


def test_the_same_picture_is_the_same_file(tmp_path: Path) -> None:
    """Results in version control change only where figures do."""
    pytest.importorskip("matplotlib")
    paths = [tmp_path / "a.png", tmp_path / "b.png"]
    for path in paths:
        drawn = canvas.sheet(4, 3)
        canvas.dress(drawn.add_subplot(), "title", "rounds", "share")
        canvas.save(drawn, path)
    assert paths[0].read_bytes() == paths[1].read_bytes()
    assert paths[0].read_bytes().startswith(b"\x89PNG")
