"""Where the window was: kept, read with suspicion, and never off the screen."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from PySide6.QtCore import QPoint, QRect, QSize
from PySide6.QtWidgets import QWidget
from pytestqt.qtbot import QtBot

from app.shell.geometry import (
    FILE,
    GRIP,
    MOST_BYTES,
    WindowGeometry,
    geometry_of,
    keep_geometry,
    load_geometry,
    place_on,
    restore,
)
from core.paths import Home

KEPT = WindowGeometry(x=40, y=50, width=1_000, height=700, maximised=True, page="swarm")
LEFT, RIGHT = QRect(0, 30, 1_920, 1_050), QRect(1_920, 0, 1_280, 1_024)
NUMBERS = st.integers(-5_000, 5_000)


@pytest.fixture
def window(qtbot: QtBot) -> QWidget:
    made = QWidget()
    qtbot.addWidget(made)
    return made


def test_what_is_kept_comes_back(home: Home) -> None:
    """All of it."""
    keep_geometry(home, KEPT)
    assert load_geometry(home) == KEPT


def test_at_first_there_is_nothing(home: Home) -> None:
    """The window then opens as it is made."""
    assert load_geometry(home) is None


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"\xff\xfe",
        b"[]",
        b'{"x":1,"y":1,"width":9}',
        b'{"x":1,"y":1,"width":900,"height":"600"}',
        b'{"x":1,"y":1,"width":900,"height":600,"page":"attic"}',
        b'{"x":1,"y":1,"width":900,"height":600,"colour":"red"}',
        b'{"x":1e9,"y":1,"width":900,"height":600}',
        b'{"x":1,"y":1,"width":0,"height":600}',
        b" " * MOST_BYTES + b'{"x":1,"y":1,"width":900,"height":600}',
    ],
)
def test_what_is_broken_is_ignored(home: Home, data: bytes) -> None:
    """Half a file, other types, unknown names, absurd numbers and endless ones."""
    (home.root / FILE).write_bytes(data)
    assert load_geometry(home) is None


@given(st.binary(max_size=200))
def test_no_bytes_do_harm(tmp_path_factory: pytest.TempPathFactory, data: bytes) -> None:
    """Whatever is in the file, it is a geometry or nothing."""
    home = Home(tmp_path_factory.getbasetemp())
    (home.root / FILE).write_bytes(data)
    found = load_geometry(home)
    assert found is None or isinstance(found, WindowGeometry)


def test_a_home_that_cannot_be_written_does_not_hold_the_window(home: Home) -> None:
    """Losing it costs nothing."""
    (home.root / FILE).mkdir()
    keep_geometry(home, KEPT)
    assert load_geometry(home) is None


def test_a_home_that_was_emptied_stays_empty(tmp_path: Path) -> None:
    """Whoever removed everything finds nothing afterwards."""
    keep_geometry(Home(tmp_path), KEPT)
    assert list(tmp_path.iterdir()) == []


def test_a_window_stays_where_it_was() -> None:
    """On either screen, and also where a part of it sticks out."""
    for x, y in ((40, 50), (2_000, 10), (1_500, 600)):
        wanted = QRect(x, y, 1_000, 700)
        assert place_on([LEFT, RIGHT], wanted) == wanted


def test_a_window_on_a_screen_that_is_gone_opens_anew() -> None:
    """As does one whose top could not be dragged back: above, below, or beside all screens."""
    assert place_on([LEFT], QRect(2_000, 10, 1_000, 700)) is None
    assert place_on([LEFT], QRect(40, -400, 1_000, 700)) is None
    assert place_on([LEFT], QRect(40, 1_075, 1_000, 700)) is None
    assert place_on([LEFT], QRect(-950, 50, 1_000, 700)) is None
    assert place_on([], QRect(40, 50, 1_000, 700)) is None


def test_a_window_is_no_larger_than_its_screen() -> None:
    """It may have been left on a larger one of the same place."""
    assert place_on([RIGHT], QRect(1_920, 0, 3_000, 2_000)) == RIGHT


def test_a_window_that_would_shrink_away_from_a_screen_is_not_put_there() -> None:
    """Its far end reached the right screen, but cut to the size of that one it would not."""
    assert place_on([LEFT, RIGHT], QRect(0, 0, 2_040, 700)) is None


@given(st.builds(QRect, NUMBERS, NUMBERS, st.integers(1, 5_000), st.integers(1, 5_000)))
def test_a_restored_window_can_be_reached(wanted: QRect) -> None:
    """Enough of its top is on one screen, and it fits that screen."""
    placed = place_on([LEFT, RIGHT], wanted)
    if placed is not None:
        top = QRect(placed.topLeft(), QSize(placed.width(), GRIP.height()))
        seen = [screen.intersected(top) for screen in (LEFT, RIGHT)]
        assert any(part.width() >= GRIP.width() and part.height() == GRIP.height() for part in seen)
        assert placed.width() <= wanted.width()
        assert placed.height() <= wanted.height()


def test_a_window_is_described_as_it_stands(window: QWidget) -> None:
    """Place, size and page."""
    window.setGeometry(20, 30, 300, 200)
    assert geometry_of(window, "models") == WindowGeometry(
        x=20, y=30, width=300, height=200, page="models"
    )


def test_a_window_is_put_where_it_was(window: QWidget, home: Home) -> None:
    """In place and size; a maximised one is maximised, with its smaller size behind it."""
    assert restore(window, home) == "home"
    keep_geometry(home, WindowGeometry(x=20, y=30, width=300, height=200, page="models"))
    assert restore(window, home) == "models"
    assert (window.pos(), window.size()) == (QPoint(20, 30), QSize(300, 200))
    assert not window.isMaximized()
    keep_geometry(home, WindowGeometry(x=20, y=30, width=300, height=200, maximised=True))
    restore(window, home)
    assert window.isMaximized()


def test_an_unreachable_place_is_not_taken(window: QWidget, home: Home) -> None:
    """The window keeps the size that it was made with."""
    window.resize(500, 400)
    keep_geometry(home, WindowGeometry(x=90_000, y=30, width=300, height=200))
    restore(window, home)
    assert window.size() == QSize(500, 400)
