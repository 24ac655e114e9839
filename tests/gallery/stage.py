"""The window in front of the camera: brought from state to state as a person's wishes would."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from time import monotonic
from typing import Final, TypeVar

from PySide6.QtGui import QCursor
from PySide6.QtWidgets import QScrollArea, QWidget

from app.backend.engine_client import EngineClient
from app.backend.processes import Connectors
from app.main import connect_engine, connect_helper, language_of, open_application
from app.shell.main_window import MainWindow
from app.state.app_state import AppState
from app.state.intents import Intent, Open, PageName
from app.style.appearance import Appearance, TransitionCover
from app.text.translation import translate
from core.api.events import Command
from core.paths import Home
from tests.gallery.camera import Camera, Theme, tell
from tests.gallery.faults import faults
from tests.screen import settle

Kind = TypeVar("Kind", bound=QWidget)

TIMEOUT_S: Final = 240.0
MOST_SCREENS: Final = 6
"""How far down a page is followed."""


@dataclass
class Stage:
    """A window with its engine, and the pictures taken of it."""

    home: Home
    window: MainWindow
    engine: EngineClient
    appearance: Appearance
    camera: Camera
    taken: int = 0
    found: list[str] = field(default_factory=list)

    @property
    def state(self) -> AppState:
        """What the pages show."""
        assert self.window.state is not None
        return self.window.state

    def the(self, kind: type[Kind]) -> Kind:
        """The one widget of that kind."""
        return self.window.findChildren(kind)[0]

    def wish(self, wanted: Intent | Command) -> None:
        """Ask for it, as a page would."""
        self.window.dispatch(wanted)

    def open(self, page: PageName) -> None:
        """Go to ``page``."""
        self.wish(Open(page))
        settle(0.2)

    def wait(self, ready: Callable[[], bool], what: str, timeout_s: float = TIMEOUT_S) -> bool:
        """Let the window work until it is ``ready``; where it never is, that is a fault."""
        end = monotonic() + timeout_s
        while not ready():
            settle(0.2)
            if monotonic() > end:
                self.found.append(f"never came: {what}")
                return False
        return True

    def tell_faults(self) -> int:
        """Write what was found to be wrong, a line each; 1 where anything was."""
        for fault in self.found:
            tell(f"    {fault}")
        return 1 if self.found else 0

    def take(self, name: str) -> None:
        """Pictures of what is shown now, in every size and theme, and of what is further down."""
        for size in self.camera.sizes:
            self.window.resize(*size)
            settle(0.3)
            for theme in self.camera.themes:
                self.appearance.choose(theme)
                self.wait(lambda: not self.window.findChildren(TransitionCover), "new colours")
                self._take_down(f"{name}-{size[0]}x{size[1]}", theme)

    def _take_down(self, name: str, theme: Theme) -> None:
        area = self._scrolled()
        if area is not None:
            area.verticalScrollBar().setValue(0)
        self._shoot(name, theme)
        for screen in range(2, MOST_SCREENS):
            if area is None:
                return
            bar = area.verticalScrollBar()
            if bar.value() >= bar.maximum():
                break
            bar.setValue(bar.value() + area.viewport().height() - 40)
            self._shoot(f"{name}-{screen}", theme)
        if area is not None:
            area.verticalScrollBar().setValue(0)

    def _shoot(self, name: str, theme: Theme) -> None:
        settle(0.25)
        camera = self.camera
        camera.folder.mkdir(parents=True, exist_ok=True)
        picture = self.window.screen().grabWindow(self.window.winId())
        path = camera.folder / f"{name}-{theme}.png"
        if not picture.save(str(path), "PNG", 90):
            raise OSError(f"cannot write {path}")
        self.taken += 1
        if theme != camera.themes[0]:
            return  # colours cut no text
        for fault in faults(self.window, camera.language):
            line = f"{name}: {fault}"
            if line not in self.found:
                self.found.append(line)

    def _scrolled(self) -> QScrollArea | None:
        """The largest area that is shown and can be scrolled down."""
        areas = [area for area in self.window.findChildren(QScrollArea) if area.isVisible()]
        longer = [area for area in areas if area.verticalScrollBar().maximum() > 0]
        return max(longer, key=lambda area: area.height(), default=None)


@contextmanager
def opened(home: Home, camera: Camera) -> Iterator[Stage]:
    """The window on ``home`` as ``app.main`` opens it; put away as a person would."""
    app = open_application()
    translate(app, language_of(home))
    app.setQuitOnLastWindowClosed(False)
    engines: list[EngineClient] = []

    def connect(of: Home) -> EngineClient:
        engines.append(connect_engine(of))
        return engines[-1]

    appearance = Appearance(app)
    window = MainWindow(home, Connectors(connect, connect_helper), appearance)
    window.show()
    stage = Stage(home, window, engines[0], appearance, camera)
    try:
        QCursor.setPos(0, 0)  # or the mouse in the middle would point at something
        yield stage
    finally:
        window.quit()
        stage.wait(lambda: not window.isVisible(), "the end of the window", 30)
        app.quit()
