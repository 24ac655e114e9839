"""The second step: how large a model."""

from PySide6.QtWidgets import QButtonGroup, QVBoxLayout

from app.backend.actions import Actions
from app.backend.latest_call import LatestCall
from app.pages.welcome.sizes import SizeOption, at_hand, options
from app.pages.welcome.step import WelcomeStep
from app.state.app_state import AppState
from app.style import theme
from app.text.error_words import told
from app.widgets.basics import drop, label
from app.widgets.choice_card import ChoiceCard, ChoiceWords
from app.widgets.row_list import has_focus
from app.widgets.tab_order import in_turn
from core.api.models import ListModels, ModelsListed
from core.api.requests import Refused


class SizeStep(WelcomeStep):
    """The starter is chosen unless somebody chooses another: it works at once, and offline."""

    def __init__(self, actions: Actions) -> None:
        super().__init__()
        self._call = LatestCall(actions)
        self._options: tuple[SizeOption, ...] = ()
        self._cards: dict[str, ChoiceCard] = {}
        self._chosen = ""
        self._group = QButtonGroup(self)
        self._news = label("", "muted", wrap=True)
        self._list = QVBoxLayout()
        self._list.setSpacing(theme.SPACE_S)
        lead = self.tr(
            "A small one learns quickly and runs on anything. A larger one can learn more, and "
            "takes longer. You can change it whenever you like."
        )
        self.column.addWidget(label(self.tr("Choose a size."), "hero", wrap=True))
        self.column.addWidget(label(lead, "lead", wrap=True))
        self.column.addWidget(self._news)
        self.column.addLayout(self._list)
        self.column.addStretch(1)

    @property
    def chosen(self) -> SizeOption:
        """What the person wants."""
        return next(one for one in self._options if one.id == self._chosen)

    def begin(self, state: AppState) -> None:
        """Offer what needs nothing looked up."""
        self._options = at_hand(state.choices)
        known = {one.id for one in self._options}
        self._chosen = state.chosen if state.chosen in known else self._options[0].id
        self._rebuild()

    def look(self) -> None:
        """Ask what else there is, and what fits this computer."""
        self._news.setText(self.tr("Looking at what else fits this computer…"))
        self._call.make(ListModels(), self._on_listed, self._on_refused)

    def _on_listed(self, listed: ModelsListed) -> None:
        """Offer what was found; where nothing was, the starters stay."""
        found = options(listed.models)
        if self._chosen in {one.id for one in found}:
            self._options = found
            self._rebuild()
        self._show_news()

    def _on_refused(self, why: Refused) -> None:
        self._news.setText(told(why))

    def _rebuild(self) -> None:
        """Make the cards anew; the keyboard stays where it was, and takes them where they stand."""
        before = [card.radio for card in self._cards.values()]
        focused = any(map(has_focus, before))
        for card in self._cards.values():
            self._group.removeButton(card.radio)
            drop(card, self._list)
        self._cards = {one.id: _card(one) for one in self._options}
        for id_, card in self._cards.items():
            self._group.addButton(card.radio)
            self._list.addWidget(card)
            card.radio.clicked.connect(lambda _on=True, id_=id_: self._choose(id_))
        in_turn(*before[:1], *(card.radio for card in self._cards.values()))
        self._choose(self._chosen)
        if focused:
            self._cards[self._chosen].radio.setFocus()

    def _choose(self, id_: str) -> None:
        self._chosen = id_
        for other, card in self._cards.items():
            card.mark(chosen=other == id_)
        self._show_news()
        self.changed.emit()

    def _show_news(self) -> None:
        """What choosing this model means; always something, so that the cards stay in place."""
        here = self.tr("It is on this computer already, so it can begin at once.")
        away = self.tr(
            "It is downloaded when you begin. Until it is here and you switch to it, the model "
            "that you have goes on."
        )
        self._news.setText(here if self.chosen.is_here else away)


def _card(option: SizeOption) -> ChoiceCard:
    words = ChoiceWords(option.title, option.sentence, option.facts, option.reason)
    return ChoiceCard(words, role="body", enabled=option.may_be_chosen)
