"""The window: joins pages, settings, engine and helper, and decides nothing else."""

from dataclasses import replace
from typing import assert_never

import msgspec
from PySide6.QtCore import QSize, QTimer, QUrl, Signal
from PySide6.QtGui import QCloseEvent, QDesktopServices, QKeySequence, QShortcut
from PySide6.QtWidgets import QMainWindow

from app.backend.helper_call import HelperCall
from app.backend.processes import Connectors, Processes
from app.backend.settings_writer import SettingsWriter
from app.desktop.background import Background
from app.desktop.single_instance import Opening
from app.desktop.updating import Updating
from app.shell.geometry import bring_up, geometry_of, keep_geometry, restore
from app.shell.losing_dialog import ask_to_lose
from app.shell.root_view import RootView
from app.state.app_state import AppState, linked, with_reply
from app.state.engine_status import EngineStatus
from app.state.fields import Field
from app.state.intents import (
    BringUp,
    Change,
    Choose,
    Intent,
    JoinChosen,
    Keep,
    Open,
    Quit,
    Reveal,
)
from app.state.opening import first_state
from app.state.round_pace import redraw_ms
from app.style.appearance import Appearance
from app.text.error_words import explain_error
from core.api.events import Command, Event, Join
from core.api.message import JsonMessage
from core.api.preview import PuzzleTried
from core.api.protocol import AnyAnswer
from core.api.requests import Request
from core.api.state import apply, ask
from core.errors import WaggleError
from core.paths import Home
from core.settings import Settings

MIN_SIZE = QSize(900, 600)
START_SIZE = QSize(1100, 720)


