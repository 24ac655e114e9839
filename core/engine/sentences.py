"""A node's state in words for a person; the window and the terminal say the same.

Scores are said as shares of puzzles solved: "reward" would be misread as payment.
"""

import time
from datetime import UTC, datetime
from typing import assert_never

from core.engine.curves import FIRST_WORD, WINDOW, Summary, summarise
from core.engine.events import PauseReason, Phase
from core.engine.state import NodeState

_DOING: dict[Phase, str] = {
    "asking": "choosing puzzles",
    "sampling": "trying puzzles",
    "judging": "checking answers",
    "sharing": "sharing with the swarm",
    "learning": "learning",
    "saving": "saving",
    "resting": "resting, so as not to take all of the computer",
}
_WHY_PAUSED: dict[PauseReason, str] = {
    "you": "Paused because you asked.",
    "snoozed": "Paused for a while, as you asked.",
    "schedule": "Paused outside the hours that you chose.",
    "battery": "Paused while the computer runs on battery.",
    "program": "Paused while {} runs.",
    "screen": "Paused while something fills the screen.",
    "in_use": "Paused while you use the computer.",
    "hot": "Paused until the computer has cooled down.",
    "memory": "Paused because little memory is free.",
    "disk": "Paused because the disk is nearly full. Free some space.",
    "busy": "Paused while the computer is busy with something else.",
}


def headline(state: NodeState) -> str:
    """The one sentence: how good the model is, was, and how good the swarm is."""
    return " ".join(headline_parts(state))


def headline_parts(state: NodeState) -> list[str]:
    """The headline in its single sentences, the most important one first; never empty."""
    summary = summarise(state.points)
    return [_not_yet(state)] if summary.now is None else _compare(summary)


def caveat(state: NodeState) -> str:
    """How far the headline can be trusted, in one line."""
    summary = summarise(state.points)
    if summary.now is None:
        return "The first rounds vary a lot, so the first number comes a little later."
    if summary.start is None:
        return f"Too early to say what it has learnt: that takes {2 * WINDOW} rounds."
    return f"Mean of the last {WINDOW} rounds. A score is no payment: nothing here earns money."


def status(state: NodeState) -> str:
    """What is going on right now, with the reason where nothing is."""
    match state.activity:
        case "idle":
            return "Ready when you are."
        case "loading":
            return f"{state.words or 'Getting ready'}…"
        case "practising":
            return _practising(state)
        case "paused":
            return why_paused(state, time.time())
        case "stopped":
            return "Stopped. Everything that was learnt is saved."
        case "failed":
            return state.words
        case _:
            assert_never(state.activity)


def why(reason: PauseReason, detail: str = "") -> str:
    """The reason of a pause in words; ``detail`` is that of ``Paused``."""
    return _WHY_PAUSED[reason].format(detail or "a program")


def why_paused(state: NodeState, now: float) -> str:
    """Why nothing runs, and from when on it will where that is known; ``now`` in unix seconds."""
    words = why(state.pause_reason or "you", state.pause_detail)
    today, then = _local(now), _local(state.pause_until)
    if today is None or then is None:
        return words
    day = "" if then.date() == today.date() else f"on {then:%A} "
    return f"{words} Goes on {day}at {then:%H:%M}."


def _local(at: float | None) -> datetime | None:
    """The time ``at`` (unix seconds) here; None where that is no time that a calendar knows."""
    if at is None:
        return None
    try:
        return datetime.fromtimestamp(at, UTC).astimezone()
    except (OverflowError, OSError, ValueError):
        return None


def _practising(state: NodeState) -> str:
    doing = "starting" if state.phase is None else _DOING[state.phase]
    if state.wish == "finish":
        doing += "; this is the last round"
    if state.wish == "pause":
        doing += "; pausing after it"
    return f"Round {state.round + 1}: {doing}."


def _compare(summary: Summary) -> list[str]:
    sentences = [f"Your model: {_percent(summary.now)} of puzzles solved."]
    if summary.start is not None:
        sentences.append(f"It was {_percent(summary.start)} when you joined.")
    if summary.swarm is not None:
        sentences.append(f"Swarm: {_percent(summary.swarm)}.")
    return sentences


def _not_yet(state: NodeState) -> str:
    if state.round == 0 and not state.points:
        return "Your model has not practised yet."
    return f"Getting to know your model: {state.round} of {FIRST_WORD} first rounds."


def _percent(share: float | None) -> str:
    return f"{100 * (share or 0):.0f} %"
