"""The choice between models: one card each, a radio button inside."""

from collections.abc import Sequence

from PySide6.QtCore import QCoreApplication, Qt
from PySide6.QtWidgets import QButtonGroup, QVBoxLayout, QWidget

from app.backend.actions import Actions
from app.state.intents import Choose, Open
from app.state.model_choices import ModelChoice, offered
from app.style import theme
from app.text.core_words import listed
from app.text.model_words import round_time
from app.widgets.basics import bare_column, button, drop
from app.widgets.choice_card import ChoiceCard, ChoiceWords
from app.widgets.tab_order import in_turn_before

translate = QCoreApplication.translate


class ModelCards(QWidget):
    """Exactly one model is chosen at any time."""

    def __init__(self, actions: Actions) -> None:
        super().__init__()
        self._actions = actions
        self._cards: dict[str, ChoiceCard] = {}
        self._shown: tuple[ModelChoice, ...] = ()
        self._guest = ""  # id of a model that is no starter
        self._group = QButtonGroup(self)
        self._more = button(self.tr("More models…"), kind="quiet")
        self._more.clicked.connect(lambda: actions.dispatch(Open("models")))
        self._column = QVBoxLayout()
        self._column.setSpacing(theme.SPACE_S)
        whole = bare_column(self)
        whole.addLayout(self._column)
        whole.addWidget(self._more, 0, Qt.AlignmentFlag.AlignLeft)

    def show_choices(self, choices: Sequence[ModelChoice], chosen: str) -> None:
        """Offer the starters among ``choices`` and the one that is ``chosen``, which is marked.

        Another one that was chosen before stays, so that one can go back to it. Does nothing where
        nothing changed.
        """
        if any(choice.id == chosen and choice.repo for choice in choices):
            self._guest = chosen
        shown = offered(choices, self._guest)
        if self._shown != shown:
            self._shown = shown
            self._rebuild(shown)
        for id_, card in self._cards.items():
            card.mark(chosen=id_ == chosen)

    def _rebuild(self, choices: Sequence[ModelChoice]) -> None:
        for card in self._cards.values():
            self._group.removeButton(card.radio)
            drop(card, self._column)
        self._cards = {
            one.id: ChoiceCard(ChoiceWords(one.title, _sentence(one))) for one in choices
        }
        for id_, card in self._cards.items():
            self._group.addButton(card.radio)
            self._column.addWidget(card)
            choose = Choose(id_)
            card.radio.clicked.connect(lambda _on=True, to=choose: self._actions.dispatch(to))
        in_turn_before(self._more, *(card.radio for card in self._cards.values()))


def _sentence(choice: ModelChoice) -> str:
    """What a person gains by choosing it, and what it takes."""
    said = listed(choice.sentence)
    if choice.round_s is None:
        return said
    time = translate("ModelCards", "Here a round takes {}.").format(round_time(choice.round_s))
    return f"{said} {time}".strip()
