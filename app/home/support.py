"""A file for whoever helps, made by the desk."""

from pathlib import Path

import msgspec
from PySide6.QtCore import QObject, Signal
from PySide6.QtWidgets import QFileDialog, QWidget

from app.error_words import told
from app.request_numbers import new_number
from core.engine.desk.base import Answer, Done, Refused
from core.engine.desk.care import MakeSupportFile


class Support(QObject):
    """One file at a time."""

    asked = Signal(object)  # Request
    told = Signal(str)  # how it goes, how it ended

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self._window = parent
        self._number: int | None = None

    def choose(self) -> None:
        """Let the person say where it is to be, and have it made."""
        name = str(Path.home() / "waggle-support.zip")
        title = self.tr("Make a support file")
        path, _ = QFileDialog.getSaveFileName(self._window, title, name)
        if path:
            self.make(path)

    def make(self, path: str) -> None:
        """Have it made at ``path``; nothing while another one is being made."""
        if self._number is None:
            self._number = new_number()
            self.told.emit(self.tr("Looking at everything…"))
            self.asked.emit(msgspec.structs.replace(MakeSupportFile(path=path), id=self._number))

    def hear(self, answer: Answer) -> None:
        """Tell how it ended, if ``answer`` is about it."""
        if answer.id == self._number and answer.is_last:
            self._number = None
            self.told.emit(told(answer) if isinstance(answer, Done | Refused) else "")
