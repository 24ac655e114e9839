"""A node's state in words for a person; the window and the terminal say the same.

Scores are said as shares of puzzles solved: "reward" would be misread as payment.
"""

import time
from datetime import UTC, datetime
from typing import assert_never

from core.engine.curves import FIRST_WORD, WINDOW, Summary, summarise
from core.engine.events import PauseReason, Phase
from core.engine.state import NodeState
from core.said import Said, said, together

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
        "Mean of the last {} rounds. A score is no payment: nothing here earns money.", WINDOW
    )


def status(state: NodeState) -> Said:
    """What is going on right now, with the reason where nothing is."""
    match state.activity:
        case "idle":
            return said("Ready when you are.")
        case "loading":
            return said("{}…", state.words or said("Getting ready"))
        case "practising":
            return _practising(state)
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


def _practising(state: NodeState) -> Said:
    phase = state.phase or ("asking" if state.last else None)  # one round follows another
    doing = said("starting") if phase is None else _DOING[phase]
    if state.wish == "finish":
        return said("Round {0}: {1}; this is the last round.", state.round + 1, doing)
    if state.wish == "pause":
        return said("Round {0}: {1}; pausing after it.", state.round + 1, doing)
    return said("Round {0}: {1}.", state.round + 1, doing)


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
