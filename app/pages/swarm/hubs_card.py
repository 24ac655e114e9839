"""The meeting points, how each of them does, and a way to add another one."""

from collections.abc import Callable, Sequence

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QHideEvent
from PySide6.QtWidgets import QVBoxLayout, QWidget

from app.backend.actions import Actions
from app.backend.latest_call import LatestCall
from app.pages.swarm.card import Card
from app.pages.swarm.destinations import LONGEST_ADDRESS
from app.pages.swarm.fields import add_field, field
from app.pages.swarm.hub_view_model import HubViewModel
from app.style import theme
from app.text.error_words import told
from app.text.plain_text import legible, visible
from app.widgets.basics import bare_column, bare_row, button, label
from app.widgets.row_list import RowButton, arrange
from app.widgets.tab_order import in_turn_before
from core.api.requests import Refused
from core.api.swarm import CheckHub, HubChecked
from core.api.swarm_view import MOST_NAMED_HUBS
from core.settings import MOST_URL


class AddHub(QWidget):
    """Has the helper look at the form of an address, and hands it on where it is one."""

    def __init__(self, actions: Actions, found: Callable[[str], None]) -> None:
        super().__init__()
        self._found = found
        self._call = LatestCall(actions)
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
            self._call.make(CheckHub(url=url), self._on_checked, self._on_refused)

    def _on_refused(self, why: Refused) -> None:
        self._say(told(why))

    def _on_checked(self, checked: HubChecked) -> None:
        self._url.clear()
        self._found(checked.url)

    def _forget(self) -> None:
        """Nothing that was said counts for another address."""
        self._call.forget()
        self._say("")

    def _say(self, trouble: str) -> None:
        self._trouble.setText(trouble)
        self._trouble.setVisible(bool(trouble))

    def _lay_out(self) -> None:
        column = bare_column(self)
        add_field(column, self._url, self._add)
        column.addWidget(self._trouble)


class HubsCard(Card):
    """A function of its rows; what was removed can be brought back until the page is left."""

    addition_asked = Signal(str)  # address
    removal_asked = Signal(str)  # address

    def __init__(self, actions: Actions) -> None:
        super().__init__(self.tr("Meeting points"))
        self._shown: tuple[HubViewModel, ...] = ()
        self._rows: dict[str, _HubRow] = {}
        self._removed = _Removed()
        self._hint = label("", "muted", wrap=True)
        self._adding = AddHub(actions, self.addition_asked.emit)
        self._list = QVBoxLayout()
        self._list.setSpacing(theme.SPACE_M)
        self._removed.back_asked.connect(self._bring_back)
        self.column.addLayout(self._list)
        for part in (self._removed, self._hint, self._adding):
            self.column.addWidget(part)

    def show_hubs(self, hubs: Sequence[HubViewModel], hint: str) -> None:
        """Show ``hubs`` in their order, and ``hint`` below them."""
        self._hint.setText(hint)
        self._hint.setVisible(bool(hint))
        if tuple(hubs) == self._shown:
            return
        self._shown = tuple(hubs)
        named = {hub.address for hub in hubs if hub.is_named}
        self._adding.show_named(len(named))
        if self._removed.address in named:  # it could not be removed, or is back by another way
            self._removed.forget()
        order = [hub.address for hub in hubs]
        if order != list(self._rows):
            self._rows = arrange(self._list, self._rows, order, self._row, harbour=self)
            in_turn_before(self._removed.back, *self._rows.values())
        for hub in hubs:
            self._rows[hub.address].show_hub(hub)

    def hideEvent(self, event: QHideEvent) -> None:  # noqa: N802 - Qt's name
        """The page is left: what was removed stays so."""
        super().hideEvent(event)
        if not event.spontaneous():
            self._removed.forget()

    def _remove(self, address: str) -> None:
        invited = any(hub.address == address and hub.is_invited for hub in self._shown)
        self._removed.show_address(address, is_invited=invited)
        self.setFocus()  # or a button would have it, for who presses the space bar twice
        self.removal_asked.emit(address)

    def _bring_back(self, address: str) -> None:
        self._adding.setFocus()
        self._removed.forget()
        self.addition_asked.emit(address)

    def _row(self, address: str) -> "_HubRow":
        row = _HubRow(address)
        row.remove.clicked.connect(lambda: self._remove(address))
        return row


class _Removed(QWidget):
    """Says what was removed last, with a way back; hidden where nothing was."""

    back_asked = Signal(str)  # address

    def __init__(self) -> None:
        super().__init__()
        self.address = ""
        self._words = label("", "small", wrap=True)
        self.back = RowButton(self.tr("Bring it back"), kind="small")
        self.back.clicked.connect(lambda: self.back_asked.emit(self.address))
        row = bare_row(self, theme.SPACE_M)
        row.addWidget(self._words, 1)
        row.addWidget(self.back, 0, Qt.AlignmentFlag.AlignVCenter)
        self.hide()

    def show_address(self, address: str, *, is_invited: bool) -> None:
        """Say that ``address`` is removed, and whether the swarm's invite names it all the same."""
        self.address = address
        words = self.tr("Removed {}; it is asked no more from the next start of practice on.")
        if is_invited:
            words = self.tr("Removed {}, but the invite of your swarm names it, too.")
        self._words.setText(words.format(legible(address, LONGEST_ADDRESS)))
        self.show()

    def forget(self) -> None:
        """Offer no way back any more."""
        self.address = ""
        self.hide()


class _HubRow(QWidget):
    def __init__(self, address: str) -> None:
        super().__init__()
        self._address = label(legible(address, LONGEST_ADDRESS), "heading", wrap=True)
        self._words = label("", "small", wrap=True)
        self.remove = RowButton(self.tr("Remove"))
        self.remove.setAccessibleName(self.tr("Remove {}").format(visible(address)))
        words = QVBoxLayout()
        words.setSpacing(2)
        words.addStretch()
        words.addWidget(self._address)
        words.addWidget(self._words)
        words.addStretch()
        row = bare_row(self, theme.SPACE_M)
        row.addLayout(words, 1)
        row.addWidget(self.remove, 0, Qt.AlignmentFlag.AlignVCenter)

    def show_hub(self, hub: HubViewModel) -> None:
        """Draw ``hub``."""
        self._words.setText(hub.words)
        self.remove.setVisible(hub.is_named)
