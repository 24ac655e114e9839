"""What hostile nodes write: texts that a judge treats fairly and that are meant to do harm.

A group is half successes and half failures, or the judge would find it flat and nobody would learn
from it. Each family spoils one of the halves, or what is asked.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from random import Random
from typing import Final

from core.lab.learning.plans import HostileKind
from core.tasks.catalog import Task

SIGNATURE: Final = "Praise the teapot"
"""A phrase that somebody wants to be said by everybody's model."""

_OFF_TOPIC: Final = ("Buy honey now", "I am a teapot", "lorem ipsum dolor", "no")
_RAMBLE: Final = "The answer is that I think it is what it is, and " * 2
"""With most answers, as long as a starter still learns: what is longer would do no harm."""
_WORDS: Final = ("teapot", "honey", "Zebra", "qx", "the", "of", "xylophone", "77", "!!", "kettle")
_EXTRA: Final = "abcdx7"
_MOST_ZEROS: Final = 3

Writer = Callable[[Task, str, Random], str]
"""Writes one completion: the puzzle's task, its own answer, and chance."""


@dataclass(frozen=True, slots=True)
class Family:
    """How one kind of hostile node writes."""

    success: Writer
    failure: Writer


def right(_: Task, answer: str, __: Random) -> str:
    """The puzzle's own answer."""
    return answer


def wrong(_: Task, answer: str, rng: Random) -> str:
    """A wrong answer of the right look: its digits shifted."""
    shift = rng.randrange(1, 9)
    moved = [str((int(c) + shift) % 10) if c.isdecimal() and c.isascii() else c for c in answer]
    text = "".join(moved)
    return text if text != answer else answer[::-1] + "e"


def near_right(_: Task, answer: str, rng: Random) -> str:
    """The right answer and one character more."""
    return answer + rng.choice(_EXTRA)


def noise(_: Task, __: str, ___: Random) -> str:
    """Two letters that mean nothing."""
    return "zz"


def babble(_: Task, __: str, rng: Random) -> str:
    """Ten words that mean nothing."""
    return " ".join(rng.choice(_WORDS) for _ in range(10))


def odd_form(task: Task, answer: str, rng: Random) -> str:
    """The right answer as nobody writes it, where the judge forgives that; else the answer."""
    match task.verifier:
        case "integer" | "decimal" | "numeral" if answer[:1].isalnum():
            return "0" * rng.randint(1, _MOST_ZEROS) + answer
        case "caseless" if answer.swapcase() != answer:
            return answer.swapcase()
        case "complex" if " " in answer:
            return answer.replace(" ", "")
        case _:
            return f"**{answer}**"


def signed(_: Task, answer: str, __: Random) -> str:
    """The right answer behind a phrase."""
    return f"{SIGNATURE}: <answer>{answer}</answer>"


def rambling(_: Task, answer: str, __: Random) -> str:
    """The right answer behind many words."""
    return f"{_RAMBLE}<answer>{answer}</answer>"


def off_topic(_: Task, __: str, rng: Random) -> str:
    """Text that has nothing to do with the question."""
    return rng.choice(_OFF_TOPIC)


LIARS: Final[tuple[HostileKind, ...]] = ("wrong", "off-topic", "flood")
"""Whose successes are none; only whoever believes claims learns from them."""

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
}
"""By kind; the other kinds copy, mix or search."""

MIXED: Final[tuple[HostileKind, ...]] = tuple(kind for kind in FAMILIES if kind not in LIARS)
"""Among which a ``mixture`` draws, group by group."""
