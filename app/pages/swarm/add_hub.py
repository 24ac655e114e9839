"""A meeting point by its address: a field, a button, and what is wrong with what was typed."""

from collections.abc import Callable

from PySide6.QtWidgets import QVBoxLayout, QWidget

from app.backend.actions import Actions
from app.backend.helper_call import HelperCall
from app.pages.swarm.fields import add_field, field
from app.style import theme
from app.text.error_words import told
from app.widgets.basics import button, label
from core.api.requests import Refused
from core.api.swarm import CheckHub, HubChecked
from core.api.swarm_view import MOST_NAMED_HUBS
from core.settings import MOST_URL


class AddHub(QWidget):
    """Has the helper look at the form of an address, and hands it on where it is one."""

    def __init__(self, actions: Actions, found: Callable[[str], None]) -> None:
        super().__init__()
        self._actions, self._found = actions, found
        self._call: HelperCall | None = None  # while its answer is of use
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

    def _ask(self) -> None:
        self._forget()
        url = self._url.text().strip()
        if not url:
            self._url.setFocus()
        elif self._named >= MOST_NAMED_HUBS:
            full = self.tr("There are {} already, as many as are asked. Remove one first.")
            self._say(full.format(MOST_NAMED_HUBS))
        else:
            self._call = self._actions.call(CheckHub(url=url))
            self._call.done.connect(self._on_checked)
            self._call.refused.connect(self._on_refused)

    def _on_refused(self, why: Refused) -> None:
        self._say(told(why))

    def _on_checked(self, checked: HubChecked) -> None:
        self._url.clear()
        self._found(checked.url)

    def _forget(self) -> None:
        """Nothing that was said counts for another address."""
        if self._call is not None:
            self._call.forget()
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
