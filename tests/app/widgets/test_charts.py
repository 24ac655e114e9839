"""What all charts share."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from PySide6.QtCore import Qt
from PySide6.QtGui import QColor, QImage, QPainter
from PySide6.QtWidgets import QWidget
from pytestqt.qtbot import QtBot

from app.style.theme import LIGHT
from app.widgets.charts import draw_focus_ring, score_marks, step


@given(st.lists(st.floats(0, 1), min_size=1))
def test_the_axis_holds_every_point(shares: list[float]) -> None:
    """The marks rise from below the lowest point to above the highest, in [0, 1], and are few."""
    marks = score_marks(min(shares), max(shares))
    assert 0 <= marks[0] <= min(shares) + 1e-9
    assert max(shares) - 1e-9 <= marks[-1] <= 1
    assert marks == sorted(set(marks))
    assert len(marks) <= 6
    assert marks[-1] - marks[0] >= 0.1 - 1e-9


def test_a_rise_by_a_few_points_is_seen() -> None:
    """Of a model that knew much at first; a model that knows nothing yet begins at 0."""
    assert score_marks(0.37, 0.42) == [0.36, 0.38, 0.40, 0.42, 0.44, 0.46]
    assert score_marks(0.12, 0.31) == [0.1, 0.15, 0.2, 0.25, 0.3, 0.35]
    assert score_marks(0, 0) == [0, 0.02, 0.04, 0.06, 0.08, 0.1]


def edge(chart: QWidget) -> QColor:
    """What is seen at the left edge of a white chart on which nothing else is drawn."""
    image = QImage(chart.size(), QImage.Format.Format_RGB32)
    image.fill(Qt.GlobalColor.white)
    painter = QPainter(image)
    draw_focus_ring(painter, chart, LIGHT)
    painter.end()
    return image.pixelColor(0, chart.height() // 2)


def test_a_chart_that_has_the_keyboard_is_ringed(qtbot: QtBot) -> None:
    """In the colour of the focus; another one is not."""
    chart = QWidget()
    qtbot.addWidget(chart)
    chart.resize(100, 60)
    chart.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
    chart.show()
    chart.activateWindow()
    chart.setFocus()
    qtbot.waitUntil(chart.hasFocus)
    assert edge(chart) == QColor(LIGHT.focus)
    chart.clearFocus()
    assert edge(chart) == QColor(Qt.GlobalColor.white)


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
