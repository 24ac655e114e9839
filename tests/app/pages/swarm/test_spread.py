"""Two columns that scroll."""

from PySide6.QtCore import QSize
from PySide6.QtWidgets import QApplication, QWidget
from pytestqt.qtbot import QtBot

from app.pages.swarm.spread import Spread

SMALLEST = QSize(732, 600)


def tall() -> QWidget:
    made = QWidget()
    made.setFixedHeight(1_000)
    return made


def test_it_scrolls_down_and_never_sideways(qtbot: QtBot) -> None:
    """And brings up what is asked for."""
    first, second, last = tall(), tall(), tall()
    spread = Spread(left=(first,), right=(second, last))
    qtbot.addWidget(spread)
    spread.show_words("3 others practise with you.", "")
    spread.resize(SMALLEST)
    spread.show()
    QApplication.processEvents()
    assert spread.horizontalScrollBar().maximum() == 0
    assert spread.verticalScrollBar().value() == 0
    assert last.visibleRegion().isEmpty()
    spread.bring_up(last)
    QApplication.processEvents()
    assert not last.visibleRegion().isEmpty()
