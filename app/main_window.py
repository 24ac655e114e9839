"""The window: joins pages, settings and engine client, and decides nothing else."""

from collections.abc import Callable
from dataclasses import replace

import msgspec
from PySide6.QtCore import QSize, QTimer, QUrl
from PySide6.QtGui import QCloseEvent, QDesktopServices
from PySide6.QtWidgets import (
    QFrame,
    QHBoxLayout,
    QMainWindow,
    QStackedWidget,
    QVBoxLayout,
    QWidget,
)

from app import theme
from app.appearance import Appearance
from app.engine_client import EngineClient
from app.home.look import HomeState
from app.home.page import HomePage
from app.link import Link
from app.messages import SavingPage, TroublePage
from app.model_choices import load_choices
from app.welcome.page import WelcomePage
from app.widgets import label, picture
from core.engine.events import Event, Finish, Join, Pause, Resume, Stop, Stopped
from core.engine.state import apply, ask
from core.errors import WaggleError
from core.paths import Home
from core.settings import load_settings, save_settings

MIN_SIZE = QSize(900, 600)
START_SIZE = QSize(1100, 720)
REFRESH_MS = 120  # phases of a small model are shorter than a person can read
WARM_UP_MS = 150  # after joining: the first words are painted by then

_Wish = Pause | Resume | Finish | Stop


class MainWindow(QMainWindow):
    """One window on one home; ``connect_engine`` makes the client once the home is usable.

    ``hubs`` are where others are met; where there are none, those in the settings.
    """

    def __init__(
        self,
        home: Home,
        connect_engine: Callable[[Home], EngineClient],
        appearance: Appearance,
        hubs: tuple[str, ...] = (),
    ) -> None:
        super().__init__()
        self._home = home
        self._connect_engine = connect_engine
        self._appearance = appearance
        self._hubs = hubs
        self._client: EngineClient | None = None
        self._state: HomeState | None = None
        self._may_close = False
        self._refresh = QTimer(self, singleShot=True, interval=REFRESH_MS)
        self._refresh.timeout.connect(self._show)
        self._welcome, self._page = WelcomePage(), HomePage(appearance.palette)
        self._trouble, self._saving = TroublePage(), SavingPage()
        self._pages = QStackedWidget()
        self.setWindowTitle("Waggle")
        self.setMinimumSize(MIN_SIZE)
        self.resize(START_SIZE)
        self._lay_out()
        self._connect()
        self._begin()

    @property
    def state(self) -> HomeState | None:
        """What Home shows; None before the home could be opened."""
        return self._state

    def closeEvent(self, event: QCloseEvent) -> None:  # noqa: N802 - Qt's name
        """Let the engine save first; the window answers meanwhile."""
        if self._may_close or self._client is None or not self._client.link.is_running:
            event.accept()
            return
        event.ignore()
        self._may_close = True
        self._pages.setCurrentWidget(self._saving)
        self._client.close()

    def _begin(self) -> None:
        """Open the home and show the page that it calls for."""
        try:
            self._home.prepare()
            settings = load_settings(self._home.settings)
            choices = load_choices()
        except WaggleError as error:
            self._trouble.show_words(str(error))
            self._pages.setCurrentWidget(self._trouble)
            return
        self._appearance.choose(settings.window.theme)
        known = {choice.id for choice in choices}
        chosen = settings.window.model if settings.window.model in known else choices[0].id
        self._state = HomeState(choices=choices, chosen=chosen)
        self._client = self._connect_engine(self._home)
        self._client.event_received.connect(self._on_event)
        self._client.link_changed.connect(self._on_link)
        self._pages.setCurrentWidget(self._page if settings.window.consent else self._welcome)
        self._show()

    def _on_agreed(self) -> None:
        self._keep(consent=True)
        self._pages.setCurrentWidget(self._page)

    def _on_model_chosen(self, model: str) -> None:
        if self._state is not None:
            self._become(replace(self._state, chosen=model))
        self._keep(model=model)

    def _on_join(self) -> None:
        if self._state is None or self._client is None:
            return
        join = Join(model=self._state.chosen, hubs=self._hubs)
        self._become(replace(self._state, node=ask(self._state.node, join), problem=""))
        self._client.join(join)
        QTimer.singleShot(WARM_UP_MS, self, self._page.warm_up)

    def _wish(self, wish: _Wish) -> None:
        if self._state is not None and self._client is not None:
            self._become(replace(self._state, node=ask(self._state.node, wish)))
            self._client.send(wish)

    def _on_event(self, event: Event) -> None:
        if self._state is not None:
            self._state = replace(self._state, node=apply(self._state.node, event))
            if not self._refresh.isActive():
                self._refresh.start()

    def _on_link(self, link: Link) -> None:
        if self._state is None:
            return
        node = self._state.node
        if link.phase == "off" and node.is_live:  # it ended on the way to what was asked
            node = apply(node, Stopped(round=node.round))
        self._become(replace(self._state, link=link, node=node))
        if self._may_close and not link.is_running:
            self.close()

    def _become(self, state: HomeState) -> None:
        self._state = state
        self._show()

    def _show(self) -> None:
        if self._state is not None:
            self._page.show_state(self._state)

    def _keep(self, **changes: object) -> None:
        """Write changes of the window's settings, on top of what the file holds by now."""
        path = self._home.settings
        try:
            settings = load_settings(path)
            window = msgspec.structs.replace(settings.window, **changes)
            save_settings(msgspec.structs.replace(settings, window=window), path)
        except WaggleError as error:
            if self._state is not None:
                self._become(replace(self._state, problem=str(error)))

    def _open_logs(self) -> None:
        QDesktopServices.openUrl(QUrl.fromLocalFile(str(self._home.logs)))

    def _connect(self) -> None:
        page = self._page
        page.join_asked.connect(self._on_join)
        page.retry_asked.connect(self._on_join)
        page.model_chosen.connect(self._on_model_chosen)
        page.pause_asked.connect(lambda: self._wish(Pause()))
        page.resume_asked.connect(lambda: self._wish(Resume()))
        page.finish_asked.connect(lambda: self._wish(Finish()))
        page.stop_asked.connect(lambda: self._wish(Stop()))
        page.log_folder_asked.connect(self._open_logs)
        self._welcome.agreed.connect(self._on_agreed)
        self._trouble.retry_asked.connect(self._begin)
        self._appearance.palette_changed.connect(page.set_palette_of_page)

    def _lay_out(self) -> None:
        for page in (self._welcome, self._page, self._trouble, self._saving):
            self._pages.addWidget(page)
        middle = QWidget()
        middle.setProperty("role", "page")
        column = QVBoxLayout(middle)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(_header())
        column.addWidget(self._pages, 1)
        self.setCentralWidget(middle)


def _header() -> QFrame:
    bar = QFrame()
    bar.setProperty("role", "header")
    row = QHBoxLayout(bar)
    row.setContentsMargins(theme.SPACE_XL, theme.SPACE_M, theme.SPACE_XL, theme.SPACE_M)
    row.setSpacing(theme.SPACE_S)
    row.addWidget(picture(theme.SPACE_XL))
    row.addWidget(label("Waggle", "brand"))
    row.addStretch()
    return bar
