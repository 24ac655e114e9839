"""A notice shows when there is something to say, with the ways out that exist."""

from PySide6.QtWidgets import QPushButton
from pytestqt.qtbot import QtBot

from app.pages.home.notice import TroubleNotice
from app.state.intents import JoinChosen, Reveal
from tests.fake_actions import FakeActions


def test_no_words_no_notice(actions: FakeActions, qtbot: QtBot) -> None:
    """An empty notice takes no room."""
    notice = TroubleNotice(actions)
    qtbot.addWidget(notice)
    notice.show_words("", is_grave=True, can_retry=True)
    assert notice.isHidden()


def test_the_ways_out_work(actions: FakeActions, qtbot: QtBot) -> None:
    """Trying again is offered only where it makes sense; the log always."""
    notice = TroubleNotice(actions)
    qtbot.addWidget(notice)
    notice.show_words("It crashed.", is_grave=False, can_retry=False)
    retry, logs, support = notice.findChildren(QPushButton)
    assert retry.isHidden()
    assert support.isHidden()
    logs.click()
    notice.show_words("A setting was not saved.", is_grave=True, can_retry=False)
    assert retry.isHidden()
    notice.show_words("It crashed.", is_grave=True, can_retry=True)
    retry.click()
    assert actions.all == [Reveal(), JoinChosen()]


def test_the_ways_out_stand_in_one_row_where_they_fit(actions: FakeActions, qtbot: QtBot) -> None:
    """In a narrow notice the last one has a row of its own."""
    notice = TroubleNotice(actions)
    qtbot.addWidget(notice)
    notice.resize(900, 120)
    notice.show_words("It crashed.", is_grave=True, can_retry=True)
    retry, logs, support = notice.findChildren(QPushButton)
    qtbot.waitUntil(lambda: support.y() == logs.y() == retry.y())
    notice.resize(320, 160)
    qtbot.waitUntil(lambda: support.y() > logs.y() == retry.y())
