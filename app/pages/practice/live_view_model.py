"""What stands around the puzzles that pass by, decided from what is known; pure."""

from dataclasses import dataclass
from typing import assert_never

from PySide6.QtCore import QCoreApplication

from app.pages.practice.feed import Feed
from app.state.app_state import AppState

translate = QCoreApplication.translate


@dataclass(frozen=True, slots=True)
class LiveViewModel:
    """All that the tab draws, save the puzzles."""

    words: str  # what to expect of the puzzles below
    button: str
    can_hold: bool
    empty: str  # in place of puzzles; empty while there are some
    offers_home: bool  # nothing runs, and Home is where that changes


def live_view_model(state: AppState, feed: Feed, *, is_one_cell: bool = False) -> LiveViewModel:
    """Put ``state`` and ``feed`` in words; ``is_one_cell``: of one kind and level alone."""
    return LiveViewModel(
        words=_words(state, feed),
        button=translate("Practice", "Go on")
        if feed.is_held
        else translate("Practice", "Hold still"),
        can_hold=bool(feed.shown),
        empty="" if feed.shown else _empty(state, is_one_cell=is_one_cell),
        offers_home=not feed.shown and not state.is_running,
    )


def _words(state: AppState, feed: Feed) -> str:
    if not feed.shown:
        return ""
    if feed.is_held:
        return _held(len(feed.waiting))
    if not state.is_running:
        return translate("Practice", "Nothing is practised now; these were the last puzzles.")
    if state.node.activity == "paused":
        return translate("Practice", "Paused; these were the last puzzles.")
    return translate("Practice", "A few of the puzzles that are tried, the newest on top.")


def _held(waiting: int) -> str:
    if waiting == 0:
        return translate("Practice", "Held still for you.")
    if waiting == 1:
        return translate("Practice", "Held still; 1 newer one is waiting.")
    return translate("Practice", "Held still; {} newer ones are waiting.").format(waiting)


def _empty(state: AppState, *, is_one_cell: bool) -> str:
    if not state.is_running:
        return translate(
            "Practice",
            "Here you can watch the puzzles that your model tries, what it answers, and what "
            "others answered.\nNothing is practised right now. Join on Home, and they pass by.",
        )
    match state.node.activity:
        case "paused":
            return translate("Practice", "Paused. The next puzzle appears when practice goes on.")
        case "loading":
            return translate("Practice", "The first puzzle appears when the model is ready.")
        case "practising" if is_one_cell:
            return translate(
                "Practice",
                "None of this kind and level has passed by yet. A round asks only a few of all, "
                "so it may take a while.",
            )
        case "practising" | "idle" | "stopped" | "failed":
            return translate("Practice", "The next puzzle appears as soon as a round is over.")
        case _:
            assert_never(state.node.activity)
