"""Requests and replies about decks: puzzles of a person's own, made from a table."""

from typing import Annotated, ClassVar, Final, TypeAlias

import msgspec
from msgspec import Meta

from core.api.models import ModelName
from core.api.practice import MOST_KINDS
from core.api.preview import MOST_LEVELS, Count, PuzzleTask, PuzzleTitle, Share
from core.api.requests import FilePath, Piece, Reply, Request
from core.api.swarm import MOST_INVITED_DECKS, DeckDigest, Link
from core.decks.columns import Part
from core.decks.deck import Matcher
from core.decks.limits import MAX_CARDS, MAX_COLUMNS, MAX_NAME, MAX_TEMPLATES
from core.i18n import Remarks

DeckPart: TypeAlias = Part
DeckMatcher: TypeAlias = Matcher
NAME_LENGTH: Final = MAX_NAME

MOST_DECKS: Final = 100
"""On one computer: with those that are built in, still fewer kinds than a reply holds."""

SAMPLES: Final = 10
"""Questions of a deck that are looked at."""

FIRST_ROWS: Final = 200
BAD_ROWS: Final = 100
"""Rows of a table that are shown: the first ones, and of those behind them the bad ones."""

SHOWN_QUESTION: Final = 240
SHOWN_ANSWER: Final = 120
"""Characters of a row; what is longer ends in an ellipsis."""

MOST_FINDINGS: Final = 60
_MOST_ROWS: Final = 10  # that a finding names

_Name = Annotated[str, Meta(max_length=MAX_NAME)]
_Levels = Annotated[int, Meta(ge=0, le=MOST_LEVELS)]
_Column = Annotated[int, Meta(ge=0, lt=MAX_COLUMNS)]
_Words = Annotated[str, Meta(max_length=4_000)]


class BuiltInKind(Piece, frozen=True, kw_only=True):
    """A kind of puzzle that Waggle comes with."""

    task: PuzzleTask
    title: PuzzleTitle  # in plain words
    levels: _Levels
    solved: Share | None = None  # over all its levels, as last saved; None: nobody knows


class KeptDeck(Piece, frozen=True, kw_only=True):
    """A deck on this computer, or one that is offered to it."""

    task: PuzzleTask  # what the settings call it
    digest: DeckDigest
    name: _Name
    author: _Name = ""
    language: Annotated[str, Meta(max_length=35)] = ""
    licence: _Name = ""
    levels: _Levels
    cards: Annotated[int, Meta(ge=0, le=MAX_CARDS)]  # questions that stand in it
    templates: Annotated[int, Meta(ge=0, le=MAX_TEMPLATES)]  # that make any number of them
    solved: Share | None = None  # as for ``BuiltInKind``


class ShowDecks(Request, frozen=True, tag="show_decks"):
    """Look up all that can be practised, and what ``model`` solves of it; see ``DecksShown``."""

    model: ModelName


class DecksShown(Reply, frozen=True, kw_only=True, tag="decks_shown"):
    """Decks by name, and the kinds that are built in, in their order.

    In a swarm on decks its members practise these and nothing else, whatever the settings choose.
    """

    model: ModelName
    decks: Annotated[tuple[KeptDeck, ...], Meta(max_length=MOST_DECKS)]
    built_in: Annotated[tuple[BuiltInKind, ...], Meta(max_length=MOST_KINDS)]
    swarm: Annotated[str, Meta(max_length=40)] = ""  # on decks, as its members call it; else empty
    swarm_tasks: Annotated[tuple[PuzzleTask, ...], Meta(max_length=MOST_INVITED_DECKS)] = ()
    """That it practises, those that are here."""

    missing: Count = 0  # of its decks


class DeckPlan(Piece, frozen=True, kw_only=True):
    """A deck as a person wants it of a file: a table, or a deck that was exported.

    Of an exported one all but its path is as it says itself.
    """

    path: FilePath
    name: _Name
    author: _Name = ""
    language: Annotated[str, Meta(max_length=35)] = ""
    licence: _Name = ""
    matcher: DeckMatcher | None = None  # None: by what the answers look like
    tolerance: Annotated[str, Meta(max_length=25)] = "0"  # of decimals
    columns: dict[DeckPart, _Column | None] = msgspec.field(default_factory=dict)
    """Positions from 0 as the person chose them; None: no column. What is missing is guessed."""
    names_in_first_row: bool = False  # of the columns, though they do not look like names
    skipped: Annotated[tuple[Count, ...], Meta(max_length=MAX_CARDS)] = ()  # numbers of rows


class PreviewDeck(Request, frozen=True, tag="preview_deck"):
    """What would become of the file? Answered by ``DeckPreviewed``; nothing is kept."""

    plan: DeckPlan


class DeckProgress(Reply, frozen=True, tag="deck_progress"):
    """How work on a deck goes."""

    is_last: ClassVar[bool] = False

    done: Count
    total: Count


