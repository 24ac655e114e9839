"""Home: one sentence, one chart, and what can be done now."""

from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QColor, QPainter, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import QFrame, QGridLayout, QHBoxLayout, QStackedWidget, QVBoxLayout, QWidget

from app.backend.actions import Actions
from app.backend.new_day import NewDay
from app.pages.dated_page import DatedPage, MakeNewDay
from app.pages.home.chart import ScoreChart
from app.pages.home.controls import JoinControls, RunControls
from app.pages.home.history_loader import HistoryLoader
from app.pages.home.marks import markers
from app.pages.home.round_history import is_awaited, with_past
from app.state.app_state import AppState
from app.state.intents import JoinChosen, Open, Reveal
from app.state.run_status import Tone, run_status
from app.style import theme
from app.style.theme import Palette
from app.widgets.basics import button, column_of, frame, label, set_style, show_message
from app.widgets.file_dialogs import FileDialogs
from app.widgets.notice_bar import NoticeBar
from app.widgets.request_status import RequestStatus
from app.widgets.support_file import make_support_file


class TroubleNotice(QFrame):
    """One sentence or two, and buttons to do something about it."""

    def __init__(self, actions: Actions) -> None:
        super().__init__()
        self.setProperty("role", "notice")
        self._words = label("", wrap=True)
        self.line = RequestStatus(actions)  # what became of a support file
        self._retry = button(self.tr("Try again"))
        self._logs = button(self.tr("Open the log folder"))
        self._retry.clicked.connect(lambda: actions.dispatch(JoinChosen()))
        self._logs.clicked.connect(lambda: actions.dispatch(Reveal()))
        self._support = button(self.tr("Make a support file…"))
        self._support.clicked.connect(lambda: make_support_file(self.line, FileDialogs()))
        self._ways = QGridLayout()
        self._ways.setSpacing(theme.SPACE_S)
        for way in (self._retry, self._logs, self._support):
            way.setProperty("kind", "small")
        self._ways.addWidget(self._retry, 0, 0)
        self._ways.addWidget(self._logs, 0, 1)
        self._ways.setColumnStretch(3, 1)
        self._is_narrow: bool | None = None
        self._put_support(is_narrow=True)
        column = QVBoxLayout(self)
        column.setContentsMargins(theme.SPACE_L, theme.SPACE_M, theme.SPACE_L, theme.SPACE_M)
        column.setSpacing(theme.SPACE_S)
        column.addWidget(self._words)
        column.addLayout(self._ways)
        column.addWidget(self.line)
        self.hide()

    def show_words(self, words: str, *, is_grave: bool, can_retry: bool) -> None:
        """Show ``words``, in alarming colours and with more ways out where they are grave."""
        if not words:
            self.line.tell("")
        self._retry.setVisible(can_retry)
        self._support.setVisible(is_grave)
        set_style(self, "grave", is_grave)
        show_message(self, self._words, words)

    def resizeEvent(self, event: QResizeEvent) -> None:  # noqa: N802 - Qt's name
        """Keep the buttons in one row where they fit."""
        super().resizeEvent(event)
        ways = (self._retry, self._logs, self._support)
        needed = sum(way.sizeHint().width() + theme.SPACE_S for way in ways)
        self._put_support(is_narrow=event.size().width() - 2 * theme.SPACE_L < needed)

    def _put_support(self, *, is_narrow: bool) -> None:
        """Its words are the longest: in a narrow notice the button has a row of its own."""
        if is_narrow == self._is_narrow:
            return
        self._is_narrow = is_narrow
        place = (1, 0, 1, 2) if is_narrow else (0, 2, 1, 1)
        self._ways.removeWidget(self._support)
        self._ways.addWidget(self._support, *place, Qt.AlignmentFlag.AlignLeft)


