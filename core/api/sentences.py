"""A node's state in words for a person; the window and the terminal say the same.

Scores are said as shares of puzzles solved: "reward" would be misread as payment.
"""

import time
from collections.abc import Callable
from datetime import UTC, datetime
from typing import Final, assert_never

from core.api.curves import Summary, summarise
from core.api.events import PauseAhead, PauseReason, Phase
from core.api.state import NodeState
from core.i18n import TranslatableText, together, translatable

NOBODY_YET: Final = translatable("Nobody else is here yet.")
"""What the state of a swarm begins with while one is alone in it."""

_DOING: dict[Phase, TranslatableText] = {
    "asking": translatable("choosing puzzles"),
    "sampling": translatable("trying puzzles"),
    "judging": translatable("checking answers"),
    "sharing": translatable("sharing with the swarm"),
    "learning": translatable("learning"),
    "saving": translatable("saving"),
    "resting": translatable("resting, so as not to take all of the computer"),
}
_WHY_PAUSED: dict[PauseReason, TranslatableText] = {
    "you": translatable("Paused because you asked."),
    "snoozed": translatable("Paused for a while, as you asked."),
    "schedule": translatable("Paused outside the hours that you chose."),
    "battery": translatable("Paused while the computer runs on battery."),
    "program": translatable("Paused while a program runs."),
    "screen": translatable("Paused while something fills the screen."),
    "in_use": translatable("Paused while you use the computer."),
    "hot": translatable("Paused until the computer has cooled down."),
    "memory": translatable("Paused because little memory is free."),
    "disk": translatable("Paused because the disk is nearly full. Free some space."),
    "busy": translatable("Paused while the computer is busy with something else."),
}
_WHY_AHEAD: dict[PauseReason, TranslatableText] = {
    "you": translatable("Then it pauses, as you asked."),
    "snoozed": translatable("Then it pauses for a while, as you asked."),
    "schedule": translatable("Then it pauses, because the hours that you chose are over."),
    "battery": translatable("Then it pauses, because the computer runs on battery."),
    "program": translatable("Then it pauses, because a program runs."),
    "screen": translatable("Then it pauses, because something fills the screen."),
    "in_use": translatable("Then it pauses, because you use the computer."),
    "hot": translatable("Then it pauses, because the computer is hot."),
    "memory": translatable("Then it pauses, because little memory is free."),
    "disk": translatable("Then it pauses, because the disk is nearly full."),
    "busy": translatable("Then it pauses, because the computer is busy with something else."),
}
_WEEK = (
    translatable("Monday"),
    translatable("Tuesday"),
    translatable("Wednesday"),
    translatable("Thursday"),
    translatable("Friday"),
    translatable("Saturday"),
    translatable("Sunday"),
)


def headline(state: NodeState) -> TranslatableText:
    """The one sentence: how good the model is, was, and how good the swarm is."""
    return together(*headline_parts(state))


def headline_parts(state: NodeState) -> list[TranslatableText]:
    """The headline in its single sentences, the most important one first; never empty."""
    summary = summarise(state.points, state.base_skill)
    return [_not_yet(state)] if summary.now is None else _compare(summary, state)


def caveat(state: NodeState) -> TranslatableText:
    """A remark in one line on how far the headline can be trusted."""
    if not state.points:
        return translatable(
            "First it is seen how far your model gets in each kind of puzzle, from the easiest "
            "level up. Then there is a number."
        )
    if state.scope is not None:
        return translatable(
            "Of the puzzles that are practised here, estimated from what was tried lately. "
            "A score is no payment: nothing here earns money."
        )
    return translatable(
        "Of all kinds of puzzles at all levels, estimated from what was tried lately. "
        "A score is no payment: nothing here earns money."
    )


def taught(kinds: int | None) -> TranslatableText | None:
    """What the swarm brought this model (``core.rollouts.taught``); None where that is nothing."""
    if not kinds:
        return None
    if kinds == 1:
        return translatable(
            "Others' tries taught your model a kind of puzzle at a level "
            "that it never solved alone."
        )
    return translatable(
        "Others' tries taught your model {} kinds of puzzles at levels that it never solved alone.",
        kinds,
    )


