"""Which swarm the own model practises in, and how others get there."""

from collections.abc import Callable, Sequence

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QVBoxLayout

from app.pages.swarm.card import Card
from app.pages.swarm.destinations import decks_of, kind_of, title_of
from app.style import theme
from app.text.core_words import listed
from app.widgets.basics import announce, button, label, set_button, take_turns
from app.widgets.row_list import RowButton, arrange
from app.widgets.tab_order import in_turn
from core.api.swarm import OfferedSwarm, SwarmShown


class OwnCard(Card):
    """A function of what the settings name, and of whether the running node is there yet."""

    return_asked = Signal(str)  # name of an open swarm

    def __init__(
        self,
        invite: Callable[[], None],
        cancel: Callable[[], None],
        change: Callable[[], None],
        see: Callable[[], None],
    ) -> None:
        """``invite`` makes an invite, slowly where there are decks; ``cancel`` ends that.

        ``change`` lets the running node start again, in the other swarm; ``see`` shows the swarm's
        decks that are not here.
        """
        super().__init__(self.tr("Your swarm"))
        self._name = label("", "lead", wrap=True)
        self._kind = label("", "muted", wrap=True)
        self._late = Card(role="notice")
        self._late_words = label(
            self.tr(
                "Your model still practises in the swarm from before, "
                "and changes over with its next start."
            ),
            wrap=True,
        )
        self._change = button(self.tr("Change over now"))
        self._missing = Card(role="notice")
        self._see = button(self.tr("See its puzzles"))
        self._invite, self._cancel = button(self.tr("Invite others")), button(self.tr("Cancel"))
        self._making = label(self.tr("Leaving the puzzles where others meet…"), "muted", wrap=True)
        self._trouble = label("", "trouble", wrap=True)
        self._returns: dict[str, RowButton] = {}  # by the names of swarms
        self._ways = QVBoxLayout()
        self._ways.setSpacing(theme.SPACE_S)
        self._offered: tuple[OfferedSwarm, ...] = ()
        self._change.clicked.connect(change)
        self._invite.clicked.connect(invite)
        self._cancel.clicked.connect(cancel)
        self._late.column.addWidget(self._late_words)
        self._late.column.addWidget(self._change)
        self._see.clicked.connect(see)
        words = self.tr(
            "The puzzles of this swarm are not on this computer, so practice cannot begin."
        )
        self._missing.column.addWidget(label(words, wrap=True))
        self._missing.column.addWidget(self._see)
        about = (self._name, self._kind, self._missing, self._late)
        for widget in (*about, self._invite, self._cancel, self._making, self._trouble):
            self.column.addWidget(widget)
        self.column.addLayout(self._ways)
        for part in (self._missing, self._late, self._cancel, self._making, self._trouble):
            part.hide()

    def show_swarm(self, shown: SwarmShown) -> None:
        """Show where the next run goes, and the ways back from there."""
        self._name.setText(title_of(shown.swarm, shown.offered))
        words = [listed(one.words) for one in shown.offered if one.name == shown.swarm.wire]
        about = (*words, kind_of(shown.swarm), decks_of(shown.swarm))
        self._kind.setText("\n".join(filter(None, about)))
        self._missing.setVisible(shown.missing > 0)
        self._show_returns([one for one in shown.offered if one.name != shown.swarm.wire])

    def show_lateness(self, *, is_late: bool, is_changing: bool) -> None:
        """Say that the running node is elsewhere, or that it is about to change over."""
        self._late.setVisible(is_late or is_changing)
        words = self.tr("Finishing the round…") if is_changing else self.tr("Change over now")
        set_button(self._change, words, enabled=not is_changing)

    def show_trouble(self, words: str) -> None:
        """Say why there is no invite; nothing, where ``words`` are empty."""
        self._trouble.setText(words)
        self._trouble.setVisible(bool(words))
        announce(self._trouble, words)

    def show_making(self, *, is_making: bool) -> None:
        """Say that an invite takes its time: decks are on their way to where members meet."""
        take_turns(self._invite, self._cancel, is_open=is_making)
        self._making.setVisible(is_making)

    def _show_returns(self, offered: Sequence[OfferedSwarm]) -> None:
        if tuple(offered) == self._offered:
            return
        self._offered = tuple(offered)
        titles = {one.name: listed(one.title) for one in offered}

        def way_to(name: str) -> RowButton:
            made = RowButton(self.tr("Go to: {}").format(titles[name]))
            made.clicked.connect(lambda: self.return_asked.emit(name))
            return made

        self._returns = arrange(self._ways, self._returns, tuple(titles), way_to, harbour=self)
        in_turn(self._invite, self._cancel, *self._returns.values())
