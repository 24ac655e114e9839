"""Who is here: a row for each, and a button by which nothing more of it is looked at."""

from collections.abc import Callable, Sequence
from typing import Final

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from app.pages.swarm.card import Card
from app.pages.swarm.person_view_model import PersonViewModel
from app.style import theme
from app.text.phrases import labelled
from app.widgets.basics import bare_row, button, label, set_button, set_style
from app.widgets.row_list import RowButton, arrange, has_focus
from app.widgets.tab_order import in_turn_before

AT_ONCE: Final = 16
"""Rows that are made together; more of them would hold up the window for longer than is felt."""


class PeopleCard(Card):
    """A function of its rows; ``block`` takes a peer and whether it is to be blocked.

    While the mouse is over it rows keep their places, and the row with the keyboard's focus stays,
    so that nobody is blocked who only came under either by accident.
    """

    def __init__(self, block: Callable[[str, bool], None]) -> None:
        super().__init__(self.tr("Who is here"))
        self._block = block
        self._people: tuple[PersonViewModel, ...] = ()
        self._room = AT_ONCE
        self._rows: dict[str, _PersonRow] = {}
        self._more = button("")
        self._more.clicked.connect(self._show_more)
        self._hint = label("", "muted", wrap=True)
        self._list = QVBoxLayout()
        self._list.setSpacing(theme.SPACE_M)
        self.column.addLayout(self._list)
        self.column.addWidget(self._more)
        self.column.addWidget(self._hint)

    def show_people(self, people: Sequence[PersonViewModel], hint: str) -> None:
        """Show ``people`` in their order, the first ones at first, and ``hint`` below them."""
        self._people = tuple(people)
        self._show_rows()
        self._hint.setText(hint)
        self._hint.setVisible(bool(hint))

    def _show_rows(self) -> None:
        looks = {one.peer: one for one in self._people}
        order = list(looks)
        if self.underMouse():
            kept = [peer for peer in self._rows if peer in looks]
            order = kept + [peer for peer in order if peer not in self._rows]
        order = self._with_focus(order)
        if order[: self._room] != list(self._rows):
            self._arrange(order[: self._room])
        for peer, row in self._rows.items():
            row.show_person(looks[peer])
        left = len(order) - len(self._rows)
        set_button(self._more, self.tr("Show more ({})").format(left), enabled=True)
        self._more.setVisible(left > 0)

    def _show_more(self) -> None:
        self._room += AT_ONCE
        self._show_rows()

    def _with_focus(self, order: list[str]) -> list[str]:
        """``order``, with whoever has the focus among those who are shown."""
        shown, rest = order[: self._room], order[self._room :]
        focused = next(
            (peer for peer in rest if peer in self._rows and has_focus(self._rows[peer])), None
        )
        if focused is None:
            return order
        rest[rest.index(focused)] = shown[-1]
        return [*shown[:-1], focused, *rest]

    def _arrange(self, order: Sequence[str]) -> None:
        """Put the rows into ``order``, with new ones made and others dropped."""
        self._rows = arrange(self._list, self._rows, order, self._row, harbour=self)
        in_turn_before(self._more, *self._rows.values())

    def _row(self, peer: str) -> "_PersonRow":
        return _PersonRow(peer, self._block)


class _PersonRow(QWidget):
    def __init__(self, peer: str, block: Callable[[str, bool], None]) -> None:
        super().__init__()
        self._shown: PersonViewModel | None = None
        self._name = label("", "heading")
        self._name.setToolTip(peer)
        self._state = label("", "muted")
        self._about = label("", "small", wrap=True)
        self._use = label("", "small", wrap=True)
        self.block = RowButton("")
        self.block.clicked.connect(lambda: block(peer, not self._is_blocked()))
        title = QHBoxLayout()
        title.setSpacing(theme.SPACE_S)
        title.addWidget(self._name)
        title.addWidget(self._state)
        title.addStretch()
        words = QVBoxLayout()
        words.setSpacing(2)
        words.addStretch()
        words.addLayout(title)
        words.addWidget(self._about)
        words.addWidget(self._use)
        words.addStretch()
        row = bare_row(self, theme.SPACE_M)
        row.addLayout(words, 1)
        row.addWidget(self.block, 0, Qt.AlignmentFlag.AlignVCenter)

    def show_person(self, person: PersonViewModel) -> None:
        """Draw ``person``."""
        if person == self._shown:
            return
        self._shown = person
        self._name.setText(person.name)
        self._show_state(person)
        self._about.setText(person.about)
        self._about.setVisible(bool(person.about))
        self._use.setText(person.use)
        words = self.tr("Unblock") if person.is_blocked else self.tr("Block")
        set_button(self.block, words, enabled=True)
        self.block.setAccessibleName(labelled(words, person.name))

    def _is_blocked(self) -> bool:
        return self._shown is not None and self._shown.is_blocked

    def _show_state(self, person: PersonViewModel) -> None:
        self._state.setText(person.state)
        role = "good" if person.is_here else "muted"
        set_style(self._state, "role", role)
