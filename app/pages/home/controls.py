"""The column beside the chart: what can be done now."""

import time
from collections.abc import Callable, Sequence

from PySide6.QtCore import Qt, QTimer, Signal
from PySide6.QtWidgets import QGridLayout, QHBoxLayout, QMenu, QPushButton, QWidget

from app.backend.actions import Actions
from app.pages.home.model_cards import ModelCards
from app.pages.home.round_progress import RoundProgress
from app.state.app_state import AppState
from app.state.intents import JoinChosen
from app.state.model_choices import ModelChoice
from app.state.run_status import Button, RunStatus
from app.style import theme
from app.text.figures import figure
from app.widgets.basics import bare_column, button, label, set_style
from app.widgets.confirmation import Confirmation
from app.widgets.snooze_menu import fill_snoozes
from core.api.events import Finish, Pause, Resume, RoundFinished, Snooze, Stop


class SnoozeButton(QPushButton):
    """A small arrow beside Pause, with a menu of how long."""

    def __init__(self, actions: Actions) -> None:
        super().__init__()
        self.setProperty("kind", "more")
        self.setAccessibleName(self.tr("Pause for a while"))
        self.setToolTip(self.tr("Pause for a while"))
        menu = QMenu(self)
        fill_snoozes(menu, lambda seconds: actions.dispatch(Snooze(seconds=seconds)))
        self.setMenu(menu)


class SteadyButton(QPushButton):
    """A function of a ``Button``. One that is not enabled looks so and does nothing.

    It keeps the focus then: Qt takes it from what is disabled and gives it to the next button,
    which the key that was meant for this one would press.
    """

    wanted = Signal()  # pressed while it is enabled

    def __init__(self, kind: str = "plain") -> None:
        super().__init__()
        self._waits = False
        self.setProperty("kind", kind)
        self.setAutoDefault(True)  # Enter presses what has the focus
        self.clicked.connect(self._on_clicked)

    def show_button(self, shown: Button) -> None:
        """Look like ``shown``."""
        self.setText(shown.text)
        self.setAccessibleName(shown.text)
        if self._waits == shown.enabled:
            self._waits = not shown.enabled
            self.setAccessibleDescription(
                self.tr("Cannot be pressed right now.") if self._waits else ""
            )
            set_style(self, "waiting", self._waits)

    def _on_clicked(self) -> None:
        if not self._waits:
            self.wanted.emit()


CONFIRM_MS = 5_000


class JoinControls(QWidget):
    """Choose a model and join."""

    def __init__(self, actions: Actions) -> None:
        super().__init__()
        self._cards = ModelCards(actions)
        self.join = button(self.tr("Join swarm"), kind="primary")
        self.join.clicked.connect(lambda: actions.dispatch(JoinChosen()))
        column = bare_column(self)
        column.addWidget(label(self.tr("Choose your model"), "heading"))
        column.addWidget(self._cards)
        column.addSpacing(theme.SPACE_S)
        column.addWidget(self.join)
        offline = self.tr("Works offline too. Stop whenever you like.")
        column.addWidget(label(offline, "small", wrap=True))
        column.addStretch()

    def show_choices(self, choices: Sequence[ModelChoice], chosen: str) -> None:
        """Offer ``choices`` with ``chosen`` marked."""
        self._cards.show_choices(choices, chosen)

    @property
    def first(self) -> QWidget:
        """Where the keyboard begins."""
        return self.join


