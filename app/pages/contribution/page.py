"""Contribution: what this computer has done so far, for whoever likes to see it grow."""

from collections.abc import Callable
from pathlib import Path

from PySide6.QtCore import Qt, QTimer
from PySide6.QtWidgets import QWidget

from app.backend.actions import Actions
from app.backend.latest_call import LatestCall
from app.backend.new_day import NewDay
from app.backend.pace import Pace
from app.backend.timer import QtTimer, Timer
from app.pages.contribution.days_card import DaysCard
from app.pages.contribution.energy_card import EnergyCard
from app.pages.contribution.export_card import ExportCard
from app.pages.contribution.milestone_list import MilestoneList
from app.pages.contribution.tile_grid import TileGrid
from app.pages.contribution.view_model import contribution_view_model
from app.pages.dated_page import DatedPage, MakeNewDay
from app.state.app_state import AppState
from app.state.intents import Open
from app.style import theme
from app.style.theme import Palette
from app.text.error_words import told
from app.widgets.basics import bare_column, button, column_of, frame, label, picture, set_words
from app.widgets.notice_bar import NoticeBar
from app.widgets.scroll_area import ScrollArea
from core.api.contribution import (
    ContributionExported,
    ContributionShown,
    ExportContribution,
    ShowContribution,
)
from core.api.events import RoundFinished
from core.api.requests import Refused

ASK_S = 5.0
"""Figures are asked for at most so often."""


class ContributionPage(DatedPage):
    """A function of the helper's replies; while it is seen, asks for new ones when rounds finish.

    And when a new day begins, be it that nothing practises: what was today is yesterday then.
    """

    def __init__(
        self,
        palette: Palette,
        actions: Actions,
        alarm: Timer | None = None,
        new_day: MakeNewDay = NewDay,
    ) -> None:
        super().__init__(actions, new_day)
        self.setProperty("role", "page")
        self._shown: ContributionShown | None = None
        self._last: RoundFinished | None = None
        self._call = LatestCall(actions)
        self._model: str | None = None  # the one that is chosen
        self._pace = Pace(self._ask, ASK_S, alarm or QtTimer(self))
        self._headline = label("", "hero", wrap=True)
        self._compared = label("", "lead", wrap=True)
        self._detail = label("", "muted", wrap=True)
        self._notice = NoticeBar()
        self._empty = self._make_empty()
        self._tiles = TileGrid()
        self._days = DaysCard(palette)
        self._energy = EnergyCard()
        self._milestones = MilestoneList(palette)
        self._export_card = ExportCard(palette)
        self._scroll = ScrollArea()
        self._connect()
        self._lay_out()
        self._show()

    def show_state(self, state: AppState) -> None:
        """Take note of rounds that finished, and of the model that is chosen."""
        if (state.node.last, state.model.id) != (self._last, self._model):
            self._last, self._model = state.node.last, state.model.id
            if self.isVisible():  # or it asks when it is opened
                self._pace.want()

    def opened(self) -> None:
        """Ask for today's figures."""
        self._pace.want()

    def turn_over(self) -> None:
        """Ask anew: what is called today is yesterday."""
        self._pace.want()

    def show_palette(self, palette: Palette) -> None:
        """Take on the colours of ``palette`` where the style sheet does not reach."""
        self._days.show_palette(palette)
        self._milestones.show_palette(palette)
        self._export_card.show_palette(palette)

    def _show(self) -> None:
        looks = contribution_view_model(self._shown)
        has_figures = bool(looks.tiles)
        self._headline.setText(looks.headline)
        set_words(self._compared, looks.compared, "lead")
        set_words(self._detail, looks.detail, "muted")
        self._tiles.show_tiles(looks.tiles)
        self._milestones.show_steps(looks.reached, looks.ahead)
        self._empty.setVisible(self._shown is not None and not has_figures)
        for part in (self._tiles, self._days, self._milestones, self._export_card):
            part.setVisible(has_figures)
        if self._shown is not None:
            self._days.show_contribution(self._shown)
            self._energy.show_contribution(self._shown)
            self._export_card.show_contribution(self._shown)

    def _ask(self) -> None:
        if self.isVisible():
            request = ShowContribution(model=self._model)
            self._call.make(request, self._on_shown, self._on_refused)

    def _on_shown(self, shown: ContributionShown) -> None:
        self._shown = shown
        self._calendar.note(shown.today)
        self._notice.take_back(self._pace.hurry)
        self._show()

    def _on_refused(self, why: Refused) -> None:
        self._tell_trouble(told(why), self._pace.hurry)
        if self._shown is None:
            self._detail.hide()

    def _export(self, path: Path) -> None:
        call = self._actions.call(ExportContribution(path=str(path)))
        call.done.connect(self._on_exported)
        call.refused.connect(self._on_export_refused)

    def _on_exported(self, done: ContributionExported) -> None:
        self._tell_saved(Path(done.path))

    def _on_export_refused(self, why: Refused) -> None:
        self._tell_trouble(told(why), self._export_card.ask_for_table)
        self._show_notice()

    def _on_picture_failed(self, words: str) -> None:
        self._tell_trouble(words, self._export_card.preview)
        self._show_notice()

    def _tell_saved(self, path: Path) -> None:
        self._notice.tell_saved(path, self._actions)
        self._show_notice()

    def _tell_trouble(self, words: str, again: Callable[[], None]) -> None:
        self._notice.tell(words, self.tr("Try again"), again, is_grave=True)

    def _show_notice(self) -> None:
        """Bring into view what a person waits for, once it has its place."""
        QTimer.singleShot(0, self, lambda: self._scroll.ensureWidgetVisible(self._notice))

    def _connect(self) -> None:
        self._export_card.table_asked.connect(self._export)
        self._export_card.saved.connect(self._tell_saved)
        self._export_card.failed.connect(self._on_picture_failed)

    def _make_empty(self) -> QWidget:
        made = frame("card", margin=theme.SPACE_XXL, spacing=theme.SPACE_L)
        way = button(self.tr("Open Home"))
        way.clicked.connect(lambda: self._actions.dispatch(Open("home")))
        words = label(
            self.tr("Join the swarm on the page Home: the first round counts."), "muted", wrap=True
        )
        words.setAlignment(Qt.AlignmentFlag.AlignCenter)
        column = column_of(made)
        column.addStretch()
        column.addWidget(picture(theme.EMBLEM), 0, Qt.AlignmentFlag.AlignHCenter)
        column.addWidget(words)
        column.addWidget(way, 0, Qt.AlignmentFlag.AlignHCenter)
        column.addStretch()
        return made

    def _lay_out(self) -> None:
        column = self._scroll.column
        for words in (self._headline, self._compared, self._detail):
            column.addWidget(words)
        column.addSpacing(theme.SPACE_S)
        column.addWidget(self._notice)
        column.addWidget(self._empty, 1)
        column.addWidget(self._tiles)
        column.addWidget(self._days, 1)
        column.addWidget(self._energy)
        column.addWidget(self._milestones)
        column.addWidget(self._export_card)
        column.addStretch()
        bare_column(self).addWidget(self._scroll)
