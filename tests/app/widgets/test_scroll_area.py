"""The column scrolls as far as it has to."""

from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from app.widgets.basics import label
from app.widgets.scroll_area import ScrollArea

WORDS = "words that wrap where there is no room for all of them in one line " * 3


def test_it_ends_where_its_content_ends(qtbot: QtBot) -> None:
    """Words that wrap are not given the height of their narrowest form, nor any width sideways."""
    scroll = ScrollArea()
    qtbot.addWidget(scroll)
    for _ in range(12):
        scroll.column.addWidget(label(WORDS, wrap=True))
    scroll.resize(500, 300)
    scroll.show()
    QApplication.processEvents()
    inside = scroll.inside
    assert inside.height() == inside.heightForWidth(inside.width()) > 300
    assert inside.width() == scroll.viewport().width()
    scroll.resize(500, 2_000)
    QApplication.processEvents()
    assert inside.height() == 2_000


def test_it_may_be_bound_in_its_width(qtbot: QtBot) -> None:
    """Long lines tire; where the window is narrower than the bound, the column is as well."""
    scroll = ScrollArea(widest=400)
    qtbot.addWidget(scroll)
    scroll.column.addWidget(label(WORDS, wrap=True))
    scroll.resize(1_000, 300)
    scroll.show()
    QApplication.processEvents()
    assert scroll.inside.width() == 400
    scroll.resize(300, 300)
    QApplication.processEvents()
    assert scroll.inside.width() == scroll.viewport().width() <= 300
