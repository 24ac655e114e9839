"""What is wrong with a deck before it is practised or shared: found by trying, without a model.

A deck is practised by answers that are compared with its own, so whatever earns without knowing is
what a model will learn: the most frequent answer, the question said again, or an answer that stands
in the question. And what can never be right teaches nothing.
"""

from collections import Counter, defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from decimal import Decimal
from typing import Final

from core.decks.deck import Flashcard
from core.decks.library import InstalledDeck
from core.decks.questions import DeckQuestion, DeckQuestions
from core.i18n import TranslatableText, translatable
from core.rollouts.types import PuzzleKey, Question, TaskId
from core.tasks.deck_rules import DECIMAL
from core.tasks.deck_sample import FEWEST_TRIED, LOOKED_AT, MOST_MISSING, sample
from core.tasks.deck_tasks import task_of_deck
from core.tasks.reasoning_tasks import puzzle_of_deck
from core.tasks.verifiers import verify

MOST_ANSWERS: Final = 100_000
"""Of cards that are tried, one by one."""

CONSTANT: Final = 0.35
"""Share that one answer may earn, as in all kinds of puzzles that are built in."""

MOST_LIKELY: Final = 5
"""The most frequent answers, which are tried on all questions."""

OVER_CHANCE: Final = 1.5
"""The same where there are labels, in shares that guessing earns."""

GIVEN_AWAY: Final = 0.1
"""Share of questions in which the answer may stand."""

FEW_CARDS: Final = 5
"""With less in a level it may well be that none of them is held out."""

FEW_VALUES: Final = 20
"""A template that makes fewer questions is soon known by heart."""

MOST_NAMED: Final = 5
"""Rows and questions that are named of those that have the same fault."""


@dataclass(frozen=True, slots=True)
class DeckFinding:
    """Something about a deck that a person should know."""

    words: TranslatableText
    is_error: bool  # the deck cannot be practised like this
    rows: tuple[int, ...] = ()  # of its cards, from 1; the first that it is about


def examine_deck(installed: InstalledDeck) -> list[DeckFinding]:
    """All findings, errors first."""
    chart = _Chart(installed)
    checks = (
        chart.never_right,
        chart.not_made,
        chart.contradictions,
        chart.same_answer,
        chart.echoes,
        chart.given_away,
        chart.too_few,
    )
    found = [finding for check in checks for finding in check()]
    return sorted(found, key=lambda finding: not finding.is_error)


