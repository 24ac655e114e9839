"""One sentence, one thing to do."""

from functools import partial

import pytest
from PySide6.QtWidgets import QPushButton
from pytestqt.qtbot import QtBot

from app.widgets.notice_bar import NoticeBar
from tests.app.hearing import listen


def test_it_is_there_only_with_words(qtbot: QtBot) -> None:
    """Said aloud, and with a button that has a name."""
    notice = NoticeBar()
    qtbot.addWidget(notice)
    assert not notice.isVisible()
    notice.show_words("Saved.", "Show the folder", is_grave=False)
    assert notice.isVisible()
    assert notice.accessibleName() == "Saved."
    (way,) = notice.findChildren(QPushButton)
    assert way.accessibleName() == way.text() == "Show the folder"
    with qtbot.waitSignal(notice.pressed):
        way.click()
    notice.show_words("", "", is_grave=False)
    assert not notice.isVisible()


def test_trouble_looks_grave(qtbot: QtBot) -> None:
    """The style sheet sees the difference."""
    notice = NoticeBar()
    qtbot.addWidget(notice)
    for is_grave in (True, False, True):
        notice.show_words("Something.", "Try again", is_grave=is_grave)
        assert notice.property("grave") is is_grave


def test_what_is_told_once_is_done_with_once_pressed(qtbot: QtBot) -> None:
    """Or where what it offers is not needed any more; what offers something else stays."""
    done: list[str] = []
    again, close = partial(done.append, "again"), partial(done.append, "close")
    notice = NoticeBar()
    qtbot.addWidget(notice)
    notice.tell("No network.", "Try again", again)
    (way,) = notice.findChildren(QPushButton)
    way.click()
    assert not notice.isVisible()
    assert done == ["again"]
    notice.tell("No network.", "Try again", again)
    notice.take_back(close)
    assert notice.isVisible()
    notice.take_back(close, again)
    assert not notice.isVisible()


def test_each_notice_is_said_aloud_once(qtbot: QtBot, monkeypatch: pytest.MonkeyPatch) -> None:
    """However often it is drawn; again where it comes again."""
    heard = listen(monkeypatch)
    notice = NoticeBar()
    qtbot.addWidget(notice)
    for words in ("Saved.", "Saved.", "", "Saved.", "Gone."):
        notice.show_words(words, "Close", is_grave=False)
    assert heard == ["Saved.", "Saved.", "Gone."]
