"""Home: one sentence, one chart, and what can be done now."""

from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QColor, QPainter, QPaintEvent
from PySide6.QtWidgets import QHBoxLayout, QStackedWidget, QVBoxLayout, QWidget

from app.backend.actions import Actions
from app.pages.home.chart import ScoreChart
from app.pages.home.controls import JoinControls, RunControls
from app.pages.home.marks import markers
from app.pages.home.notice import TroubleNotice
from app.pages.home.past import is_awaited, with_past
from app.pages.home.recall import Recall
from app.pages.page import Page
from app.state.app_state import AppState
from app.state.intents import Open
from app.state.run_status import Tone, run_status
from app.style import theme
from app.style.theme import Palette
from app.widgets.basics import column_of, frame, label
from app.widgets.notice_bar import NoticeBar


class HomePage(Page):
    """A function of ``AppState``, and of what the helper knows of earlier rounds."""

    def __init__(self, palette: Palette, actions: Actions) -> None:
        super().__init__(actions)
        self.setProperty("role", "page")
        self._headline = label("", "hero", wrap=True)
        self._compared = label("", "lead", wrap=True)
        self._detail = label("", "muted", wrap=True)
        self._dot = _Dot(palette)
        self._status = label("", wrap=True)
        self._company = label("", "muted", wrap=True)
        self._notice = TroubleNotice(actions)
        self._news = NoticeBar()
        self._recall = Recall(self, actions)
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
        self._recall.show_state(state)
        self._show(state)

    def opened(self) -> None:
        """Look up earlier rounds."""
        self._recall.come_into_view()

    def show_palette(self, palette: Palette) -> None:
        """Take on the colours of ``palette`` where the style sheet does not reach."""
        self._chart.show_palette(palette)
        self._dot.show_palette(palette)

    def _show(self, state: AppState) -> None:
        awaits_past = is_awaited(state, self._recall.past)
        state = with_past(state, self._recall.past)
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
        self._chart.show_points(
            state.node.points,
            looks.chart_hint,
            markers(state),
            are_last=not state.is_practising,
        )
        self._joining.show_choices(state.choices, state.chosen)
        self._running.show_state(state, looks)
        self._show_side(self._running if state.is_running else self._joining)

    def _show_past(self) -> None:
        if self._state is not None:
            self._show(self._state)

    def _show_side(self, wanted: QWidget) -> None:
        if self._side.currentWidget() is not wanted:
            had_focus = self._side.isAncestorOf(self.focusWidget() or self)
            self._side.setCurrentWidget(wanted)
            if had_focus:  # the focused button is gone; go on beside where it was
                wanted.focusNextChild()

    def _connect(self) -> None:
        updates = Open("settings", "updates")
        self._news.pressed.connect(lambda: self._actions.dispatch(updates))
        self._recall.changed.connect(self._show_past)

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
