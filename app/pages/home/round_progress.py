"""The running round, step by step; for quick rounds only how many there are."""

import time
from collections.abc import Callable

from PySide6.QtCore import QTimer
from PySide6.QtWidgets import QHBoxLayout, QLabel, QProgressBar, QWidget

from app.state.app_state import AppState
from app.state.round_pace import (
    RoundPosition,
    estimate,
    is_quick,
    move,
    rest_left_s,
    rounds_a_minute,
)
from app.text.phrases import series
from app.widgets.basics import bare_column, label, set_style
from core.api.state import NodeState

TICK_MS = 1_000
_PARTS = 1_000  # of the bar
_SLOW = 2.0  # rounds a minute, below which no whole number says it well


class RoundProgress(QWidget):
    """A function of ``AppState`` and of the time that passes; not there while nothing runs."""

    def __init__(
        self,
        clock: Callable[[], float] = time.monotonic,
        now: Callable[[], float] = time.time,
    ) -> None:
        super().__init__()
        self._clock = clock
        self._now = now  # unix seconds
        self._node = NodeState()
        self._place: RoundPosition | None = None
        self._rests_since: float | None = None  # by the clock; None: it does not rest
        self._is_quick = False
        self._heading = label(self.tr("This round"), "heading")
        self._left = label("", "small")
        self._bar = QProgressBar()
        self._bar.setRange(0, _PARTS)
        self._bar.setTextVisible(False)
        self._bar.setAccessibleName(self.tr("This round"))
        self._names = (
            self.tr("Try"),
            self.tr("Check"),
            self.tr("Share"),
            self.tr("Learn"),
        )
        self._steps = [label(name, "small") for name in self._names]
        self._tick = QTimer(self, interval=TICK_MS)
        self._tick.timeout.connect(self._show)
        self._lay_out()
        self.hide()

    def show_state(self, state: AppState) -> None:
        """Follow the round of ``state``."""
        node = self._node = state.node
        runs = state.is_practising
        rests = runs and node.phase == "resting"
        if not rests:
            self._rests_since = None
        elif self._rests_since is None:
            self._rests_since = self._clock()
        if not runs or rests:
            self._place = None
        elif node.phase is not None or self._place is not None:
            phase = node.phase or "asking"  # from one round to the next, none is told
            self._place = move(self._place, node.round + 1, phase, self._clock())
        visible = runs and (self._place is not None or bool(node.recent))
        self.setVisible(visible)
        self._is_quick = is_quick(node.recent)
        moves = visible and not self._is_quick  # with the time, not only with events
        if moves != self._tick.isActive():
            (self._tick.start if moves else self._tick.stop)()
        if visible:
            self._show()

    def _show(self) -> None:
        rests = self._rests_since is not None and not self._is_quick
        for widget in (self._bar, *self._steps):
            _set_room(widget, kept=rests)  # after the rest it is there again: nothing may jump
            widget.setVisible(not self._is_quick and not rests)
        if self._is_quick:
            self._heading.setText(self.tr("Rounds"))
            self._left.setText(self._pace())
        elif self._rests_since is not None:
            self._heading.setText(self.tr("Resting"))
            self._left.setText(self._rest_left(self._rests_since))
        elif self._place is not None:
            self._heading.setText(self.tr("This round"))
            self._show_place(self._place)

    def _show_place(self, place: RoundPosition) -> None:
        seen = estimate(place, self._node.recent, self._clock())
        self._bar.setValue(round(_PARTS * seen.done))
        self._left.setText("" if seen.left_s is None else self._time_left(seen.left_s))
        said = series((self._names[place.number], self._left.text()))
        self._bar.setAccessibleDescription(said)
        for number, step in enumerate(self._steps):
            _mark(step, current=number == place.number)

    def _rest_left(self, since: float) -> str:
        until = self._node.rest_until
        if until is not None:
            left = max(until - self._now(), 0.0) or None
        else:
            left = rest_left_s(self._node.recent, since, self._clock())
        return "" if left is None else self._time_left(left)

    def _pace(self) -> str:
        pace = rounds_a_minute(self._node.recent)
        if pace is None:
            return ""
        if pace < _SLOW:
            return self.tr("about {} an hour").format(round(60 * pace))
        return self.tr("about {} a minute").format(round(pace))

    def _time_left(self, seconds: float) -> str:
        if seconds < 1:
            return self.tr("nearly done")
        if seconds < 90:  # noqa: PLR2004 - as people say it
            return self.tr("about {}\u00a0s left").format(round(seconds))
        return self.tr("about {} min left").format(round(seconds / 60))

    def _lay_out(self) -> None:
        top, steps = QHBoxLayout(), QHBoxLayout()
        steps.setSpacing(0)  # what is left between four words is all that parts them
        top.addWidget(self._heading)
        top.addStretch()
        top.addWidget(self._left)
        for number, step in enumerate(self._steps):
            if number:
                steps.addStretch()
            steps.addWidget(step)
        column = bare_column(self)
        column.addLayout(top)
        column.addWidget(self._bar)
        column.addLayout(steps)


def _set_room(widget: QWidget, *, kept: bool) -> None:
    """Whether ``widget`` takes its room while it is hidden, too."""
    policy = widget.sizePolicy()
    if policy.retainSizeWhenHidden() != kept:
        policy.setRetainSizeWhenHidden(kept)
        widget.setSizePolicy(policy)


def _mark(step: QLabel, *, current: bool) -> None:
    set_style(step, "current", current)
