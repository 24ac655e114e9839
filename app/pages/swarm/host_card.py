"""A meeting point on this computer: one switch, and what it means."""

from collections.abc import Callable

from PySide6.QtCore import QCoreApplication, QRegularExpression, Signal
from PySide6.QtGui import QRegularExpressionValidator
from PySide6.QtWidgets import QCheckBox, QLabel, QWidget

from app.backend.actions import Actions
from app.backend.helper_call import HelperCall
from app.pages.swarm.card import Card
from app.pages.swarm.fields import add_field, field
from app.text.error_words import told
from app.text.figures import figure
from app.text.plain_text import breakable
from app.widgets.basics import bare_column, button, label
from app.widgets.controls import fill_in
from core.api.requests import Refused
from core.api.swarm import HostHub, HubOpen
from core.settings import LEAST_PORT, MOST_PORT, MOST_URL, HostingSettings, Settings

translate = QCoreApplication.translate

_DIGITS = QRegularExpression("[1-9][0-9]*")  # QIntValidator would take 8.765 or 8,765, too


def meaning() -> str:
    """What it is, before anybody opens one."""
    return translate(
        "Swarm",
        "Here others meet who cannot reach each other: it hands on what they share, and trains "
        "nothing. It keeps answers for ten minutes, and puzzles of others (1 GB at most) for up to "
        "30 days. Open until you switch it off or quit Waggle.",
    )


def reach(hub: HubOpen) -> str:
    """Where it is found."""
    return translate("Swarm", "Open. Others find it at {}.").format(
        translate("Swarm", " or ").join(breakable(address) for address in hub.addresses)
    )


def beyond(port: str) -> str:
    """Who does not find it there, and what to do about it."""
    return translate(
        "Swarm",
        "Those on your own network reach it, once your firewall allows it. From the internet, it "
        "can be reached if your router passes port {} on to this computer. For a meeting point "
        "that is always open, see docs/hosting.md, which comes with Waggle's source.",
    ).format(port)


def company(visitors: int) -> str:
    """Who has been there lately."""
    if visitors == 0:
        return translate("Swarm", "Nobody has left anything there yet.")
    if visitors == 1:
        return translate("Swarm", "1 computer left something there in the last ten minutes.")
    some = translate("Swarm", "{} computers left something there in the last ten minutes.")
    return some.format(figure(visitors))


class HostCard(Card):
    """Has the helper open and close it, and shows what the helper says of it."""

    chosen = Signal(object)  # HostingSettings: what is asked for now
    changed = Signal()  # it opened, closed, or moved
    use_asked = Signal(str)  # URL: the own model is to meet others there, too

    def __init__(self, actions: Actions, invite: Callable[[], None]) -> None:
        super().__init__(self.tr("Host a meeting point"))
        self.hub: HubOpen | None = None  # while it is open
        self._actions = actions
        self._call: HelperCall | None = None  # while it is to be open
        self._hubs: tuple[str, ...] = ()  # where the own model meets others
        self._switch = QCheckBox(self.tr("Open one on this computer"))
        self._switch.setAccessibleName(self._switch.text())
        self._state = label("", "muted", wrap=True)
        self._trouble = label("", "trouble", wrap=True)
        self._open = QWidget()
        self._where, self._who, self._beyond = _lines()
        self._invite = button(self.tr("Invite others to it"))
        self._use = button(self.tr("Meet others there, too"))
        self._closed = QWidget()
        self._port = field(self.tr("Port"), most=5)
        self._port.setValidator(QRegularExpressionValidator(_DIGITS, self._port))
        self._url = field(
            self.tr("Its address from outside, if it has one"),
            self.tr("https://hub.example.org"),
            most=MOST_URL,
        )
        self._switch.clicked.connect(self._on_switch)
        self._invite.clicked.connect(invite)
        self._use.clicked.connect(lambda: self.use_asked.emit(self._own_url()))
        self._lay_out()
        self._show()

    def show_settings(self, settings: Settings) -> None:
        """Fill in what was chosen last; what is being typed stays, and while it is open, all."""
        self._hubs = settings.swarm.hubs
        chosen = ((self._port, str(settings.hosting.port)), (self._url, settings.hosting.url))
        for entry, words in chosen:
            if self._call is None:
                fill_in(entry, words)
        self._show()

    def _on_open(self, hub: HubOpen) -> None:
        self.hub = hub
        self._trouble.hide()
        self._show()
        self.changed.emit()

    def _on_refused(self, why: Refused) -> None:
        self._on_closed()
        self._trouble.setText(told(why))
        self._trouble.show()

    def _on_closed(self) -> None:
        self._call = self.hub = None
        self._trouble.hide()
        self._show()
        self.changed.emit()

    def _on_switch(self) -> None:
        if self._call is not None:
            self._call.cancel()
        else:
            port, url = _port_of(self._port.text()), self._url.text().strip()
            if port is None:
                self._refuse_port()
                return
            for entry in (self._port, self._url):
                entry.setModified(False)  # from now on it is what was chosen
            self.chosen.emit(HostingSettings(port=port, url=url))
            self._call = self._actions.call(HostHub(port=port, url=url))
            self._call.progress.connect(self._on_open)
            self._call.refused.connect(self._on_refused)
            self._call.cancelled.connect(self._on_closed)
        self._trouble.hide()
        self._show()

    def _show(self) -> None:
        is_wanted = self._call is not None
        self._switch.setChecked(is_wanted)
        self._state.setText(self.tr("Opening…") if is_wanted and self.hub is None else meaning())
        self._state.setVisible(self.hub is None)
        self._closed.setVisible(not is_wanted)
        self._open.setVisible(self.hub is not None)
        if self.hub is not None:
            self._where.setText(reach(self.hub))
            self._who.setText(company(self.hub.visitors))
            self._beyond.setText(beyond(self._port.text()))
            self._use.setVisible(self._own_url() not in self._hubs)

    def _refuse_port(self) -> None:
        self._switch.setChecked(False)
        words = self.tr("A port is a number from {} to {}.").format(LEAST_PORT, MOST_PORT)
        self._trouble.setText(words)
        self._trouble.show()
        self._port.setFocus()

    def _own_url(self) -> str:
        return f"http://127.0.0.1:{self._port.text()}"

    def _lay_out(self) -> None:
        closed = bare_column(self._closed)
        add_field(closed, self._url)
        add_field(closed, self._port)
        opened = bare_column(self._open)
        for part in (self._where, self._who, self._invite, self._use, self._beyond):
            opened.addWidget(part)
        for whole in (self._switch, self._trouble, self._state, self._open, self._closed):
            self.column.addWidget(whole)
        self._trouble.hide()


def _port_of(typed: str) -> int | None:
    port = int(typed or 0)  # of digits: the field takes nothing else
    return port if LEAST_PORT <= port <= MOST_PORT else None


def _lines() -> tuple[QLabel, QLabel, QLabel]:
    return label("", wrap=True), label("", "muted", wrap=True), label("", "small", wrap=True)
