"""*Meeting others*: which swarm, by which ways, and through which proxy."""

import msgspec
from PySide6.QtWidgets import QLineEdit, QVBoxLayout, QWidget

from app.backend.actions import Actions
from app.pages.settings.section import Section
from app.state.app_state import AppState
from app.state.fields import Field
from app.state.intents import Open
from app.style import theme
from app.style.theme import Palette
from app.widgets.basics import button, label, set_style
from app.widgets.controls import Number, fill_in
from app.widgets.rows import Group, SettingRow, group_of
from core.settings import MOST_PORT, MOST_URL, ProxyUrl

_PROXY = Field("network", "proxy")
_INVITE = "waggle://"


class MeetingSection(Section):
    """Where others are met; all of it counts from the next start of practice."""

    def __init__(self, _palette: Palette, actions: Actions) -> None:
        super().__init__(actions)
        self._swarm = SettingRow(self.tr("Your swarm"), self._way_to_swarm())
        self._proxy = QLineEdit()
        self._proxy.setAccessibleName(self.tr("Proxy"))
        self._proxy.setPlaceholderText(self.tr("As this computer does it"))
        self._proxy.setMaxLength(MOST_URL)
        self._proxy.editingFinished.connect(self._on_proxy)
        self._wrong = label("", "trouble", wrap=True)
        self._wrong.hide()
        self.add(self._ways(), group_of(self.tr("Proxy"), self._proxy_field()))

    def show_state(self, state: AppState) -> None:
        """Show where others are met; a proxy that is being typed stays."""
        super().show_state(state)
        is_private = state.settings.swarm.name.startswith(_INVITE)
        private, public = self.tr("One that you were invited to."), self.tr("One that is open.")
        self._swarm.say(private if is_private else public)
        fill_in(self._proxy, _PROXY.of(state.settings))

    def _on_proxy(self) -> None:
        typed = self._proxy.text().strip()
        try:
            msgspec.convert(typed, ProxyUrl)
        except msgspec.ValidationError:
            self._mark(
                self.tr("Give it with its port, such as http://proxy:3128, or leave it empty.")
            )
            return
        self._mark("")
        if self._proxy.isModified():
            self._proxy.setModified(False)
            self._actions.dispatch(_PROXY.keep(typed))

    def _mark(self, trouble: str) -> None:
        self._wrong.setText(trouble)
        self._wrong.setVisible(bool(trouble))
        set_style(self._proxy, "wrong", bool(trouble))

    def _ways(self) -> QWidget:
        port = Number(self.tr("Port"), MOST_PORT, self.tr("Any free one"))
        made = Group(
            self.tr("Where others are met"),
            self._swarm,
            self.switch(
                self.tr("On this network"),
                "swarm.lan",
                self.tr("Finds others who use the same router, without the internet."),
            ),
            self.switch(
                self.tr("On the internet, without a meeting point"),
                "swarm.internet",
                self.tr(
                    "Looks for others through the BitTorrent network, and is found there. "
                    "It shows this computer's internet address to those who look."
                ),
            ),
            SettingRow(
                self.tr("Port for others"),
                self.bind(port, "swarm.port"),
                self.tr("Only of interest where a router or a firewall has to know it."),
            ),
        )
        made.put_last(label(self.tr("This counts from the next start of practice."), "small"))
        return made

    def _way_to_swarm(self) -> QWidget:
        made = button(self.tr("Open Swarm"), kind="small")
        made.clicked.connect(lambda: self._actions.dispatch(Open("swarm")))
        return made

    def _proxy_field(self) -> QWidget:
        words = self.tr(
            "The way to models and to meeting points outside, such as http://proxy:3128. Counts "
            "from the next start of Waggle."
        )
        made = QWidget()
        column = QVBoxLayout(made)
        column.setContentsMargins(0, 0, 0, theme.SPACE_XS)
        column.setSpacing(theme.SPACE_S)
        column.addWidget(label(words, "small", wrap=True))
        column.addWidget(self._proxy)
        column.addWidget(self._wrong)
        return made
