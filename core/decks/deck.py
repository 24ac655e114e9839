"""A deck: questions with accepted answers, or templates that make such; data, and nothing else.

Its name among nodes is the SHA-256 of its canonical bytes: JSON with sorted keys, no white space,
and nothing that is as it is by default. Whoever has other bytes has another deck. Limits:
``core.decks.limits``.
"""

import hashlib
import re
from collections.abc import Iterator, Sequence
from itertools import chain
from typing import Annotated, Final, Literal

import msgspec
from msgspec import Meta

from core.decks.limits import (
    MAX_ANSWERS,
    MAX_CARDS,
    MAX_DECK_BYTES,
    MAX_NAME,
    MAX_PARTS,
    MAX_TEMPLATES,
    MAX_TERMS,
    Answer,
    Labels,
    Level,
    Question,
    Solution,
    check_line,
    check_text,
)
from core.decks.templates import Template, TemplateFiller, WordVariable
from core.errors import DeckError
from core.i18n import translatable, words_of
from core.letters import escaped

Matcher = Literal["text", "caseless", "integer", "decimal", "fraction", "choice", "words"]
"""How an answer is compared with those that are accepted:

    text      letter for letter
    caseless  upper and lower case alike, in any language
    integer   by value: 1,234 is 1234
    decimal   by value, and as far away as the deck's tolerance
    fraction  by numerator and denominator, plain or in LaTeX
    choice    one of the labels, upper and lower case alike
    words     the same words between commas in any order, upper and lower case alike
"""

FORMAT: Final = 1
"""Counts up whenever the same deck would ask or accept anything else than before."""

FEW_QUESTIONS: Final = 500
"""Of a deck with less, one question in five is held out for the exam, and not one in sixteen."""

DIGEST_CHARS: Final = 32
"""Of its digest stand in the name of a deck's task: 128 bits, so nobody finds two that agree."""

_TASK: Final = "deck_"

_MOST_SAID: Final = 200
"""Characters of an error that are told; a stranger's words may stand in it."""

_LANGUAGE: Final = re.compile(r"^[A-Za-z0-9-]{0,35}\Z")
_TOLERANCE: Final = re.compile(r"^[0-9]{1,12}(\.[0-9]{1,12})?\Z")

_Name = Annotated[str, Meta(max_length=MAX_NAME)]


class Flashcard(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """A question, and what is accepted as an answer to it."""

    question: Question
    answers: Annotated[tuple[Answer, ...], Meta(min_length=1, max_length=MAX_ANSWERS)]
    level: Level = 1
    labels: Labels = ()  # to choose from; none: those of the deck
    solution: Solution = ""  # how one gets there, where somebody wrote it down


class Deck(
    msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True, kw_only=True
):
    """All of it, as it travels."""

    format: Literal[1]  # ``FORMAT``
    name: Annotated[str, Meta(min_length=1, max_length=MAX_NAME)]
    matcher: Matcher
    author: _Name = ""
    language: Annotated[str, Meta(pattern=_LANGUAGE.pattern)] = ""  # BCP 47, such as de-AT
    licence: _Name = ""
    labels: Labels = ()  # to choose from, for all cards that have none of their own
    tolerance: Annotated[str, Meta(pattern=_TOLERANCE.pattern)] = "0"
    cards: Annotated[tuple[Flashcard, ...], Meta(max_length=MAX_CARDS)] = ()
    templates: Annotated[tuple[Template, ...], Meta(max_length=MAX_TEMPLATES)] = ()

    @property
    def levels(self) -> set[int]:
        """Those of which it has any rows."""
        return {card.level for card in self.cards} | {one.level for one in self.templates}

    def labels_of(self, card: Flashcard) -> tuple[str, ...]:
        """What is chosen from in ``card``; empty where nothing is."""
        return (card.labels or self.labels) if self.matcher == "choice" else ()


_decoder = msgspec.json.Decoder(Deck)


def encode_deck(deck: Deck) -> bytes:
    """The canonical bytes of ``deck``: the same for equal decks.

    Raises:
        DeckError: it breaks a rule or a limit.
    """
    data = canonical(deck)
    decode_deck(data)
    return data


def canonical(deck: Deck) -> bytes:
    """The canonical bytes of a ``deck`` that was checked before."""
    return msgspec.json.encode(deck, order="sorted")


def decode_deck(data: bytes) -> Deck:
    """The deck in ``data``, whoever wrote it.

    Raises:
        DeckError: it is none, breaks a rule or a limit, or is not written canonically.
    """
    if len(data) > MAX_DECK_BYTES:
        raise DeckError(
            translatable("This deck has more than {} bytes. Make two of it.", f"{MAX_DECK_BYTES:,}")
        )
    try:
        deck = _decoder.decode(data)
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError) as error:
        raise DeckError(
            translatable(
                "This is no deck that this Waggle can read ({}). Ask for it again.",
                escaped(str(error)[:_MOST_SAID], kept=""),
            )
        ) from error
    if canonical(deck) != data:
        raise DeckError(
            translatable("This deck is not as Waggle writes decks. Make it anew from its table.")
        )
    check_deck(deck)
    return deck


