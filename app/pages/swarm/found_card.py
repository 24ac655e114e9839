"""A swarm of one's own: a name, who may take part, and where its members meet."""

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QButtonGroup, QRadioButton

from app.backend.actions import Actions
from app.backend.latest_call import LatestCall
from app.pages.swarm.card import Card
from app.pages.swarm.fields import add_field, field
from app.style import theme
from app.text.error_words import told
from app.widgets.basics import button, hung, label
from core.api.requests import Refused
from core.api.swarm import MOST_HUBS, InviteMade, MakeInvite

MOST_NAME = 40


class FoundCard(Card):
    """Asks the helper for an invite to what the person describes."""

    made = Signal(object)  # InviteMade

    def __init__(self, actions: Actions) -> None:
        super().__init__(self.tr("Start a swarm of your own"))
        self._call = LatestCall(actions)
        self._name = field(self.tr("Its name"), self.tr("our-class"), most=MOST_NAME)
        self._private = _choice(self.tr("Private: by invite only"))
        self._open = _choice(self.tr("Open to anybody"))
        self._kinds = QButtonGroup(self)
        self._hubs = field(
            self.tr("Meeting points, if there are any; a space between them"),
            self.tr("https://hub.example.org"),
        )
        self._make = button(self.tr("Make the invite"))
        self._trouble = label("", "trouble", wrap=True)
        self._make.clicked.connect(self._ask)
        for line in (self._name, self._hubs):
            line.returnPressed.connect(self._ask)
        self._lay_out()

    def _ask(self) -> None:
        self._say("")
        hubs = tuple(self._hubs.text().replace(",", " ").split())
        name = self._name.text().strip()
        if not name:
            self._say(self.tr("Give it a name first, such as our-class."))
            self._name.setFocus()
        elif len(hubs) > MOST_HUBS:
            self._say(self.tr("An invite names up to {} meeting points.").format(MOST_HUBS))
        else:
            private = self._private.isChecked()
            request = MakeInvite(swarm=name, hubs=hubs, is_private=private)
            self._call.make(request, self._on_made, self._on_refused)

    def _on_refused(self, why: Refused) -> None:
        self._say(told(why))

    def _on_made(self, made: InviteMade) -> None:
        self._name.clear()
        self.made.emit(made)

    def _say(self, trouble: str) -> None:
        self._trouble.setText(trouble)
        self._trouble.setVisible(bool(trouble))

    def _lay_out(self) -> None:
        self._private.setChecked(True)
        add_field(self.column, self._name)
        for kind in (self._private, self._open):
            self._kinds.addButton(kind)
            self.column.addLayout(hung(kind, theme.RADIO_INSET))
        add_field(self.column, self._hubs)
        self.column.addWidget(self._make)
        self.column.addWidget(self._trouble)
        self._trouble.hide()


def _choice(words: str) -> QRadioButton:
    made = QRadioButton(words)
    made.setAccessibleName(words)
    return made