class HomePage(DatedPage):
    """A function of ``AppState``, and of what the helper knows of earlier rounds."""

    def __init__(self, palette: Palette, actions: Actions, new_day: MakeNewDay = NewDay) -> None:
        super().__init__(actions, new_day)
        self.setProperty("role", "page")
        self._headline = label("", "hero", wrap=True)
        self._compared = label("", "lead", wrap=True)
        self._detail = label("", "muted", wrap=True)
        self._dot = _Dot(palette)
        self._status = label("", wrap=True)
        self._company = label("", "muted", wrap=True)
        self._notice = TroubleNotice(actions)
        self._news, self._advice = NoticeBar(), NoticeBar()
        self._helps = Open("models")  # where the advice leads
        self._loader = HistoryLoader(self, actions)
        self._state: AppState | None = None
        self._chart = ScoreChart(palette)
        self._joining = JoinControls(actions)
        self._running = RunControls(actions)
        self._side = QStackedWidget()
        self._connect()
        self._lay_out()

    def show_state(self, state: AppState) -> None:
        """Draw ``state``."""
        self._state = state
        self._loader.show_state(state)
        self._show(state)

    def opened(self) -> None:
        """Look up earlier rounds."""
        self._loader.come_into_view()

    def turn_over(self) -> None:
        """Say anew when it last practised: the hour alone was enough today."""
        self._show_again()

    def show_palette(self, palette: Palette) -> None:
        """Take on the colours of ``palette`` where the style sheet does not reach."""
        self._chart.show_palette(palette)
        self._dot.show_palette(palette)

    def _show(self, state: AppState) -> None:
        awaits_past = is_awaited(state, self._loader.past)
        state = with_past(state, self._loader.past)
        self._calendar.note()
        looks = run_status(state, awaits_past=awaits_past)
        self._headline.setText(looks.headline)
        self._compared.setText(looks.compared)
        self._compared.setVisible(bool(looks.compared))
        self._detail.setText(looks.detail)
        self._detail.setVisible(bool(looks.detail))
        self._status.setText(looks.status)
        self._company.setText(looks.company)
        self._company.setVisible(bool(looks.company))
        self._dot.set_tone(looks.tone)
        self._notice.show_words(looks.trouble, is_grave=looks.is_grave, can_retry=looks.can_retry)
        self._news.show_words(looks.news, self.tr("Open Updates"), is_grave=False)
        self._helps = looks.advice.where
        self._advice.show_words(looks.advice.words, looks.advice.way, is_grave=False)
        self._chart.show_points(
            state.node.points,
            looks.chart_hint,
            markers(state),
            are_last=not state.is_practising,
        )
        self._joining.show_choices(state.choices, state.chosen)
        self._running.show_state(state, looks)
        self._show_side(self._running if state.is_running else self._joining)

    def _show_again(self) -> None:
        if self._state is not None:
            self._show(self._state)

    def _show_side(self, wanted: JoinControls | RunControls) -> None:
        if self._side.currentWidget() is not wanted:
            had_focus = self._side.isAncestorOf(self.focusWidget() or self)
            self._side.setCurrentWidget(wanted)
            if had_focus:  # by the stack, in whatever is next
                wanted.first.setFocus()

    def _connect(self) -> None:
        updates = Open("settings", "updates")
        self._news.pressed.connect(lambda: self._actions.dispatch(updates))
        self._advice.pressed.connect(self._follow_advice)
        self._loader.changed.connect(self._show_again)

    def _follow_advice(self) -> None:
        self._actions.dispatch(self._helps)

    def _lay_out(self) -> None:
        side = frame("card")
        column_of(side).addWidget(self._side)
        self._side.addWidget(self._joining)
        self._side.addWidget(self._running)
        self._side.setFixedWidth(theme.SIDE_WIDTH - 2 * theme.SPACE_L)
        page = QHBoxLayout(self)
        page.setContentsMargins(theme.SPACE_XL, theme.SPACE_XL, theme.SPACE_XL, theme.SPACE_XL)
        page.setSpacing(theme.SPACE_L)
        page.addLayout(self._story(), 1)
        page.addWidget(side)

    def _story(self) -> QVBoxLayout:
        chart = frame("card")
        column_of(chart).addWidget(self._chart)
        column = QVBoxLayout()
        column.setSpacing(theme.SPACE_S)
        column.addWidget(self._headline)
        column.addWidget(self._compared)
        column.addWidget(self._detail)
        column.addSpacing(theme.SPACE_S)
        column.addWidget(self._notice)
        column.addWidget(self._news)
        column.addWidget(self._advice)
        column.addLayout(self._status_row())
        column.addSpacing(theme.SPACE_XS)
        column.addWidget(chart, 1)
        return column

    def _status_row(self) -> QHBoxLayout:
        words = QVBoxLayout()
        words.setSpacing(theme.SPACE_XS)
        words.addWidget(self._status)
        words.addWidget(self._company)
        row = QHBoxLayout()
        row.setSpacing(theme.SPACE_S)
        row.addWidget(self._dot, 0, Qt.AlignmentFlag.AlignTop)
        row.addLayout(words, 1)
        return row


class _Dot(QWidget):
    """Repeats in colour what the status says in words."""

    def __init__(self, palette: Palette) -> None:
        super().__init__()
        self._palette = palette
        self._tone: Tone = "quiet"
        # As high as a line of text, so that the circle stands in the middle of the first one.
        self.setFixedSize(QSize(theme.SPACE_M, theme.TEXT_LINE))

    def set_tone(self, tone: Tone) -> None:
        """Take on the colour of ``tone``."""
        self._tone = tone
        self.update()

    def show_palette(self, palette: Palette) -> None:
        """Take on the colours of ``palette``."""
        self._palette = palette
        self.update()

    def paintEvent(self, _event: QPaintEvent) -> None:  # noqa: N802 - Qt's name
        """Draw a filled circle."""
        colours = {
            "quiet": self._palette.edge,
            "good": self._palette.good,
            "trouble": self._palette.trouble,
        }
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setBrush(QColor(colours[self._tone]))
        painter.setPen(QColor(colours[self._tone]))
        width = self.width() - 3
        painter.drawEllipse(1, (self.height() - width) // 2, width, width)
        painter.end()
