"""A line of words under the buttons that send somebody on a request: how it goes, how it ended."""

import msgspec
from PySide6.QtCore import Signal
from PySide6.QtWidgets import QVBoxLayout, QWidget

from app.backend.request_numbers import new_number
from app.text.error_words import told
from app.widgets.basics import set_style
from app.widgets.selectable_label import SelectableLabel
from core.api.requests import Cancel, Done, Refused, Reply, Request


class RequestStatus(QWidget):
    """One request at a time; empty, and not there, before the first one.

    One without words, such as a look at how things are by now, gives way to one with words: whoever
    presses a button just then would wonder why nothing happens.
    """

    asked = Signal(object)  # Request
    ended = Signal(object)  # the last answer

    def __init__(self) -> None:
        super().__init__()
        self._number: int | None = None
        self._is_quiet = False  # the request under way
        self._words = SelectableLabel("", "small")
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.addWidget(self._words)
        self.hide()

    @property
    def is_busy(self) -> bool:
        """A request is under way."""
        return self._number is not None

    def begin(self, request: Request, doing: str) -> None:
        """Send ``request`` and show ``doing`` meanwhile; nothing while another is under way."""
        if self.is_busy and not (self._is_quiet and doing):
            return
        self._number, self._is_quiet = new_number(), not doing
        self._say(doing, "small")
        self.asked.emit(msgspec.structs.replace(request, id=self._number))

    def is_about(self, answer: Reply) -> bool:
        """Whether ``answer`` is about the request that is under way."""
        return answer.id == self._number

    def tell(self, words: str) -> None:
        """Say how it goes."""
        self._say(words, "small")

    def cancel(self) -> None:
        """Ask for the request to be ended; the answer to it is its end."""
        if self._number is not None:
            self.asked.emit(Cancel(errand=self._number))

    def hear(self, answer: Reply) -> None:
        """Show how it ended, if ``answer`` is about this request."""
        if answer.id != self._number or not answer.is_last:
            return
        self._number = None
        if isinstance(answer, Refused):
            self._say(told(answer), "trouble")
        else:
            self._say(told(answer) if isinstance(answer, Done) else "", "small")
        self.ended.emit(answer)

    def _say(self, words: str, role: str) -> None:
        self._words.setText(words)
        set_style(self._words, "role", role)
        self.setVisible(bool(words))
        self.setAccessibleDescription(words)
