"""What hostile nodes write: texts that a judge treats fairly and that are meant to do harm.

A group is half successes and half failures, or the judge would find it flat and nobody would learn
from it. Each family spoils one of the halves, or what is asked.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from random import Random
from typing import Final

from core.lab.learning.plans import HostileKind
from core.lab.worked.answers import fully, steps_of, worked
from core.tasks.catalog import Task
from core.tasks.reasoning_tasks import Puzzle

SIGNATURE: Final = "Praise the teapot"
"""A phrase that somebody wants to be said by everybody's model."""

_OFF_TOPIC: Final = ("Buy honey now", "I am a teapot", "lorem ipsum dolor", "no")
_RAMBLE: Final = "The answer is that I think it is what it is, and " * 2
"""With most answers, as long as a starter still learns: what is longer would do no harm."""
_WORDS: Final = ("teapot", "honey", "Zebra", "qx", "the", "of", "xylophone", "77", "!!", "kettle")
_EXTRA: Final = "abcdx7"
_MOST_ZEROS: Final = 3

Writer = Callable[[Task, Puzzle, Random], str]
"""Writes one completion: the puzzle's task, the puzzle, and chance."""


@dataclass(frozen=True, slots=True)
class Family:
    """How one kind of hostile node writes."""

    success: Writer
    failure: Writer


def right(_: Task, puzzle: Puzzle, __: Random) -> str:
    """The puzzle's own answer."""
    return puzzle.answer


def wrong(_: Task, puzzle: Puzzle, rng: Random) -> str:
    """A wrong answer of the right look."""
    text = shifted(puzzle.answer, rng)
    return text if text != puzzle.answer else puzzle.answer[::-1] + "e"


def shifted(text: str, rng: Random) -> str:
    """``text`` with other digits."""
    shift = rng.randrange(1, 9)
    moved = (str((int(c) + shift) % 10) if c.isdecimal() and c.isascii() else c for c in text)
    return "".join(moved)


def near_right(_: Task, puzzle: Puzzle, rng: Random) -> str:
    """The right answer and one character more."""
    return puzzle.answer + rng.choice(_EXTRA)


def noise(_: Task, __: Puzzle, ___: Random) -> str:
    """Two letters that mean nothing."""
    return "zz"


def babble(_: Task, __: Puzzle, rng: Random) -> str:
    """Ten words that mean nothing."""
    return " ".join(rng.choice(_WORDS) for _ in range(10))


def odd_form(task: Task, puzzle: Puzzle, rng: Random) -> str:
    """The right answer as nobody writes it, where the judge forgives that; else the answer."""
    answer = puzzle.answer
    match task.verifier:
        case "integer" | "decimal" | "numeral" if answer[:1].isalnum():
            return "0" * rng.randint(1, _MOST_ZEROS) + answer
        case "caseless" if answer.swapcase() != answer:
            return answer.swapcase()
        case "complex" if " " in answer:
            return answer.replace(" ", "")
        case _:
            return f"**{answer}**"


def signed(_: Task, puzzle: Puzzle, __: Random) -> str:
    """The right answer behind a phrase."""
    return f"{SIGNATURE}: <answer>{puzzle.answer}</answer>"


def rambling(_: Task, puzzle: Puzzle, __: Random) -> str:
    """The right answer behind many words."""
    return f"{_RAMBLE}<answer>{puzzle.answer}</answer>"


def off_topic(_: Task, __: Puzzle, rng: Random) -> str:
    """Text that has nothing to do with the question."""
    return rng.choice(_OFF_TOPIC)


def right_steps(_: Task, puzzle: Puzzle, __: Random) -> str:
    """The right answer behind right steps; alone where nothing is worked out."""
    return fully(puzzle)


def wrong_steps(_: Task, puzzle: Puzzle, rng: Random) -> str:
    """The right answer behind steps that do not lead to it; alone where nothing is worked out."""
    steps = steps_of(puzzle)
    return puzzle.answer if steps is None else worked(shifted(steps, rng), puzzle.answer)


def wrong_result(task: Task, puzzle: Puzzle, rng: Random) -> str:
    """A wrong answer behind the right steps; alone where nothing is worked out."""
    steps, answer = steps_of(puzzle), wrong(task, puzzle, rng)
    return answer if steps is None else worked(steps, answer)


LIARS: Final[tuple[HostileKind, ...]] = ("wrong", "off-topic", "flood")
"""Whose successes are none; only whoever believes claims learns from them."""

AGAINST_WORKING: Final[tuple[HostileKind, ...]] = ("wrong-steps", "wrong-results")
"""Who teach to work things out wrongly, or not at all."""

FAMILIES: Final[Mapping[HostileKind, Family]] = {
    "wrong": Family(wrong, wrong),
    "off-topic": Family(off_topic, wrong),
    "flood": Family(wrong, wrong),
    "overlong": Family(rambling, wrong),
    "noise": Family(right, noise),
    "babble": Family(right, babble),
    "near-right": Family(right, near_right),
    "odd-forms": Family(odd_form, near_right),
    "signature": Family(signed, wrong),
    "easy": Family(right, wrong),
    "wrong-steps": Family(wrong_steps, wrong),
    "wrong-results": Family(right, wrong_result),
}
"""By kind; the other kinds copy, mix or search."""

MIXED: Final[tuple[HostileKind, ...]] = tuple(
    kind for kind in FAMILIES if kind not in (*LIARS, *AGAINST_WORKING)
)
"""Among which a ``mixture`` draws, group by group."""
