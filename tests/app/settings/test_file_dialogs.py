"""The system's own dialogs are asked; what they answer is passed on."""

from pathlib import Path

import pytest
from PySide6.QtWidgets import QFileDialog, QWidget
from pytestqt.qtbot import QtBot

from app.settings.file_dialogs import FileDialogs


def test_the_answer_is_a_path_or_nothing(qtbot: QtBot, monkeypatch: pytest.MonkeyPatch) -> None:
    """With a name to begin with, in the person's own folder."""
    begun: list[str] = []

    def answer(_parent: QWidget, _title: str, begin: str) -> tuple[str, str]:
        begun.append(begin)
        return ("/chosen/file", "All files")

    monkeypatch.setattr(QFileDialog, "getSaveFileName", answer)
    monkeypatch.setattr(QFileDialog, "getOpenFileName", lambda *_: ("", ""))
    parent = QWidget()
    qtbot.addWidget(parent)
    assert FileDialogs().to_write(parent, "Save", "backup.txt") == "/chosen/file"
    assert begun == [str(Path.home() / "backup.txt")]
    assert FileDialogs().to_read(parent, "Open") == ""
