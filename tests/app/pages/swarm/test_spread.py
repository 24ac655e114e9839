"""Words on top, two columns below, all of it scrolled."""

from PySide6.QtCore import QSize
from PySide6.QtWidgets import QApplication, QScrollArea, QWidget
from pytestqt.qtbot import QtBot

from app.pages.swarm.spread import Spread

SMALLEST = QSize(732, 600)


def tall() -> QWidget:
    made = QWidget()
    made.setFixedHeight(1_000)
    return made


def test_it_scrolls_down_and_never_sideways(qtbot: QtBot) -> None:
    """And brings up what is asked for."""
    page, first, second, last = QWidget(), tall(), tall(), tall()
    qtbot.addWidget(page)
    spread = Spread(page, left=(first,), right=(second, last))
    spread.show_words("3 others practise with you.", "")
    page.resize(SMALLEST)
    page.show()
    QApplication.processEvents()
    area = page.findChild(QScrollArea)
    assert area is not None
    assert area.horizontalScrollBar().maximum() == 0
    assert area.verticalScrollBar().value() == 0
    assert last.visibleRegion().isEmpty()
    spread.bring_up(last)
    QApplication.processEvents()
    assert not last.visibleRegion().isEmpty()
