"""What a deck asks: its question at a level and a position, the same on every machine."""

import hashlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from random import Random
from typing import Final

from core.decks.deck import FEW_QUESTIONS, Deck, Flashcard, filler_of
from core.decks.limits import MAX_ANSWER, MAX_QUESTION, MAX_SOLUTION
from core.decks.templates import Filled, TemplateFiller

_SHARE_OF_FEW: Final = 5
_SHARE: Final = 16

_ORDERS: Final = 2**64

_LOOKED_AT: Final = 64
"""Questions of a level that are looked at: with ten different ones, one in ten million levels has
none that can be practised among so many draws."""

_MOST_MISSING: Final = 2
"""Of them may find no values; each that does not was tried at length."""

_MOST_STEPS: Final = 500_000
"""Of templates while those are looked at, in all levels together; see ``DeckQuestions.steps``. A
level that needs more has few questions, and each is hard to find. Others end with the first one
that is not held out."""


@dataclass(frozen=True, slots=True)
class DeckQuestion:
    """A question with all that is needed to judge an answer to it."""

    prompt: str  # with the labels to choose from below it
    answers: tuple[str, ...]  # accepted; the first is the form that is asked for
    labels: tuple[str, ...]  # to choose from
    solution: str  # may be empty
    held_out: bool  # kept for the exam


class DeckQuestions:
    """All questions of one deck; rows of a level are all as likely as each other."""

    def __init__(self, deck: Deck, digest: str) -> None:
        """Make ready what was checked by ``decode_deck``; ``digest`` is that of its bytes."""
        self._digest = digest
        self._deck = deck
        self._fillers = [filler_of(deck, template) for template in deck.templates]
        count = len(deck.cards) + sum(filler.count for filler in self._fillers)
        self._one_in = _SHARE_OF_FEW if count < FEW_QUESTIONS else _SHARE
        self._rows: list[list[Flashcard | TemplateFiller]] = [[] for _ in deck.levels]
        for card in deck.cards:
            self._rows[card.level - 1].append(card)
        for template, filler in zip(deck.templates, self._fillers, strict=True):
            self._rows[template.level - 1].append(filler)
        self.endless: int | None = None
        """The level at which it would be too much work to see what of it is practised."""
        self._practised: set[str] = set()  # prompts, though their text would hold them out
        for level in sorted(deck.levels):
            self._practised |= self._needed(level)

    @property
    def steps(self) -> int:
        """How much work its templates were so far."""
        return sum(filler.steps for filler in self._fillers)

    def question(self, level: int, position: int) -> DeckQuestion | None:
        """That at ``position`` of ``level``, from 1; None where a template finds no values."""
        rng = Random(f"{self._digest}/{level}/{position}")  # noqa: S311 - the same for everyone
        rows = self._rows[level - 1]
        row = rows[rng.randrange(len(rows))]
        if isinstance(row, Flashcard):
            return self._of(row.question, row.answers, self._deck.labels_of(row), row.solution)
        filled = row.fill(rng)
        if filled is None or not _fits(filled):
            return None
        labels = self._deck.labels if self._deck.matcher == "choice" else ()
        return self._of(filled.question, (filled.answer,), labels, filled.solution)

    def first(self, count: int) -> Iterator[tuple[int, DeckQuestion]]:
        """Those at the first ``count`` positions, levels in turn; fewer where some find no values.

        Each with its level.
        """
        levels = sorted(self._deck.levels)
        for position in range(count):
            level = levels[position % len(levels)]
            asked = self.question(level, position)
            if asked is not None:
                yield level, asked

    def _of(
        self, question: str, answers: tuple[str, ...], labels: tuple[str, ...], solution: str
    ) -> DeckQuestion:
        prompt = _with_labels(question, labels)
        # By a threshold: what a large deck holds out, a small one of the same questions did, too.
        is_held_out = _order(prompt) * self._one_in < _ORDERS and prompt not in self._practised
        return DeckQuestion(prompt, answers, labels, solution, is_held_out)

    def _needed(self, level: int) -> set[str]:
        """Prompts without which all of a level, or nearly all, would be held out.

        A question is held out by its text, wherever it stands, so that none is practised at one
        level and examined at another; few questions may happen to be held out altogether.
        """
        found: set[str] = set()
        missing = 0
        for position in range(_LOOKED_AT):
            if self.steps > _MOST_STEPS:
                self.endless = self.endless or level
                break
            asked = self.question(level, position)
            if asked is None:
                missing += 1  # each was looked for at length
            elif not asked.held_out:
                return set()
            else:
                found.add(asked.prompt)
            if missing == _MOST_MISSING:
                break
        return found


def _with_labels(question: str, labels: Sequence[str]) -> str:
    """The labels stand below, in an order that says nothing of which one is right."""
    if not labels:
        return question
    shuffled = sorted(labels, key=lambda label: _order(f"{question}\n{label}"))
    return f"{question}\n{' / '.join(shuffled)}"


def _order(text: str) -> int:
    """A number below ``_ORDERS`` that says nothing of the text."""
    return int.from_bytes(hashlib.sha256(text.encode()).digest()[:8])


def _fits(filled: Filled) -> bool:
    """Whether blanks did not swell a text beyond what a card may hold."""
    question, answer, solution = map(len, filled)
    return 0 < question <= MAX_QUESTION and 0 < answer <= MAX_ANSWER and solution <= MAX_SOLUTION
