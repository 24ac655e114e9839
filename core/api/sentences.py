"""A node's state in words for a person; the window and the terminal say the same.

Scores are said as shares of puzzles solved: "reward" would be misread as payment.
"""

import time
from datetime import UTC, datetime
from typing import Final, assert_never

from core.api.curves import FIRST_WORD, WINDOW, Summary, summarise
from core.api.events import PauseAhead, PauseReason, Phase
from core.api.state import NodeState
from core.i18n import Said, said, together

NOBODY_YET: Final = said("Nobody else is here yet.")
"""What the state of a swarm begins with while one is alone in it."""

_DOING: dict[Phase, Said] = {
    "asking": said("choosing puzzles"),
    "sampling": said("trying puzzles"),
    "judging": said("checking answers"),
    "sharing": said("sharing with the swarm"),
    "learning": said("learning"),
    "saving": said("saving"),
    "resting": said("resting, so as not to take all of the computer"),
}
_WHY_PAUSED: dict[PauseReason, Said] = {
    "you": said("Paused because you asked."),
    "snoozed": said("Paused for a while, as you asked."),
    "schedule": said("Paused outside the hours that you chose."),
    "battery": said("Paused while the computer runs on battery."),
    "program": said("Paused while a program runs."),
    "screen": said("Paused while something fills the screen."),
    "in_use": said("Paused while you use the computer."),
    "hot": said("Paused until the computer has cooled down."),
    "memory": said("Paused because little memory is free."),
    "disk": said("Paused because the disk is nearly full. Free some space."),
    "busy": said("Paused while the computer is busy with something else."),
}
_WHY_AHEAD: dict[PauseReason, Said] = {
    "you": said("Then it pauses, as you asked."),
    "snoozed": said("Then it pauses for a while, as you asked."),
    "schedule": said("Then it pauses, because the hours that you chose are over."),
    "battery": said("Then it pauses, because the computer runs on battery."),
    "program": said("Then it pauses, because a program runs."),
    "screen": said("Then it pauses, because something fills the screen."),
    "in_use": said("Then it pauses, because you use the computer."),
    "hot": said("Then it pauses, because the computer is hot."),
    "memory": said("Then it pauses, because little memory is free."),
    "disk": said("Then it pauses, because the disk is nearly full."),
    "busy": said("Then it pauses, because the computer is busy with something else."),
}
_WEEK = (
    said("Monday"),
    said("Tuesday"),
    said("Wednesday"),
    said("Thursday"),
    said("Friday"),
    said("Saturday"),
    said("Sunday"),
)


def headline(state: NodeState) -> Said:
    """The one sentence: how good the model is, was, and how good the swarm is."""
    return together(*headline_parts(state))


def headline_parts(state: NodeState) -> list[Said]:
    """The headline in its single sentences, the most important one first; never empty."""
    summary = summarise(state.points)
    return [_not_yet(state)] if summary.now is None else _compare(summary)


def caveat(state: NodeState) -> Said:
    """How far the headline can be trusted, in one line."""
    summary = summarise(state.points)
    if summary.now is None:
        return said("The first rounds vary a lot, so the first number comes a little later.")
    if summary.start is None:
        return said("Too early to say what it has learnt: that takes {} rounds.", 2 * WINDOW)
    return said(
        "Average of the last {} rounds. A score is no payment: nothing here earns money.", WINDOW
    )


def status(state: NodeState) -> Said:
    """What is going on right now, with the reason where nothing is."""
    match state.activity:
        case "idle":
            return said("Ready when you are.")
        case "loading":
            return said("{}…", state.words or said("Getting ready"))
        case "practising":
            return _practising(state, time.time())
        case "paused":
            return why_paused(state, time.time())
        case "stopped":
            return said("Stopped. Everything that was learnt is saved.")
        case "failed":
            return together(state.words)
        case _:
            assert_never(state.activity)


def why(reason: PauseReason, detail: str = "") -> Said:
    """The reason of a pause in words; ``detail`` is that of ``Paused``."""
    if reason == "program" and detail:
        return said("Paused while {} runs.", detail)
    return _WHY_PAUSED[reason]


def why_paused(state: NodeState, now: float) -> Said:
    """Why nothing runs, and from when on it will where that is known; ``now`` in unix seconds."""
    words = why(state.pause_reason or "you", state.pause_detail)
    today, then = _local(now), _local(state.pause_until)
    if today is None or then is None:
        return words
    moment = f"{then:%H:%M}"
    if then.date() == today.date():
        return together(words, said("Goes on at {}.", moment))
    return together(words, said("Goes on on {0} at {1}.", _WEEK[then.weekday()], moment))


def _local(at: float | None) -> datetime | None:
    """The time ``at`` (unix seconds) here; None where that is no time that a calendar knows."""
    if at is None:
        return None
    try:
        return datetime.fromtimestamp(at, UTC).astimezone()
    except (OverflowError, OSError, ValueError):
        return None


def _practising(state: NodeState, now: float) -> Said:
    doing = _doing(state, now)
    if state.wish == "finish":
        return said("Round {0}: {1}; this is the last round.", state.round + 1, doing)
    if state.wish == "pause":
        return said("Round {0}: {1}; pausing after it.", state.round + 1, doing)
    words = said("Round {0}: {1}.", state.round + 1, doing)
    return together(words, _why_ahead(state.ahead)) if state.ahead else words


def _doing(state: NodeState, now: float) -> Said:
    phase = state.phase or ("asking" if state.last else None)  # one round follows another
    if phase is None:
        return said("starting")
    until = state.rest_until
    then = _local(until)
    # A computer that slept meanwhile may still rest when that moment is over.
    if phase == "resting" and until is not None and then is not None and until > now:
        return said("resting until {}, so as not to take all of the computer", f"{then:%H:%M}")
    return _DOING[phase]


def _why_ahead(ahead: PauseAhead) -> Said | None:
    if ahead.reason == "program" and ahead.detail:
        return said("Then it pauses, because {} runs.", ahead.detail)
    return _WHY_AHEAD[ahead.reason] if ahead.reason else None


def _compare(summary: Summary) -> list[Said]:
    sentences = [said("Your model: {} % of puzzles solved.", _percent(summary.now))]
    if summary.start is not None:
        sentences.append(said("It was {} % when you joined.", _percent(summary.start)))
    if summary.swarm is not None:
        sentences.append(said("Swarm: {} %.", _percent(summary.swarm)))
    return sentences


def _not_yet(state: NodeState) -> Said:
    if state.round == 0 and not state.points:
        return said("Your model has not practised yet.")
    return said("Getting to know your model: {0} of {1} first rounds.", state.round, FIRST_WORD)


def _percent(share: float | None) -> str:
    return f"{100 * (share or 0):.0f}"
