"""The few things worth a notification: trouble that ended practice, and milestones; no rounds."""

from dataclasses import dataclass

from PySide6.QtCore import QCoreApplication

from app.state.app_state import AppState
from app.state.run_status import run_status
from app.text.figures import figure

translate = QCoreApplication.translate

NOTICE_MS = 10_000  # for which one is shown, where the desktop has no time of its own
ROUNDS = (100, 1_000, 10_000, 100_000, 1_000_000)
LEARNERS = (1, 10, 100, 1_000)


@dataclass(frozen=True, slots=True)
class Notification:
    """One notification."""

    title: str
    words: str
    is_grave: bool = False


class Notices:
    """Sees the states go by and says when one of them is worth a word."""

    def __init__(self) -> None:
        self._before: AppState | None = None

    def observe(self, state: AppState) -> Notification | None:
        """What to say now that it is ``state``; None nearly always."""
        before, self._before = self._before, state
        if before is None:
            return None
        return _trouble(before, state) or _milestone(before, state)


def hidden() -> Notification:
    """Closing the window has not ended Waggle."""
    return Notification(
        title=translate("Notices", "Waggle goes on in the tray"),
        words=translate(
            "Notices", "Its icon leads back to the window. To end it, choose Quit there."
        ),
    )


def _trouble(before: AppState, state: AppState) -> Notification | None:
    if not _has_stopped(state) or _has_stopped(before):
        return None
    return Notification(
        title=translate("Notices", "Practice has stopped"),
        words=run_status(state).trouble,
        is_grave=True,
    )


def _has_stopped(state: AppState) -> bool:
    died = bool(state.link.reason) and not state.link.is_running
    return died or state.node.activity == "failed"


def _milestone(before: AppState, state: AppState) -> Notification | None:
    if before.node.activity != "practising" or before.node.model != state.node.model:
        return None  # a model that was just loaded has its rounds from earlier days
    rounds = _passed(ROUNDS, before.node.round, state.node.round)
    if rounds:
        said = translate("Notices", "{model} has finished {rounds} rounds.")
        return Notification(
            title=translate("Notices", "A milestone"),
            words=said.format(model=state.model.title, rounds=figure(rounds)),
        )
    learners = _passed(LEARNERS, _learners(before), _learners(state))
    if learners:
        one = translate("Notices", "Another model has learnt from what yours tried.")
        many = translate("Notices", "{} other models have learnt from what yours tried.")
        return Notification(
            title=translate("Notices", "A milestone"),
            words=one if learners == 1 else many.format(figure(learners)),
        )
    return None


def _learners(state: AppState) -> int:
    """As far as was told; the first word about it is no news, but how it was before."""
    return state.node.swarm.learners if state.node.swarm is not None else LEARNERS[-1]


def _passed(goals: tuple[int, ...], before: int, now: int) -> int:
    """The highest of ``goals`` in (before, now]; 0 where none is."""
    return max((goal for goal in goals if before < goal <= now), default=0)
