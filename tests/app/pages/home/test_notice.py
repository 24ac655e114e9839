"""A notice shows when there is something to say, with the ways out that exist."""

from PySide6.QtWidgets import QPushButton
from pytestqt.qtbot import QtBot

from app.pages.home.notice import TroubleNotice


def test_no_words_no_notice(qtbot: QtBot) -> None:
    """An empty notice takes no room."""
    notice = TroubleNotice()
    qtbot.addWidget(notice)
    notice.show_words("", is_grave=True, can_retry=True)
    assert notice.isHidden()


def test_the_ways_out_work(qtbot: QtBot) -> None:
    """Trying again is offered only where it makes sense; the log always."""
    notice = TroubleNotice()
    qtbot.addWidget(notice)
    notice.show_words("It crashed.", is_grave=False, can_retry=False)
    retry, logs, support = notice.findChildren(QPushButton)
    assert retry.isHidden()
    assert support.isHidden()
    with qtbot.waitSignal(notice.log_folder_asked):
        logs.click()
    notice.show_words("A setting was not saved.", is_grave=True, can_retry=False)
    assert retry.isHidden()
    notice.show_words("It crashed.", is_grave=True, can_retry=True)
    with qtbot.waitSignal(notice.retry_asked):
        retry.click()
    with qtbot.waitSignal(notice.support_asked):
        support.click()


def test_the_ways_out_stand_in_one_row_where_they_fit(qtbot: QtBot) -> None:
    """In a narrow notice the last one has a row of its own."""
    notice = TroubleNotice()
    qtbot.addWidget(notice)
    notice.resize(900, 120)
    notice.show_words("It crashed.", is_grave=True, can_retry=True)
    retry, logs, support = notice.findChildren(QPushButton)
    qtbot.waitUntil(lambda: support.y() == logs.y() == retry.y())
    notice.resize(320, 160)
    qtbot.waitUntil(lambda: support.y() > logs.y() == retry.y())