class MainWindow(QMainWindow):
    """One window on one home."""

    leaving = Signal()  # what runs is being put away; another window may take its place
    left = Signal()  # it is closed for good

    def __init__(self, home: Home, connectors: Connectors, appearance: Appearance) -> None:
        super().__init__()
        self._home = home
        self._connectors = connectors
        self._appearance = appearance
        self.dress = appearance.dress
        self._hubs: tuple[str, ...] = ()  # where others are met; if empty, as the settings have it
        self._processes: Processes | None = None
        self._keeper: SettingsWriter | None = None
        self._state: AppState | None = None
        self._is_quitting = self._may_lose = False  # closing is the end; even of an exam
        self._refresh = QTimer(self, singleShot=True)
        self._refresh.timeout.connect(self._show)
        self._stages = RootView(appearance.palette, self, self._begin)
        self.background = Background(self, self)
        self.updating = Updating(self, self)
        self.setCentralWidget(self._stages)
        self.setWindowTitle("Waggle")
        self.setMinimumSize(MIN_SIZE)
        self.resize(START_SIZE)
        for part in self._stages.parts:
            self.dress(part)
        appearance.palette_changed.connect(self._stages.show_palette)
        self.updating.found.connect(self.background.tell)
        QShortcut(QKeySequence("Ctrl+Q"), self).activated.connect(self.quit)
        self._begin()

    @property
    def state(self) -> AppState | None:
        """What the pages show; None before the home could be opened."""
        return self._state

    def open_with(self, opening: Opening) -> None:
        """See to what a start of Waggle asked for, be it this one or another."""
        self._hubs = opening.hubs or self._hubs
        if opening.link:
            self._stages.open("swarm", opening.link)
        if not opening.background:
            bring_up(self)

    def start_hidden(self) -> None:
        """Begin without a window in the way: practise at once, where that was agreed to before."""
        self.background.insists = True
        self._show()
        if not self.background.keeps:
            self.showMinimized()
        if self._state is not None and self._state.settings.window.consent:
            self._join_chosen()

    def quit(self) -> None:
        """Close for good, tray or not; engine and helper put things away first."""
        self._is_quitting = True
        self.close()

    def quit_in_haste(self) -> None:
        """The same, asking nobody, and returning once that is done, a few seconds later at most."""
        self._may_lose = True
        self.quit()
        if self._processes is not None:
            self._processes.wait()

    def closeEvent(self, event: QCloseEvent) -> None:  # noqa: N802 - Qt's name
        """Let engine and helper put things away first; a second close does not wait."""
        if self._state is not None:
            keep_geometry(self._home, geometry_of(self, self._stages.page))
        self._finish_settings()
        if self.background.keeps and not self._is_quitting:
            self.hide()
            self.background.say_hidden()
            event.ignore()
            return
        if not self._is_leaving:
            event.setAccepted(self._let_go())
        if event.isAccepted():
            self.background.leave()
            self.left.emit()

    @property
    def _is_leaving(self) -> bool:
        return self._state is not None and self._state.is_leaving

    def _on_thought_over(self, lose: bool) -> None:  # noqa: FBT001 - as it was answered
        if not self._is_leaving:  # or the system asked for the end meanwhile
            self._may_lose = self._is_quitting = lose
            (self.close if lose else self.updating.stay)()

    def _let_go(self) -> bool:
        """Have engine and helper put things away; whether there is nothing to wait for."""
        if self._state is None or self._processes is None:
            return True
        if self._processes.helper.would_lose and not self._may_lose:
            bring_up(self)  # it may be hidden, and closed from the tray
            ask_to_lose(self, self._on_thought_over, self.dress)
            return False
        if self._processes.is_running:
            self.leaving.emit()
            self._stages.show_saving()
        self._become(replace(self._state, is_leaving=True))
        self._processes.let_go()
        return not self._processes.is_running  # an engine that waits ends at once

    def _begin(self) -> None:
        """Open the home and show the stage that it calls for."""
        try:
            state = first_state(self._home)
        except WaggleError as error:
            self._stages.show_trouble(explain_error(error))
            return
        self._apply_settings(state.settings)
        self._connect_processes()
        self._keeper = SettingsWriter(self, self._home.settings, state.settings)
        self._keeper.kept.connect(self._apply_settings)
        page = restore(self, self._home)
        self._become(state)
        self._stages.begin(state, page)

    def _connect_processes(self) -> None:
        self._processes = self._connectors.connect(self._home)
        self._processes.engine.event_received.connect(self._on_event)
        self._processes.engine.link_changed.connect(self._on_link)
        self._processes.helper.answered.connect(self._on_answer)
        self._processes.ended.connect(self._leave_when_ready)

    def dispatch(self, wish: Intent | Command) -> None:
        """Do what a page asks for; while the window is leaving, nothing is begun any more."""
        if self._is_leaving and not isinstance(wish, Quit | BringUp):
            return
        match wish:
            case Join():
                self._join(wish)
            case JsonMessage():
                self._steer(wish)
            case _:
                self._handle(wish)

    def call(self, request: Request) -> HelperCall:
        """Have the helper do ``request``; it finds in the file what was chosen."""
        if self._processes is None:  # no page is shown then
            raise RuntimeError("There is no helper before the home is open.")
        self._finish_settings()
        return self._processes.helper.call(request)

    def _handle(self, intent: Intent) -> None:
        match intent:
            case Open():
                self._stages.open(intent.page, intent.subject)
            case BringUp():
                bring_up(self)
            case JoinChosen():
                self._join_chosen()
            case Keep():
                self._keep(intent.change)
            case Choose():
                self._choose(intent.model)
            case Reveal():
                QDesktopServices.openUrl(QUrl.fromLocalFile(str(intent.path or self._home.logs)))
            case Quit():
                self._quit_for(intent.then)
            case _:
                assert_never(intent)

    def _quit_for(self, then: tuple[str, ...]) -> None:
        self.updating.leave_for(then)
        if not self._is_leaving:  # or closing once more would not wait for what is saved
            self.quit()

    def _finish_settings(self) -> None:
        """Write what was chosen, before somebody reads the file."""
        if self._keeper is not None:
            self._keeper.finish()

    def _join_chosen(self) -> None:
        if self._state is not None:
            self._join(self._state.join)

    def _join(self, join: Join) -> None:
        self._finish_settings()
        if self._state is None or self._processes is None:
            return
        join = msgspec.structs.replace(join, hubs=join.hubs or self._hubs)
        self._become(replace(self._state, node=ask(self._state.node, join), problem=""))
        self._processes.engine.join(join)

    def _steer(self, wish: Command) -> None:
        self._finish_settings()
        if self._state is not None and self._processes is not None:
            self._become(replace(self._state, node=ask(self._state.node, wish)))
            self._processes.engine.send(wish)

    def _on_event(self, event: Event) -> None:
        if isinstance(event, PuzzleTried):
            self._stages.see(event)
        if self._state is not None:
            before, node = self._state.node, apply(self._state.node, event)
            if node is before:
                return
            self._state = replace(self._state, node=node)
            if (wait := redraw_ms(before, node, is_planned=self._refresh.isActive())) is not None:
                self._refresh.start(wait)

    def _leave_when_ready(self) -> None:
        if self._is_leaving and self._processes is not None and not self._processes.is_running:
            self.close()

    def _choose(self, model: str) -> None:
        if self._state is not None:
            self._become(replace(self._state, chosen=model))
        self._keep(Field("window", "model").keep(model).change)

    def _on_answer(self, answer: AnyAnswer) -> None:
        if self._state is not None:
            self._become(with_reply(self._state, answer))

    def _on_link(self, link: EngineStatus) -> None:
        if self._state is not None:
            self._become(linked(self._state, link))

    def _become(self, state: AppState) -> None:
        if state != self._state:
            self._state = state
            self._show()

    def _show(self) -> None:
        if self._state is not None:
            self._stages.show_state(self._state)
            self.background.show_state(self._state)
            self.updating.show_state(self._state)

    def _keep(self, change: Change) -> None:
        """Change the settings: here at once, in the file soon."""
        if self._state is not None and self._keeper is not None:
            # First: in the redraw that follows, a page may ask the helper, which reads the file.
            self._keeper.keep(change)
            self._apply_settings(change(self._state.settings), self._state.problem)

    def _apply_settings(self, settings: Settings, problem: str = "") -> None:
        self._appearance.choose(settings.window.theme, settings.window.colours)
        if self._state is not None:
            self._become(replace(self._state, settings=settings, problem=problem))
