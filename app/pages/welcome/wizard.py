"""The wizard of the welcome: back and forth through its steps, and at the end what was chosen."""

from collections.abc import Callable

from PySide6.QtCore import QRectF, QSize, Qt
from PySide6.QtGui import QPainter, QPaintEvent, QPalette, QPen
from PySide6.QtWidgets import QHBoxLayout, QSizePolicy, QStackedWidget, QWidget

from app.backend.actions import Actions
from app.pages.welcome.privacy import PrivacyStep
from app.pages.welcome.size_step import SizeStep
from app.pages.welcome.step import WelcomeStep
from app.pages.welcome.time_step import TimeStep
from app.state.app_state import AppState
from app.state.intents import Choose, Keep, Open
from app.style import theme
from app.widgets.basics import bare_column, button, set_button
from app.widgets.row_list import RowButton
from app.widgets.tab_order import in_turn

_DOT = 8  # px
_Role = QPalette.ColorRole


class Dots(QWidget):
    """A dot a step; the one that is shown is filled and wide."""

    def __init__(self, count: int) -> None:
        super().__init__()
        self._count = count
        self._at = 0
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        self.show_step(0)

    def show_step(self, at: int) -> None:
        """Mark step ``at``, counted from 0."""
        self._at = at
        words = self.tr("Step {step} of {count}").format(step=at + 1, count=self._count)
        self.setAccessibleName(words)
        self.setToolTip(words)
        self.update()

    def sizeHint(self) -> QSize:  # noqa: N802 - Qt's name
        """Room for all dots, of which one is twice as wide."""
        return QSize((self._count + 1) * _DOT + (self._count - 1) * theme.SPACE_S + 2, _DOT + 2)

    def paintEvent(self, _event: QPaintEvent) -> None:  # noqa: N802 - Qt's name
        """Draw them."""
        colours = self.palette()
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        left = 1.0
        for step in range(self._count):
            is_here = step == self._at
            width = 2 * _DOT if is_here else _DOT
            accent = colours.color(_Role.Accent)
            painter.setBrush(accent if is_here else Qt.BrushStyle.NoBrush)
            painter.setPen(QPen(accent if is_here else colours.color(_Role.PlaceholderText), 1.5))
            painter.drawRoundedRect(QRectF(left, 1, width, _DOT), _DOT / 2, _DOT / 2)
            left += width + theme.SPACE_S
        painter.end()


class WelcomeWizard(QWidget):
    """Nothing changes before the last button, which also calls ``agreed``.

    Who has agreed before can leave at any step.
    """

    def __init__(
        self, actions: Actions, agreed: Callable[[], None], left: Callable[[], None]
    ) -> None:
        super().__init__()
        self._actions, self._agreed = actions, agreed
        self._now = ""  # id of the model that is chosen without the wizard
        self._has_agreed = False  # before
        self._privacy, self._size, self._time = PrivacyStep(), SizeStep(actions), TimeStep()
        self._stack = QStackedWidget()
        for step in self._steps:
            self._stack.addWidget(step)
            step.changed.connect(self._show_buttons)
        self._dots = Dots(len(self._steps))
        self._back = button(self.tr("Back"))
        self._back.clicked.connect(lambda: self._go(self._stack.currentIndex() - 1))
        self._cancel = button(self.tr("Cancel"))
        self._cancel.clicked.connect(left)
        self.next = RowButton(self.tr("Next"), "primary")
        self.next.clicked.connect(self._on_next)
        self._lay_out()
        self._show_buttons()

    @property
    def _steps(self) -> tuple[WelcomeStep, ...]:
        return (self._privacy, self._size, self._time)

    def begin(self, state: AppState) -> None:
        """Go to the first step, with what is chosen by now."""
        self._now = state.chosen
        for step in self._steps:
            step.begin(state)
        self._has_agreed = state.settings.window.consent
        self._cancel.setVisible(self._has_agreed)
        in_turn(*self._steps, self._cancel, self._back, self.next)  # steps make parts anew
        self._go(0)

    def _go(self, number: int) -> None:
        self._stack.setCurrentIndex(number)
        self._dots.show_step(number)
        if self._steps[number] is self._size:
            self._size.look()
        self._show_buttons()

    def _on_next(self) -> None:
        number = self._stack.currentIndex() + 1
        if number < len(self._steps):
            self._go(number)
        else:
            self._finish()

    def _finish(self) -> None:
        chosen = self._size.chosen
        self._actions.dispatch(Keep(self._time.applied))
        if chosen.is_here and chosen.id != self._now:
            self._actions.dispatch(Choose(chosen.id))
        self._agreed()
        if not chosen.is_here:
            self._actions.dispatch(Open("models", chosen.id))

    def _show_buttons(self) -> None:
        number = self._stack.currentIndex()
        is_last = number == len(self._steps) - 1
        end = self.tr("Done") if self._has_agreed else self.tr("Begin")
        words = end if is_last else self.tr("Next")
        set_button(self.next, words, enabled=self._steps[number].is_ready)
        self._back.setVisible(number > 0)

    def _lay_out(self) -> None:
        foot = QWidget()
        foot.setMaximumWidth(theme.READING_WIDTH)
        bar = QHBoxLayout(foot)
        bar.setContentsMargins(theme.SPACE_XL, 0, theme.SPACE_XL, 0)
        bar.setSpacing(theme.SPACE_S)
        bar.addWidget(self._dots)
        bar.addStretch()
        for made in (self._cancel, self._back, self.next):
            bar.addWidget(made)
        row = QHBoxLayout()
        row.setContentsMargins(0, theme.SPACE_S, 0, theme.SPACE_L)
        row.addStretch(1)
        row.addWidget(foot, 100)
        row.addStretch(1)
        column = bare_column(self, 0)
        column.addWidget(self._stack, 1)
        column.addLayout(row)
