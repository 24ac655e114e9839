"""An invite that was made: the link, to be copied, and as a QR code."""

from collections.abc import Sequence
from typing import Final

from PySide6.QtCore import QSize, Qt, QTimer, Signal
from PySide6.QtGui import QGuiApplication, QPainter, QPaintEvent
from PySide6.QtWidgets import QLineEdit, QWidget

from app.pages.swarm.card import Card
from app.pages.swarm.destinations import caution_of, decks_of, meeting_of, troubles_of
from app.widgets.basics import button, label, set_button
from core.api.swarm import InviteMade

QUIET: Final = 4  # modules of white around it
WIDTH: Final = 232  # px at most
MOST_MODULES: Final = WIDTH // 2 - 2 * QUIET
"""With more of them, a module is smaller than a camera reads from a screen."""


class QrCode(QWidget):
    """A function of its rows of 0 and 1."""

    def __init__(self) -> None:
        super().__init__()
        self._rows: tuple[str, ...] = ()
        self.setAccessibleName(self.tr("The link as a QR code"))

    def show_rows(self, rows: Sequence[str]) -> bool:
        """Show ``rows``; False, and nothing is drawn, if they are too many to be read."""
        fits = 0 < len(rows) <= MOST_MODULES
        self._rows = tuple(rows) if fits else ()
        side = (len(self._rows) + 2 * QUIET) * self._module()
        self.setFixedSize(QSize(side, side))
        self.update()
        return fits

    def _module(self) -> int:
        """The width of a module in px."""
        return WIDTH // (len(self._rows) + 2 * QUIET)

    def paintEvent(self, _event: QPaintEvent) -> None:  # noqa: N802 - Qt's name
        """Draw the modules."""
        side = self._module()
        painter = QPainter(self)
        painter.fillRect(self.rect(), Qt.GlobalColor.white)
        for y, row in enumerate(self._rows, QUIET):
            for x, module in enumerate(row, QUIET):
                if module == "1":
                    painter.fillRect(x * side, y * side, side, side, Qt.GlobalColor.black)
        painter.end()


COPIED_MS = 2_000


class InviteCard(Card):
    """A function of the invite; hidden while there is none."""

    join_asked = Signal(object)  # InviteMade: the person wants to be a member, too

    def __init__(self) -> None:
        super().__init__(role="notice")
        self._invite: InviteMade | None = None
        self._title = label("", "heading", wrap=True)
        self._caution = label("", wrap=True)
        self._troubles = label("", "trouble", wrap=True)
        self._meeting = label("", "small", wrap=True)
        self._link = QLineEdit()
        self._link.setReadOnly(True)
        self._link.setAccessibleName(self.tr("The link of the invite"))
        self._copy = button(self.tr("Copy the link"))
        self._code = QrCode()
        self._too_long = label(
            self.tr("The link is too long for a QR code that a camera could read."),
            "small",
            wrap=True,
        )
        self._join = button(self.tr("Join it yourself"))
        self._copied = QTimer(self, singleShot=True, interval=COPIED_MS)
        self._copied.timeout.connect(self._rest)
        self._copy.clicked.connect(self._on_copy)
        self._join.clicked.connect(lambda: self.join_asked.emit(self._invite))
        self._lay_out()
        self.hide()

    @property
    def invite(self) -> InviteMade | None:
        """What is shown."""
        return self._invite

    def show_invite(self, made: InviteMade | None, *, is_own: bool) -> None:
        """Show ``made``; ``is_own``: it leads where the person is already."""
        self._join.setVisible(not is_own)
        self.setVisible(made is not None)
        if made is None or made == self._invite:
            self._invite = made
            return
        self._invite = made
        self._title.setText(self.tr("Invite to {}").format(made.swarm.name))
        self._caution.setText(caution_of(made.swarm))
        self._troubles.setText(troubles_of(made.troubles))
        self._troubles.setVisible(bool(made.troubles))
        self._meeting.setText(
            "\n".join(filter(None, (decks_of(made.swarm), meeting_of(made.swarm))))
        )
        self._link.setText(made.link)
        self._link.setCursorPosition(0)
        fits = self._code.show_rows(made.code)
        self._code.setVisible(fits)
        self._too_long.setVisible(not fits)
        self._rest()

    def _on_copy(self) -> None:
        QGuiApplication.clipboard().setText(self._link.text())
        set_button(self._copy, self.tr("Copied"), enabled=True)
        self._copied.start()

    def _rest(self) -> None:
        set_button(self._copy, self.tr("Copy the link"), enabled=True)

    def _lay_out(self) -> None:
        column = self.column
        for widget in (self._title, self._caution, self._troubles, self._link, self._copy):
            column.addWidget(widget)
        column.addWidget(self._code, 0, Qt.AlignmentFlag.AlignHCenter)
        for widget in (self._too_long, self._meeting, self._join):
            column.addWidget(widget)