def status(state: NodeState, figure: Callable[[int], str] = str) -> TranslatableText:
    """The activity of a node in words, with the reason where nothing runs.

    ``figure`` writes a number as the reader's language does.
    """
    match state.activity:
        case "idle":
            return translatable("Ready when you are.")
        case "loading":
            return translatable("{}…", state.words or translatable("Getting ready"))
        case "practising":
            return _practising(state, _doing(state, time.time()), figure(state.round + 1))
        case "paused":
            return why_paused(state, time.time())
        case "stopped":
            return translatable("Stopped. Everything that was learnt is saved.")
        case "failed":
            return together(state.words)
        case _:
            assert_never(state.activity)


def why(reason: PauseReason, detail: str = "") -> TranslatableText:
    """The reason of a pause in words; ``detail`` is that of ``Paused``."""
    if reason == "program" and detail:
        return translatable("Paused while {} runs.", detail)
    return _WHY_PAUSED[reason]


def why_paused(state: NodeState, now: float) -> TranslatableText:
    """Why nothing runs, and from when on it will where that is known; ``now`` in unix seconds."""
    words = why(state.pause_reason or "you", state.pause_detail)
    today, then = _local(now), _local(state.pause_until)
    if today is None or then is None:
        return words
    moment = f"{then:%H:%M}"
    if then.date() == today.date():
        return together(words, translatable("Goes on at {}.", moment))
    return together(words, translatable("Goes on on {0} at {1}.", _WEEK[then.weekday()], moment))


def _local(at: float | None) -> datetime | None:
    """The time ``at`` (unix seconds) here; None where that is no time that a calendar knows."""
    if at is None:
        return None
    try:
        return datetime.fromtimestamp(at, UTC).astimezone()
    except (OverflowError, OSError, ValueError):
        return None


def _practising(state: NodeState, doing: TranslatableText, number: str) -> TranslatableText:
    if state.wish == "finish":
        return translatable("Round {0}: {1}; this is the last round.", number, doing)
    if state.wish == "pause":
        return translatable("Round {0}: {1}; pausing after it.", number, doing)
    words = translatable("Round {0}: {1}.", number, doing)
    return together(words, _why_ahead(state.ahead)) if state.ahead else words


def _doing(state: NodeState, now: float) -> TranslatableText:
    phase = state.phase or ("asking" if state.last else None)  # one round follows another
    if phase is None:
        return translatable("starting")
    until = state.rest_until
    then = _local(until)
    # A computer that slept meanwhile may still rest when that moment is over.
    if phase == "resting" and until is not None and then is not None and until > now:
        return translatable(
            "resting until {}, so as not to take all of the computer", f"{then:%H:%M}"
        )
    return _DOING[phase]


def _why_ahead(ahead: PauseAhead) -> TranslatableText | None:
    if ahead.reason == "program" and ahead.detail:
        return translatable("Then it pauses, because {} runs.", ahead.detail)
    return _WHY_AHEAD[ahead.reason] if ahead.reason else None


def _compare(summary: Summary, state: NodeState) -> list[TranslatableText]:
    now = _percent(summary.now)
    sentences = [
        translatable("Your model solves {} % of what it practises.", now)
        if state.scope is not None
        else translatable("Your model solves {} % of all puzzles.", now)
    ]
    if summary.base is not None:
        sentences.append(translatable("At first it was {} %.", _percent(summary.base)))
    if summary.swarm is not None:
        sentences.append(translatable("Swarm: {} %.", _percent(summary.swarm)))
    return sentences


def _not_yet(state: NodeState) -> TranslatableText:
    if state.round == 0:
        return translatable("Your model has not practised yet.")
    if state.last is None or state.last.looked_at is None:
        return translatable("Getting to know your model.")
    # Not rounded up: it is not known before all of it is.
    return translatable("Getting to know your model: {} %.", int(100 * state.last.looked_at))


def _percent(share: float | None) -> str:
    return f"{100 * (share or 0):.0f}"
