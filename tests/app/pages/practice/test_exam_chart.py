"""Before and after, drawn."""

from PySide6.QtCore import QSize
from PySide6.QtWidgets import QLabel
from pytestqt.qtbot import QtBot

from app.pages.practice.exam_chart import ExamChart
from app.pages.practice.exam_view_model import ExamRow, exam_view_model
from app.style.theme import DARK, LIGHT
from tests.app.pages.practice.samples import exam

ROWS = exam_view_model(exam()).rows


def test_every_figure_is_written_as_well(qtbot: QtBot) -> None:
    """Who cannot see the dots reads titles and figures, in the same order."""
    chart = ExamChart(ROWS, LIGHT)
    qtbot.addWidget(chart)
    said = [one.text() for one in chart.findChildren(QLabel)]
    for row in ROWS:
        assert row.title in said
        assert row.words in said


def test_a_gain_is_drawn_otherwise_than_a_loss(qtbot: QtBot) -> None:
    """The filled dot is where it is now; both palettes can be worn."""

    def picture(before: float, now: float) -> object:
        chart = ExamChart([ExamRow("Add", before, now, "")], LIGHT)
        qtbot.addWidget(chart)
        chart.resize(QSize(600, 80))
        chart.show_palette(DARK)
        return chart.grab().toImage()

    assert picture(0.2, 0.8) != picture(0.8, 0.2)
    assert picture(0.2, 0.8) == picture(0.2, 0.8)


def test_an_interval_is_drawn(qtbot: QtBot) -> None:
    """A wide one otherwise than none."""

    def picture(margin: float) -> object:
        chart = ExamChart([ExamRow("Add", 0.2, 0.8, "", margin, margin)], LIGHT)
        qtbot.addWidget(chart)
        chart.resize(QSize(600, 80))
        return chart.grab().toImage()

    assert picture(0.1) != picture(0.0)
