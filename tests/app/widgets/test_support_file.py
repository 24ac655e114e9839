"""A file for whoever helps."""

from pathlib import Path

import pytest
from PySide6.QtWidgets import QWidget
from pytestqt.qtbot import QtBot

from app.widgets.file_dialogs import FileDialogs, NewFile, Then
from app.widgets.request_status import RequestStatus
from app.widgets.support_file import make_support_file
from core.api.maintenance import MakeSupportFile
from tests.fake_actions import FakeActions


class Dialogs(FileDialogs):
    """Answers in the person's place."""

    def __init__(self, path: str) -> None:
        self._path = path
        self.proposed = ""

    def to_write(self, _parent: QWidget, wanted: NewFile, then: Then) -> None:
        self.proposed = wanted.name
        if self._path:
            then(Path(self._path))


@pytest.mark.parametrize("path", ["/there/file.zip", ""])
def test_it_is_made_where_the_person_wants_it(
    actions: FakeActions, qtbot: QtBot, path: str
) -> None:
    """Not at all where they think better of it."""
    asked = [str(Path(path))] if path else []
    line = RequestStatus(actions)
    qtbot.addWidget(line)
    dialogs = Dialogs(path)
    make_support_file(line, dialogs)
    assert [wish.path for wish in actions.of(MakeSupportFile)] == asked
    assert dialogs.proposed == "waggle-support.zip"