class _Chart:
    """One deck under examination."""

    def __init__(self, installed: InstalledDeck) -> None:
        self._deck = installed.deck
        self._task = task_of_deck(installed)
        questions = DeckQuestions(installed.deck, installed.digest)
        self._endless = questions.endless
        self._asked = sample(questions, sorted(installed.deck.levels))

    def never_right(self) -> Iterator[DeckFinding]:
        """The deck's own answers must be right."""
        rows = [n for n, card in self._few_cards() if not self._is_reachable(card)]
        if rows:
            yield DeckFinding(
                translatable(
                    "{} of {} answers can never be right as {}. Choose another way to compare.",
                    len(rows),
                    len(self._deck.cards),
                    f"“{self._deck.matcher}”",
                ),
                is_error=True,
                rows=tuple(rows[:MOST_NAMED]),
            )
        for level, made in self._made():
            if not all(self._earns(one, one.answers[0]) for one in made):
                yield DeckFinding(
                    translatable(
                        "At level {}, an answer that a template makes can never be right as {}. "
                        "Choose another way to compare, or a condition.",
                        level,
                        f"“{self._deck.matcher}”",
                    ),
                    is_error=True,
                )

    def not_made(self) -> Iterator[DeckFinding]:
        """Templates must find values for which their condition holds."""
        for level, asked in self._asked.items():
            missing, is_endless = asked.count(None), level == self._endless
            if is_endless or missing > MOST_MISSING * len(asked) or len(asked) < FEWEST_TRIED:
                yield DeckFinding(
                    translatable(
                        "At level {}, a template hardly ever finds values that it may ask for. "
                        "Ease its condition.",
                        level,
                    ),
                    is_error=True,
                )

    def contradictions(self) -> Iterator[DeckFinding]:
        """The same question with different answers cannot be learnt."""
        seen = defaultdict[tuple[str, frozenset[str]], list[tuple[int, Flashcard]]](list)
        for number, card in self._cards():  # "Co" is not "CO", nor is a choice of other labels
            asked = _tidied(card.question), frozenset(self._deck.labels_of(card))
            seen[asked].append((number, card))
        differing = [
            cards
            for cards in seen.values()
            if len(cards) > 1 and len({frozenset(map(_plain, c.answers)) for _, c in cards}) > 1
        ]
        for cards in differing[:MOST_NAMED]:
            yield DeckFinding(
                translatable(
                    "The question “{}” stands there with different answers. Keep one of them, "
                    "or accept all in one row.",
                    _short(cards[0][1].question),
                ),
                is_error=True,
                rows=tuple(number for number, _ in cards[:MOST_NAMED]),
            )

    def same_answer(self) -> Iterator[DeckFinding]:
        """One answer to everything must not pay."""
        for level, made in self._made():
            answer, share = self._best_constant(made)
            chance = max((1 / len(one.labels) for one in made if one.labels), default=0.0)
            if made.total() > 1 and share > (OVER_CHANCE * chance or CONSTANT):
                yield DeckFinding(
                    translatable(
                        "At level {}, always answering “{}” is right in {}. A model will learn "
                        "that: add questions with other answers.",
                        level,
                        _short(answer),
                        f"{share:.0%}",
                    ),
                    is_error=False,
                )

    def echoes(self) -> Iterator[DeckFinding]:
        """Saying the question again, or nothing, must not pay."""
        for level, made in self._made():
            for one in made:
                said = (one.prompt, one.prompt.splitlines()[0], "")
                if not one.labels and any(self._earns(one, text) for text in said):
                    yield DeckFinding(
                        translatable(
                            "At level {}, repeating the question is right: “{}”.",
                            level,
                            _short(one.prompt),
                        ),
                        is_error=True,
                    )
                    break

    def given_away(self) -> Iterator[DeckFinding]:
        """An answer should not stand in its question."""
        if self._deck.matcher == "choice":
            return
        rows = [n for n, card in self._cards() if _stands_in(card.answers[0], card.question)]
        if len(rows) > GIVEN_AWAY * len(self._deck.cards):
            yield DeckFinding(
                translatable(
                    "In {} of {} questions the answer stands in the question. If that is not "
                    "meant, write them differently.",
                    len(rows),
                    len(self._deck.cards),
                ),
                is_error=False,
                rows=tuple(rows[:MOST_NAMED]),
            )

    def too_few(self) -> Iterator[DeckFinding]:
        """Some questions must be left for the exam."""
        for level, made in self._made():
            if len(self._asked[level]) < LOOKED_AT:
                continue  # there may be many more
            different = len({one.prompt for one in made})
            by_template = any(template.level == level for template in self._deck.templates)
            if different < (FEW_VALUES if by_template else FEW_CARDS):
                yield DeckFinding(
                    translatable(
                        "Level {} has only {} different questions: too few to tell learning from "
                        "remembering. Add more.",
                        level,
                        different,
                    ),
                    is_error=False,
                )

    def _cards(self) -> Iterator[tuple[int, Flashcard]]:
        return enumerate(self._deck.cards, start=1)

    def _few_cards(self) -> Iterator[tuple[int, Flashcard]]:
        """The first cards, as far as ``MOST_ANSWERS`` allows."""
        left = MOST_ANSWERS
        for number, card in self._cards():
            left -= len(card.answers)
            if left < 0:
                return
            yield number, card

    def _made(self) -> Iterator[tuple[int, Counter[DeckQuestion]]]:
        """How often each was drawn: a few cards are drawn again and again."""
        for level, asked in self._asked.items():
            yield level, Counter(one for one in asked if one is not None)

    def _is_reachable(self, card: Flashcard) -> bool:
        """Whether each of its answers is right, were it the only one."""
        alone = (
            DeckQuestion(card.question, (answer,), (), "", held_out=False)
            for answer in card.answers
        )
        return all(self._earns(one, one.answers[0]) for one in alone)

    def _earns(self, one: DeckQuestion, answer: str) -> bool:
        key = PuzzleKey(TaskId(self._task.id), 1, 0, 0)
        puzzle = puzzle_of_deck(self._deck, Question(key, one.prompt), one)
        return verify(self._task, puzzle, answer) > 0

    def _best_constant(self, made: Counter[DeckQuestion]) -> tuple[str, float]:
        """The one answer that earns most over ``made``, and which share of them."""
        drawn = list(made.elements())
        counts = Counter(answer for one in drawn for answer in dict.fromkeys(one.answers))
        likely = [answer for answer, _ in counts.most_common(MOST_LIKELY)]
        if self._deck.matcher == "decimal":  # near to many, with a tolerance
            numbers = [one.answers[0] for one in drawn if DECIMAL.fullmatch(one.answers[0])]
            likely += sorted(numbers, key=_number)[len(numbers) // 2 :][:1]
        earned = {
            answer: sum(n for one, n in made.items() if self._earns(one, answer))
            for answer in likely
        }
        best = max(earned, key=lambda answer: earned[answer], default="")
        return best, earned[best] / len(drawn) if drawn else 0.0


def _number(text: str) -> Decimal:
    return Decimal(text.replace(",", ""))


def _tidied(text: str) -> str:
    return " ".join(text.split())


def _plain(text: str) -> str:
    return _tidied(text.casefold())


def _short(text: str) -> str:
    """Enough of ``text`` to find it, in one line."""
    return _tidied(text)[:60]


def _stands_in(answer: str, question: str) -> bool:
    """As a word or a number of its own."""
    sought, text = _plain(answer), _plain(question)
    at = text.find(sought)
    while at >= 0:
        around = text[max(0, at - 1) : at] + text[at + len(sought) :][:1]
        if not any(letter.isalnum() or letter == "_" for letter in around):
            return True
        at = text.find(sought, at + 1)
    return False