class PreviewRow(Piece, frozen=True, kw_only=True):
    """A row of the table as it was understood."""

    number: Count  # as the person sees it in the file
    question: Annotated[str, Meta(max_length=SHOWN_QUESTION)]
    answer: Annotated[str, Meta(max_length=SHOWN_ANSWER)]  # accepted ones, " | " between them
    level: _Levels = 0  # 0: not understood
    problem: _Words = ""  # why it is left out; empty: it is good
    remarks: Remarks = ()  # that the problem was made from


class PreviewFinding(Piece, frozen=True, kw_only=True):
    """What the doctor found."""

    words: _Words
    remarks: Remarks = ()
    is_error: bool = False  # it cannot be kept like this
    rows: Annotated[tuple[Count, ...], Meta(max_length=_MOST_ROWS)] = ()  # some that it is about


class DeckPreviewed(Reply, frozen=True, kw_only=True, tag="deck_previewed"):
    """What would become of a file."""

    name: _Name
    author: _Name = ""
    language: Annotated[str, Meta(max_length=35)] = ""
    licence: _Name = ""
    matcher: DeckMatcher  # the one in use
    is_made: bool = False  # it was a deck already: nothing about it can be chosen
    columns: Annotated[tuple[_Name, ...], Meta(max_length=MAX_COLUMNS)] = ()  # their names
    parts: dict[DeckPart, _Column]  # positions of the columns in use
    has_names: bool = False  # the columns are named by the table
    rows: Annotated[tuple[PreviewRow, ...], Meta(max_length=FIRST_ROWS + BAD_ROWS)]
    total: Count  # rows of the table
    bad: Count = 0  # of them, left out for their problems
    findings: Annotated[tuple[PreviewFinding, ...], Meta(max_length=MOST_FINDINGS)] = ()
    trouble: _Words = ""  # why there is no deck in it so far; empty: there is one
    remarks: Remarks = ()  # that the trouble was made from


class KeepDeck(Request, frozen=True, tag="keep_deck"):
    """Make the deck and keep it; answered by ``DeckKept``."""

    plan: DeckPlan


class DeckKept(Reply, frozen=True, tag="deck_kept"):
    """It is here, whole; nothing practises it yet."""

    deck: KeptDeck


class RemoveDeck(Request, frozen=True, tag="remove_deck"):
    """Forget a deck; what was learnt from it stays. Refused while a node runs."""

    digest: DeckDigest


class LookAtDeck(Request, frozen=True, tag="look_at_deck"):
    """Show some of its questions; answered by ``DeckOpened``."""

    digest: DeckDigest


class SampleQuestion(Piece, frozen=True, kw_only=True):
    """A question of a deck, as it is asked, with what is accepted."""

    level: _Levels
    question: Annotated[str, Meta(max_length=2_000)]
    answers: Annotated[str, Meta(max_length=400)]  # " | " between them


class DeckOpened(Reply, frozen=True, kw_only=True, tag="deck_opened"):
    """Some questions of a deck, of all its levels in turn."""

    digest: DeckDigest
    questions: Annotated[tuple[SampleQuestion, ...], Meta(max_length=SAMPLES)]


class ExportDeck(Request, frozen=True, tag="export_deck"):
    """Write a deck to a file, which others can add; answered by ``Done``."""

    digest: DeckDigest
    path: FilePath


class TryDeck(Request, frozen=True, tag="try_deck"):
    """Let ``model`` try questions of a deck; answered by ``DeckTried``."""

    model: ModelName
    plan: DeckPlan | None = None  # of one that is not kept
    digest: Annotated[str, Meta(pattern=r"^([0-9a-f]{64})?\Z")] = ""  # of one that is


class DeckTried(Reply, frozen=True, kw_only=True, tag="deck_tried"):
    """How the model did, and what to do about it."""

    words: _Words
    remarks: Remarks = ()
    levels: Annotated[dict[_Levels, Share], Meta(max_length=MOST_LEVELS)]  # right, by level


class FetchDecks(Request, frozen=True, tag="fetch_decks"):
    """Fetch the decks of an invite that are not here, each told by ``DeckOffered``.

    None is kept before ``AdoptDecks`` asks for it.
    """

    link: Link


class DeckOffered(Reply, frozen=True, kw_only=True, tag="deck_offered"):
    """A deck that others practise, for the person to look at."""

    is_last: ClassVar[bool] = False

    deck: KeptDeck
    questions: Annotated[tuple[SampleQuestion, ...], Meta(max_length=SAMPLES)]
    findings: Annotated[tuple[PreviewFinding, ...], Meta(max_length=MOST_FINDINGS)] = ()


class AdoptDecks(Request, frozen=True, tag="adopt_decks"):
    """Keep the decks of an invite, as those of others: the person saw them and agrees."""

    link: Link