def digest_of(data: bytes) -> str:
    """SHA-256 of a deck's canonical bytes in 64 hex characters: its name among nodes."""
    return hashlib.sha256(data).hexdigest()


def task_of(digest: str) -> str:
    """What the kind of puzzle is called that a deck makes."""
    return f"{_TASK}{digest[:DIGEST_CHARS]}"


def named(task: str, title: str) -> str:
    """A kind of puzzle in a table on the command line: by its title where a deck makes it."""
    return title if task.startswith(_TASK) else task


def check_deck(deck: Deck) -> None:
    """Check what types do not say.

    Raises:
        DeckError: a rule is broken; the words name the row.
    """
    for text in (deck.name, deck.author, deck.licence, *deck.labels):
        check_line(text)
    if _parts(deck) > MAX_PARTS:  # short texts take twenty times their bytes in memory
        raise DeckError(
            translatable(
                "This deck has more than {} answers, labels and words of variables. "
                "Make two of it.",
                f"{MAX_PARTS:,}",
            )
        )
    if not deck.cards and not deck.templates:
        raise DeckError(translatable("This deck has no questions. Add at least one."))
    missing = set(range(1, max(deck.levels))) - deck.levels
    if missing:
        raise DeckError(
            translatable("This deck has no level {}. Number its levels 1, 2, 3, …", min(missing))
        )
    for number, problem in chain(_bad_cards(deck), _bad_templates(deck)):
        raise DeckError(translatable("Row {}: {}", number, words_of(problem)))


def _parts(deck: Deck) -> int:
    variables = chain.from_iterable(one.variables.values() for one in deck.templates)
    words = sum(one.count for one in variables if isinstance(one, WordVariable))
    return words + sum(len(card.answers) + len(card.labels) for card in deck.cards)


def check_typed(names: Sequence[str], language: str, tolerance: str) -> None:
    """Say of what a person typed about a deck, its own name first, what is wrong with it.

    Raises:
        DeckError: something is.
    """
    if _LANGUAGE.match(language) is None:
        raise DeckError(
            translatable("“{}” is no language. Write it like en or de-AT.", escaped(language[:40]))
        )
    if _TOLERANCE.match(tolerance) is None:
        raise DeckError(
            translatable("“{}” is no tolerance. Write it like 0.5.", escaped(tolerance[:40]))
        )
    if not names[0].strip():
        raise DeckError(translatable("This deck has no name. Give it one."))
    if any(len(name) > MAX_NAME for name in names):
        raise DeckError(
            translatable("Name, author and licence have at most {} letters each.", MAX_NAME)
        )


def _bad_cards(deck: Deck) -> Iterator[tuple[int, DeckError]]:
    for number, card in enumerate(deck.cards, start=1):
        try:
            check_card(deck, card)
        except DeckError as error:
            yield number, error


def check_card(deck: Deck, card: Flashcard) -> None:
    """Check one card, apart from whether its answers can be right.

    Raises:
        DeckError: a rule is broken.
    """
    for text in (card.question, *card.answers, card.solution):
        check_text(text)
    for label in card.labels:
        check_line(label)
    if deck.matcher == "choice":
        labels = {label.casefold() for label in deck.labels_of(card)}
        for answer in card.answers:
            if answer.casefold() not in labels:
                raise DeckError(
                    translatable("{} is not among the labels to choose from.", f"“{answer[:40]}”")
                )


def _bad_templates(deck: Deck) -> Iterator[tuple[int, DeckError]]:
    terms = 0
    for number, template in enumerate(deck.templates, start=len(deck.cards) + 1):
        try:
            terms += check_template(deck, template).size
            check_terms(terms)
        except DeckError as error:
            yield number, error


def check_template(deck: Deck, template: Template) -> TemplateFiller:
    """Check one template, apart from what it makes.

    Raises:
        DeckError: a rule is broken.
    """
    words = [w for v in template.variables.values() if isinstance(v, WordVariable) for w in v.words]
    texts = (template.question, template.answer, template.where, template.solution)
    for text in (*texts, *words):
        check_text(text)
    return filler_of(deck, template)


def check_terms(terms: int) -> None:
    """Refuse a deck whose templates are more to work out than any person writes.

    Raises:
        DeckError: there are more than ``MAX_TERMS``.
    """
    if terms > MAX_TERMS:
        raise DeckError(
            translatable(
                "The expressions up to here have more than {} numbers, names and signs. "
                "Make two decks.",
                f"{MAX_TERMS:,}",
            )
        )


def filler_of(deck: Deck, template: Template) -> TemplateFiller:
    """The template of ``deck``, made ready.

    Raises:
        DeckError: one of its expressions is none.
    """
    return TemplateFiller(template, as_fractions=deck.matcher == "fraction")
