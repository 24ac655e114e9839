"""A meeting point by its address: a field, a button, and what is wrong with what was typed."""

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QVBoxLayout, QWidget

from app.backend.request_numbers import new_number
from app.pages.swarm.fields import add_field, field
from app.style import theme
from app.text.error_words import told
from app.widgets.basics import button, label
from core.api.protocol import AnyAnswer
from core.api.requests import Refused
from core.api.swarm import CheckHub, HubChecked
from core.api.swarm_view import MOST_NAMED_HUBS
from core.settings import MOST_URL


class AddHub(QWidget):
    """Has the helper look at the form of an address, and hands it on where it is one."""

    asked = Signal(object)  # CheckHub
    found = Signal(str)  # URL

    def __init__(self) -> None:
        super().__init__()
        self._number = 0  # of the request under way
        self._named = 0
        self._url = field(
            self.tr("Add one by its address"),
            self.tr("https://hub.example.org"),
            most=MOST_URL,
        )
        self._add = button(self.tr("Add"))
        self._add.setAccessibleName(self.tr("Add this meeting point"))
        self._trouble = label("", "trouble", wrap=True)
        self._url.textEdited.connect(self._forget)
        self._url.returnPressed.connect(self._ask)
        self._add.clicked.connect(self._ask)
        self.setFocusProxy(self._url)
        self._lay_out()
        self._forget()

    def show_named(self, count: int) -> None:
        """Take note of how many the settings name by now."""
        self._named = count

    def hear(self, answer: AnyAnswer) -> None:
        """Take what the helper says about the address."""
        if not self._number or answer.id != self._number:
            return
        self._forget()
        if isinstance(answer, HubChecked):
            self._url.clear()
            self.found.emit(answer.url)
        elif isinstance(answer, Refused):
            self._say(told(answer))

    def _ask(self) -> None:
        self._forget()
        url = self._url.text().strip()
        if not url:
            self._url.setFocus()
        elif self._named >= MOST_NAMED_HUBS:
            full = self.tr("There are {} already, as many as are asked. Remove one first.")
            self._say(full.format(MOST_NAMED_HUBS))
        else:
            self._number = new_number()
            self.asked.emit(CheckHub(id=self._number, url=url))

    def _forget(self) -> None:
        """Nothing that was said counts for another address."""
        self._number = 0
        self._say("")

    def _say(self, trouble: str) -> None:
        self._trouble.setText(trouble)
        self._trouble.setVisible(bool(trouble))

    def _lay_out(self) -> None:
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(theme.SPACE_S)
        add_field(column, self._url, self._add)
        column.addWidget(self._trouble)
