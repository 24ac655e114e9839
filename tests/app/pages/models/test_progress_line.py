"""A bar, words, and the ways to hold or end it."""

from PySide6.QtWidgets import QProgressBar, QPushButton
from pytestqt.qtbot import QtBot

from app.pages.models.progress import ProgressViewModel
from app.pages.models.progress_line import ProgressLine
from app.pages.models.view_model import Act


def test_it_draws_a_share_and_says_it(qtbot: QtBot) -> None:
    """Also to who cannot see the bar."""
    acts: list[Act] = []
    line = ProgressLine(acts.append)
    qtbot.addWidget(line)
    assert line.isHidden()
    line.show_progress(ProgressViewModel("4 of 10 MB", 0.4), (Act("Pause", "pause"),))
    (bar,) = line.findChildren(QProgressBar)
    assert bar.value() == 400
    assert bar.accessibleName() == "4 of 10 MB"
    (pause,) = (b for b in line.findChildren(QPushButton) if not b.isHidden())
    pause.click()
    assert acts == [Act("Pause", "pause")]


def test_without_a_measure_there_is_no_bar(qtbot: QtBot) -> None:
    """Nothing moves for the sake of moving."""
    line = ProgressLine(lambda _act: None)
    qtbot.addWidget(line)
    line.show_progress(ProgressViewModel("Removing…", None), ())
    (bar,) = line.findChildren(QProgressBar)
    assert bar.isHidden()
    line.show_progress(None, ())
    assert line.isHidden()
