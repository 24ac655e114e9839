"""Puzzles as they are tried, for somebody who watches: a few, no faster than a person reads.

A small model plays five rounds a second. What is shown of them is chosen here, cut to a size that
fits a page, and never kept.
"""

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Annotated, Final

import msgspec
from msgspec import Meta

from core.api.message import JsonMessage
from core.rollouts.answers import final_answer
from core.rollouts.types import PeerId, Question, ScoredGroup, TaskId

PAUSE_S: Final = 2.0
MOST_ANSWERS: Final = 8
MOST_LEVELS: Final = 9  # of one kind of puzzle
QUESTION_LENGTH: Final = 2_000
ANSWER_LENGTH: Final = 400
"""Characters; what is longer ends in an ellipsis."""


PuzzleTask = Annotated[str, Meta(max_length=40)]
PuzzleTitle = Annotated[str, Meta(max_length=80)]  # of its task, in plain words
Share = Annotated[float, Meta(ge=0, le=1)]
Count = Annotated[int, Meta(ge=0, le=10**9)]


class Attempt(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One answer, as it is shown."""

    text: Annotated[str, Meta(max_length=ANSWER_LENGTH)]
    reward: float | None  # in [0, 1], as judged here; None: nobody can judge it


Attempts = Annotated[tuple[Attempt, ...], Meta(max_length=MOST_ANSWERS)]


PuzzleLevel = Annotated[int, Meta(ge=0, le=MOST_LEVELS)]


class PuzzleTried(JsonMessage, frozen=True, tag="puzzle_tried"):
    """A puzzle and what was answered to it: by the own model, by a peer, or by both."""

    round: int
    task: PuzzleTask
    title: PuzzleTitle
    question: Annotated[str, Meta(max_length=QUESTION_LENGTH)]
    level: PuzzleLevel = 0  # of the task; 0: not told
    own: Attempts = ()
    peer: str = ""  # its id; empty: no peer tried it
    name: str = ""  # its friendly name
    theirs: Attempts = ()


class WatchPuzzles(JsonMessage, frozen=True, tag="watch_puzzles"):
    """Tell of puzzles as they are tried, from now on or no longer."""

    on: bool
    task: PuzzleTask = ""  # of this kind only; empty: of all
    level: PuzzleLevel = 0  # at this level only; 0: at all


class Preview:
    """Chooses what is shown: something new at most every ``PAUSE_S`` seconds."""

    def __init__(
        self,
        title_of: Callable[[TaskId], str],
        name_of: Callable[[PeerId], str],
        steady: Callable[[], float] = time.monotonic,
        wish: WatchPuzzles = WatchPuzzles(on=True),  # noqa: B008 - frozen
    ) -> None:
        self._title_of = title_of
        self._name_of = name_of  # friendly name of a node
        self._steady = steady  # seconds that never go back
        self._wish = wish  # of which kind and level
        self._shown_at = float("-inf")

    def choose(
        self, number: int, own: Sequence[ScoredGroup], received: Sequence[ScoredGroup]
    ) -> list[PuzzleTried]:
        """Puzzles to show of round ``number``: at most one group of ``own`` and one of a peer."""
        if self._steady() - self._shown_at < PAUSE_S:
            return []
        picked = _pick(self._wanted(own), self._wanted(received))
        shown = [self._describe(number, exhibit) for exhibit in picked]
        if shown:
            self._shown_at = self._steady()
        return shown

    def _wanted(self, groups: Sequence[ScoredGroup]) -> Sequence[ScoredGroup]:
        task, level = self._wish.task, self._wish.level
        keys = ((group, group.question.key) for group in groups)
        return [group for group, key in keys if task in ("", key.task) and level in (0, key.level)]

    def _describe(self, number: int, exhibit: "_Exhibit") -> PuzzleTried:
        question, mine, theirs = exhibit.question, exhibit.mine, exhibit.theirs
        return PuzzleTried(
            round=number,
            task=question.key.task,
            title=self._title_of(question.key.task),
            level=question.key.level,
            question=cut(question.prompt, QUESTION_LENGTH),
            own=() if mine is None else attempts_of(mine),
            peer="" if theirs is None else theirs.group.author,
            name="" if theirs is None else self._name_of(theirs.group.author),
            theirs=() if theirs is None else attempts_of(theirs),
        )


def attempts_of(scored: ScoredGroup) -> tuple[Attempt, ...]:
    """The first answers of ``scored``, of each what was judged."""
    pairs = zip(scored.group.completions, scored.rewards, strict=True)
    every = tuple(Attempt(shown_answer(c.text), reward) for c, reward in pairs)
    return every[:MOST_ANSWERS]


def shown_answer(completion: str) -> str:
    """The final answer alone: what a larger model thinks before it would fill the page."""
    return cut(final_answer(completion), ANSWER_LENGTH)


def cut(text: str, most: int) -> str:
    """``text`` in at most ``most`` characters."""
    return text if len(text) <= most else f"{text[: most - 1]}…"


@dataclass(frozen=True, slots=True)
class _Exhibit:
    question: Question
    mine: ScoredGroup | None = None
    theirs: ScoredGroup | None = None


def _pick(own: Sequence[ScoredGroup], received: Sequence[ScoredGroup]) -> list[_Exhibit]:
    """The exhibits worth a look: one question that both tried, else one of each side."""
    for mine in own:
        for theirs in received:
            if mine.question.prompt == theirs.question.prompt:
                return [_Exhibit(mine.question, mine, theirs)]
    picked = [_Exhibit(group.question, mine=group) for group in _telling(own)]
    return picked + [_Exhibit(group.question, theirs=group) for group in _telling(received)]


def _telling(groups: Sequence[ScoredGroup]) -> Sequence[ScoredGroup]:
    """The first group of which something can be learnt, else the first; none of none."""
    return [group for group in groups if not group.is_flat][:1] or groups[:1]
