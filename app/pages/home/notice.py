"""Something went wrong: what, and the ways out."""

from PySide6.QtCore import Qt
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QFrame, QGridLayout, QVBoxLayout

from app.backend.actions import Actions
from app.state.intents import JoinChosen, Reveal
from app.style import theme
from app.widgets.basics import button, label, set_style
from app.widgets.file_dialogs import FileDialogs
from app.widgets.request_status import RequestStatus
from app.widgets.support_file import make_support_file


class TroubleNotice(QFrame):
    """One sentence or two, and buttons to do something about it."""

    def __init__(self, actions: Actions) -> None:
        super().__init__()
        self.setProperty("role", "notice")
        self._words = label("", wrap=True)
        self.line = RequestStatus(actions)  # what became of a support file
        self._retry = button(self.tr("Try again"))
        self._logs = button(self.tr("Open the log folder"))
        self._retry.clicked.connect(lambda: actions.dispatch(JoinChosen()))
        self._logs.clicked.connect(lambda: actions.dispatch(Reveal()))
        self._support = button(self.tr("Make a support file…"))
        self._support.clicked.connect(lambda: make_support_file(self.line, FileDialogs()))
        self._ways = QGridLayout()
        self._ways.setSpacing(theme.SPACE_S)
        for way in (self._retry, self._logs, self._support):
            way.setProperty("kind", "small")
        self._ways.addWidget(self._retry, 0, 0)
        self._ways.addWidget(self._logs, 0, 1)
        self._ways.setColumnStretch(3, 1)
        self._is_narrow: bool | None = None
        self._put_support(is_narrow=True)
        column = QVBoxLayout(self)
        column.setContentsMargins(theme.SPACE_L, theme.SPACE_M, theme.SPACE_L, theme.SPACE_M)
        column.setSpacing(theme.SPACE_S)
        column.addWidget(self._words)
        column.addLayout(self._ways)
        column.addWidget(self.line)
        self.hide()

    def show_words(self, words: str, *, is_grave: bool, can_retry: bool) -> None:
        """Show ``words``, in alarming colours and with more ways out where they are grave."""
        if not words:
            self.line.tell("")
        self._words.setText(words)
        self.setAccessibleName(words)
        self._retry.setVisible(can_retry)
        self._support.setVisible(is_grave)
        set_style(self, "grave", is_grave)
        self.setVisible(bool(words))

    def resizeEvent(self, event: QResizeEvent) -> None:  # noqa: N802 - Qt's name
        """Keep the buttons in one row where they fit."""
        super().resizeEvent(event)
        ways = (self._retry, self._logs, self._support)
        needed = sum(way.sizeHint().width() + theme.SPACE_S for way in ways)
        self._put_support(is_narrow=event.size().width() - 2 * theme.SPACE_L < needed)

    def _put_support(self, *, is_narrow: bool) -> None:
        """Its words are the longest: in a narrow notice the button has a row of its own."""
        if is_narrow == self._is_narrow:
            return
        self._is_narrow = is_narrow
        place = (1, 0, 1, 2) if is_narrow else (0, 2, 1, 1)
        self._ways.removeWidget(self._support)
        self._ways.addWidget(self._support, *place, Qt.AlignmentFlag.AlignLeft)
