"""The page *Practice*: puzzles as they pass by, what is solved, trials, an exam, and a choice."""

from typing import Final

from PySide6.QtCore import Qt, QTimer
from PySide6.QtGui import QHideEvent, QShowEvent
from PySide6.QtWidgets import QStackedWidget, QTabBar, QVBoxLayout, QWidget

from app.backend.actions import Actions
from app.backend.latest_call import LatestCall
from app.pages.page import Page
from app.pages.practice.exam_view import ExamView
from app.pages.practice.live import LiveView
from app.pages.practice.puzzles_view import PuzzlesView
from app.pages.practice.skill_map_model import MapCell
from app.pages.practice.skills_view import SkillsView
from app.pages.practice.try_view import TryView
from app.state.app_state import AppState
from app.style import theme
from app.style.theme import Palette
from app.text.error_words import told
from app.widgets.basics import bare_column, label
from core.api.practice import PracticeShown, ShowPractice
from core.api.preview import PuzzleTried, WatchPuzzles
from core.api.requests import Refused

_NOTHING: Final = WatchPuzzles(on=False)


class PracticePage(Page):
    """Five tabs. Puzzles are asked for only while they are looked at."""

    def __init__(self, palette: Palette, actions: Actions) -> None:
        super().__init__(actions)
        self._state: AppState | None = None
        self._is_unknown = False  # the last look-up failed, and why is said
        self._looked_up = ""  # the model that the helper was asked about
        self._call = LatestCall(actions)  # about it
        self._watched = _NOTHING  # as far as the engine knows
        # Once the window is done with what changed: a new engine cannot be spoken to before.
        self._soon = QTimer(self, singleShot=True, interval=0)
        self._live, self._skills, self._try, self._exam, self._puzzles = (
            LiveView(actions),
            SkillsView(palette, actions),
            TryView(actions),
            ExamView(palette, actions),
            PuzzlesView(palette, actions),
        )
        self._tabs, self._views = QTabBar(), QStackedWidget()
        self._head = QWidget()  # dressed with its tabs: what holds them takes no palette of Qt's
        self._connect()
        self._lay_out()

    @property
    def parts(self) -> tuple[QWidget, ...]:
        """Each card by itself: all of them at once would take too long for one turn."""
        views = (*self._live.parts, *self._skills.parts, *self._try.parts, *self._exam.parts)
        return self._head, *views, *self._puzzles.parts

    def show_state(self, state: AppState) -> None:
        """Draw ``state``."""
        before, self._state = self._state, state
        self._live.show_state(state)
        self._skills.show_state(state)
        self._try.show_model(state.model)
        self._exam.show_model(state.model)
        self._puzzles.show_state(state)
        is_other = before is None or before.settings.practice != state.settings.practice
        if self.isVisible() and (is_other or state.model.id != self._looked_up):
            self.opened()
        if state.link.phase != "up":
            self._watched = _NOTHING  # the next engine knows nothing of it
        self._soon.start()

    def opened(self) -> None:
        """Ask what there is to choose from, and how the last exam went."""
        if self._state is not None:
            self._looked_up = self._state.model.id
            request = ShowPractice(model=self._looked_up)
            self._call.make(request, self._on_shown, self._on_refused)

    def see(self, puzzle: PuzzleTried) -> None:
        """Show a puzzle that passes by."""
        self._live.see(puzzle)

    def show_palette(self, palette: Palette) -> None:
        """Take on the colours of ``palette``."""
        self._skills.show_palette(palette)
        self._exam.show_palette(palette)
        self._puzzles.show_palette(palette)

    def showEvent(self, event: QShowEvent) -> None:  # noqa: N802 - Qt's name
        """Begin to watch."""
        super().showEvent(event)
        self._soon.start()

    def hideEvent(self, event: QHideEvent) -> None:  # noqa: N802 - Qt's name
        """Watch no longer."""
        super().hideEvent(event)
        self._soon.start()

    def _on_shown(self, shown: PracticeShown) -> None:
        if self._is_unknown:
            self._tell_trouble("")
        self._is_unknown = False
        self._try.show_kinds(shown.kinds)
        self._exam.show_result(shown.model, shown.exam)

    def _on_refused(self, why: Refused) -> None:
        self._is_unknown = True
        self._tell_trouble(told(why))

    def _tell_trouble(self, words: str) -> None:
        self._try.show_trouble(words)
        self._exam.show_trouble(words)

    def _watch(self) -> None:
        """Let the engine tell of puzzles while they are looked at."""
        is_up = self._state is not None and self._state.link.phase == "up"
        is_looked_at = self.isVisible() and self._views.currentWidget() is self._live
        wanted = self._live.wish if is_looked_at else _NOTHING
        if is_up and wanted != self._watched:
            self._watched = wanted
            self._actions.dispatch(wanted)

    def _show_cell(self, cell: MapCell) -> None:
        """Let puzzles of ``cell`` pass by."""
        self._live.show_only(cell.task, cell.level, cell.title)
        self._tabs.setCurrentIndex(self._views.indexOf(self._live))

    def _turn_to(self, tab: int) -> None:
        self._views.setCurrentIndex(tab)
        self._soon.start()

    def _connect(self) -> None:
        self._soon.timeout.connect(self._watch)
        self._tabs.currentChanged.connect(self._turn_to)
        self._live.wish_changed.connect(self._soon.start)
        self._skills.chosen.connect(self._show_cell)

    def _lay_out(self) -> None:
        views: tuple[tuple[str, QWidget], ...] = (
            (self.tr("Live"), self._live),
            (self.tr("Skills"), self._skills),
            (self.tr("Try it"), self._try),
            (self.tr("Exam"), self._exam),
            (self.tr("Puzzles"), self._puzzles),
        )
        for _, view in views:
            self._views.addWidget(view)
        for title, _ in views:
            self._tabs.addTab(title)
        self._tabs.setAccessibleName(self.tr("Practice"))
        self._tabs.setDrawBase(False)
        self._tabs.setExpanding(False)
        self._tabs.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        column = QVBoxLayout(self)
        side = theme.SPACE_XL - theme.RING
        column.setContentsMargins(side, theme.SPACE_XL, side, theme.SPACE_L)
        column.setSpacing(theme.SPACE_M)
        heading = label(self.tr("Practice"), "hero")
        heading.setContentsMargins(theme.RING, 0, 0, 0)
        head = bare_column(self._head, theme.SPACE_M)
        head.addWidget(heading)
        head.addWidget(self._tabs)
        column.addWidget(self._head)
        column.addWidget(self._views, 1)