class RunControls(QWidget):
    """What runs, and how to hold or end it. Stop asks for a second click."""

    def __init__(
        self,
        actions: Actions,
        confirm_ms: int = CONFIRM_MS,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        super().__init__()
        self._actions = actions
        self._resumes = self._has_round = False  # see ``RunStatus``
        self._facts = _Facts()
        self._progress = RoundProgress()
        self._snooze = SnoozeButton(actions)
        self._pause, self._finish, self._stop = (
            SteadyButton(),
            SteadyButton(),
            SteadyButton("danger"),
        )
        self._stop_look = Button("")
        self._confirmation = Confirmation(clock)
        self._confirm_timer = QTimer(self, singleShot=True, interval=confirm_ms)
        self._warning = label("", "small", wrap=True)
        self._pause.wanted.connect(self._on_pause)
        self._finish.wanted.connect(lambda: actions.dispatch(Finish()))
        self._stop.wanted.connect(self._on_stop)
        self._confirm_timer.timeout.connect(self._withdraw)
        self._lay_out()

    def show_state(self, state: AppState, looks: RunStatus) -> None:
        """Draw ``looks``, and the facts of ``state``."""
        self._facts.show_state(state)
        self._progress.show_state(state)
        self._resumes, self._has_round = looks.resumes, looks.has_round
        can_snooze = looks.pause.enabled and not looks.resumes
        if self._snooze.hasFocus() and not can_snooze:
            self._pause.setFocus()  # beside it; Qt would choose what ends the run
        self._snooze.setEnabled(looks.pause.enabled)
        self._snooze.setVisible(not looks.resumes)
        self._pause.show_button(looks.pause)
        can_finish = looks.finish.enabled and looks.has_round
        self._finish.show_button(Button(looks.finish.text, can_finish))
        self._stop_look = looks.stop
        if not looks.stop.enabled:
            self._confirmation.drop()
        self._show_stop()

    @property
    def first(self) -> QWidget:
        """Where the keyboard begins."""
        return self._pause

    def _on_pause(self) -> None:
        self._actions.dispatch(Resume() if self._resumes else Pause())

    def _on_stop(self) -> None:
        if self._confirmation.press():
            self._actions.dispatch(Stop())
        self._confirm_timer.start()
        self._show_stop()

    def _withdraw(self) -> None:
        self._confirmation.drop()
        self._show_stop()

    def _show_stop(self) -> None:
        asking = self._confirmation.is_asking
        question = Button(self.tr("Really stop now?"), self._stop_look.enabled)
        self._stop.show_button(question if asking else self._stop_look)
        if not self._has_round:
            self._warning.setText(self.tr("No round is running, so stopping loses nothing."))
        elif asking:
            self._warning.setText(
                self.tr("The running round is lost; all finished rounds are kept.")
            )
        else:
            self._warning.setText(self.tr("Stop drops the running round. Finish keeps it."))

    def _lay_out(self) -> None:
        column = bare_column(self)
        column.addWidget(label(self.tr("Your contribution"), "heading"))
        column.addWidget(self._facts)
        column.addSpacing(theme.SPACE_S)
        column.addWidget(self._progress)
        column.addStretch()
        hold = QHBoxLayout()
        hold.setSpacing(theme.SPACE_S)
        hold.addWidget(self._pause, 1)
        hold.addWidget(self._snooze)
        column.addLayout(hold)
        for widget in (self._finish, self._stop, self._warning):
            column.addWidget(widget)


class _Facts(QWidget):
    """A few names and numbers, one a line."""

    def __init__(self) -> None:
        super().__init__()
        grid = QGridLayout(self)
        grid.setContentsMargins(0, theme.SPACE_XS, 0, 0)
        grid.setHorizontalSpacing(theme.SPACE_M)
        grid.setVerticalSpacing(theme.SPACE_S)
        grid.setColumnStretch(1, 1)
        self._values = []
        names = (
            self.tr("Model"),
            self.tr("Others see you as"),
            self.tr("Rounds finished"),
            self.tr("Last round"),
        )
        for row, name in enumerate(names):
            value = label("", wrap=True)
            grid.addWidget(label(name, "muted"), row, 0, Qt.AlignmentFlag.AlignTop)
            grid.addWidget(value, row, 1, Qt.AlignmentFlag.AlignTop)
            self._values.append(value)

    def show_state(self, state: AppState) -> None:
        """Fill in what is known."""
        node = state.node
        name = node.name or self.tr("not yet")
        words = (state.model.title, name, figure(node.round), self._last_round(node.last))
        for value, text in zip(self._values, words, strict=True):
            value.setText(text)

    def _last_round(self, last: RoundFinished | None) -> str:
        if last is None:
            return self.tr("not yet")
        is_one = last.local_groups == 1
        tried = self.tr("1 puzzle tried") if is_one else self.tr("{} puzzles tried")
        said = tried.format(last.local_groups)
        if not last.swarm_groups:
            return said
        both = self.tr("{tried},\nand {others} of others looked at")
        return both.format(tried=said, others=last.swarm_groups)
