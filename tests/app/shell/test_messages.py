"""Pages that hold nothing but a message."""

from PySide6.QtWidgets import QLabel, QPushButton
from pytestqt.qtbot import QtBot

from app.shell.messages import SavingPage, TroublePage


def words_of(page: TroublePage | SavingPage) -> str:
    return " ".join(text.text() for text in page.findChildren(QLabel))


def test_trouble_says_why_and_offers_to_try_again(qtbot: QtBot) -> None:
    """The words are shown as they are, and the one button asks to begin again."""
    retried: list[bool] = []
    page = TroublePage(lambda: retried.append(True))
    qtbot.addWidget(page)
    page.show_words("The settings file <b> cannot be read.")
    assert "The settings file <b> cannot be read." in words_of(page)
    (retry,) = page.findChildren(QPushButton)
    retry.click()
    assert retried


def test_saving_says_that_nothing_has_to_be_done(qtbot: QtBot) -> None:
    """Who waits is told that it ends by itself."""
    page = SavingPage()
    qtbot.addWidget(page)
    assert "by itself" in words_of(page)
