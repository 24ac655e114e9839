"""A file for whoever helps."""

import pytest
from PySide6.QtWidgets import QWidget
from pytestqt.qtbot import QtBot

from app.home.support import Support
from core.engine.desk.base import Answer, Done, Refused
from core.engine.desk.care import MakeSupportFile


@pytest.mark.parametrize("kind", [Done, Refused])
def test_one_file_is_made_and_told_about(qtbot: QtBot, kind: type[Done | Refused]) -> None:
    """While one is being made a second is not; answers to others are not ours."""
    window = QWidget()
    qtbot.addWidget(window)
    support = Support(window)
    wishes: list[MakeSupportFile] = []
    told: list[str] = []
    support.asked.connect(wishes.append)
    support.told.connect(told.append)
    support.make("/there/file.zip")
    support.make("/elsewhere/file.zip")
    (wish,) = wishes
    assert wish.path == "/there/file.zip"
    others: Answer = Done(id=wish.id + 1, words="Something else.")
    support.hear(others)
    support.hear(kind(id=wish.id, words="This."))
    assert told == ["Looking at everything…", "This."]
    support.make("/again/file.zip")
    assert len(wishes) == 2
