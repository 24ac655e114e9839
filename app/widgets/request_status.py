"""A line of words under the buttons that begin requests: how one goes, and how it ended."""

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QWidget

from app.backend.actions import Actions
from app.backend.helper_call import HelperCall
from app.text.error_words import told
from app.widgets.basics import announce, bare_column, set_style
from app.widgets.selectable_label import SelectableLabel
from core.api.requests import Done, Refused, Reply, Request


class RequestStatus(QWidget):
    """One request at a time; empty, and not there, before the first one.

    One without words, such as a look at how things are by now, gives way to one with words: whoever
    presses a button just then would wonder why nothing happens.
    """

    progress = Signal(object)  # Reply: a word on the way
    ended = Signal(object)  # the last reply

    def __init__(self, actions: Actions) -> None:
        super().__init__()
        self._actions = actions
        self._call: HelperCall | None = None  # while it is under way
        self._is_quiet = False  # the request under way
        self._words = SelectableLabel("", "small")
        bare_column(self).addWidget(self._words)
        self.hide()

    def begin(self, request: Request, doing: str) -> None:
        """Send ``request`` and show ``doing`` meanwhile; not while another is under way."""
        if self._call is not None:
            if not (self._is_quiet and doing):
                if doing:
                    self.say(self.tr("One moment: something else is not done yet."))
                return
            self._call.forget()
        self._is_quiet = not doing
        self.say(doing)
        self._call = call = self._actions.call(request)
        call.progress.connect(self.progress)
        for end in (call.done, call.refused, call.cancelled):
            end.connect(self._on_ended)

    def tell(self, words: str) -> None:
        """Show how it goes; it may change too often to be said aloud."""
        self._show(words, "small")

    def say(self, words: str, role: str = "small") -> None:
        """Show what came of it, and have a screen reader say it."""
        self._show(words, role)
        announce(self, words)

    def cancel(self) -> None:
        """Ask for the request to be ended; the answer to it is its end."""
        if self._call is not None:
            self._call.cancel()

    def _on_ended(self, reply: Reply) -> None:
        """Show how it ended."""
        self._call = None
        if isinstance(reply, Refused):
            self.say(told(reply), "trouble")
        else:
            self.say(told(reply) if isinstance(reply, Done) else "")
        self.ended.emit(reply)

    def _show(self, words: str, role: str) -> None:
        self._words.setText(words)
        set_style(self._words, "role", role)
        self.setVisible(bool(words))
        self.setAccessibleDescription(words)
