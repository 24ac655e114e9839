"""The column beside the chart: what can be done now."""

from collections.abc import Sequence

from PySide6.QtCore import Qt, QTimer, Signal
from PySide6.QtWidgets import QGridLayout, QVBoxLayout, QWidget

from app import theme
from app.home.look import Button, HomeState, Look
from app.home.model_cards import ModelCards
from app.model_choices import ModelChoice
from app.widgets import button, label, set_button
from core.engine.events import RoundFinished

CONFIRM_MS = 5_000
_UNKNOWN = "not yet"


class JoinControls(QWidget):
    """Choose a model and join."""

    join_asked = Signal()
    model_chosen = Signal(str)

    def __init__(self) -> None:
        super().__init__()
        self._cards = ModelCards()
        self._cards.chosen.connect(self.model_chosen)
        self.join = button("Join swarm", kind="primary")
        self.join.clicked.connect(self.join_asked)
        column = _column(self)
        column.addWidget(label("Choose your model", "heading"))
        column.addWidget(self._cards)
        column.addSpacing(theme.SPACE_S)
        column.addWidget(self.join)
        column.addWidget(label("Works offline too. Stop whenever you like.", "small", wrap=True))
        column.addStretch()

    def show_choices(self, choices: Sequence[ModelChoice], chosen: str) -> None:
        """Offer ``choices`` with ``chosen`` marked."""
        self._cards.show_choices(choices, chosen)


class RunControls(QWidget):
    """What runs, and how to hold or end it. Stop asks for a second click."""

    pause_asked = Signal()
    resume_asked = Signal()
    finish_asked = Signal()
    stop_asked = Signal()

    def __init__(self, confirm_ms: int = CONFIRM_MS) -> None:
        super().__init__()
        self._resumes = False  # paused: no round is running
        self._stop_look = Button("Stop")
        self._facts = _Facts()
        self._pause = button("Pause")
        self._finish = button("Finish round and stop")
        self._stop = button("Stop", kind="danger")
        self._confirming = QTimer(self, singleShot=True, interval=confirm_ms)
        self._warning = label("", "small", wrap=True)
        self._pause.clicked.connect(self._on_pause)
        self._finish.clicked.connect(self.finish_asked)
        self._stop.clicked.connect(self._on_stop)
        self._confirming.timeout.connect(self._show_stop)
        self._lay_out()

    def show_state(self, state: HomeState, looks: Look) -> None:
        """Draw ``looks``, and the facts of ``state``."""
        self._facts.show_state(state)
        self._resumes = looks.resumes
        set_button(self._pause, looks.pause.text, enabled=looks.pause.enabled)
        set_button(self._finish, looks.finish.text, enabled=looks.finish.enabled)
        self._stop_look = looks.stop
        if not looks.stop.enabled:
            self._confirming.stop()
        self._show_stop()

    def _on_pause(self) -> None:
        (self.resume_asked if self._resumes else self.pause_asked).emit()

    def _on_stop(self) -> None:
        if self._confirming.isActive():
            self._confirming.stop()
            self.stop_asked.emit()
        else:
            self._confirming.start()
        self._show_stop()

    def _show_stop(self) -> None:
        asking = self._confirming.isActive()
        text = "Really stop now?" if asking else self._stop_look.text
        set_button(self._stop, text, enabled=self._stop_look.enabled)
        if self._resumes:
            self._warning.setText("No round is running, so stopping loses nothing.")
        elif asking:
            self._warning.setText("The running round is lost; all finished rounds are kept.")
        else:
            self._warning.setText("Stop drops the running round. Finish keeps it.")

    def _lay_out(self) -> None:
        column = _column(self)
        column.addWidget(label("Your contribution", "heading"))
        column.addWidget(self._facts)
        column.addStretch()
        for widget in (self._pause, self._finish, self._stop, self._warning):
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
        for row, name in enumerate(("Model", "Others see you as", "Rounds finished", "Last round")):
            value = label("", wrap=True)
            grid.addWidget(label(name, "muted"), row, 0, Qt.AlignmentFlag.AlignTop)
            grid.addWidget(value, row, 1, Qt.AlignmentFlag.AlignTop)
            self._values.append(value)

    def show_state(self, state: HomeState) -> None:
        """Fill in what is known."""
        node = state.node
        name = "nobody: alone" if node.solo else node.name or _UNKNOWN
        words = (state.model.title, name, f"{node.round:,}", _last_round(node.last))
        for value, text in zip(self._values, words, strict=True):
            value.setText(text)


def _last_round(last: RoundFinished | None) -> str:
    if last is None:
        return _UNKNOWN
    own = f"{last.local_groups} puzzles tried"
    return f"{own}, {last.swarm_groups} more from others" if last.swarm_groups else own


def _column(widget: QWidget) -> QVBoxLayout:
    column = QVBoxLayout(widget)
    column.setContentsMargins(0, 0, 0, 0)
    column.setSpacing(theme.SPACE_S)
    return column
