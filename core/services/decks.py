"""Making decks from tables, examining them, and finding out whether a model can learn from them."""

import asyncio
import tempfile
from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from statistics import fmean
from typing import Final

import msgspec

from core.decks.columns import Columns, Part
from core.decks.deck import FORMAT, Deck, Matcher, decode_deck, digest_of, encode_deck
from core.decks.importing import Imported, RowProblem, guess_columns, import_table
from core.decks.library import DeckLibrary, InstalledDeck
from core.decks.limits import MAX_DECK_BYTES, tidy
from core.decks.tables import Table, read_table
from core.errors import DeckError
from core.i18n import TranslatableText, translatable
from core.rollouts.types import ModelId, PeerId, PuzzleKey, RolloutGroup, TaskId
from core.services.paced_sampler import OnProgress, PacedSampler
from core.services.saved_model import open_saved_model
from core.services.service import ServiceContext
from core.storage.files import read_bounded
from core.tasks.catalog import load_catalog
from core.tasks.deck_doctor import DeckFinding, examine_deck
from core.tasks.deck_tasks import with_decks
from core.tasks.reasoning_tasks import check_ruleset
from core.tasks.scorer import IsolatedScorer

TRIED: Final = 60
"""Questions of a deck that a model tries before anybody practises it."""

ATTEMPTS: Final = 4

HOPELESS: Final = 0.005
EASY: Final = 0.9
"""Shares solved below and above which there is little to learn."""

_DECK_SUFFIX: Final = ".deck"
_SEED: Final = 21


@dataclass(frozen=True, slots=True)
class DeckWish:
    """What a person says about a deck beyond its table."""

    name: str
    author: str = ""
    language: str = ""
    licence: str = ""
    matcher: Matcher | None = None  # None: by what the answers look like
    tolerance: str = "0"
    columns: Mapping[Part, str | int | None] = field(default_factory=dict)
    """Said by hand: a column's name or its position from 0; None: there is no such column."""
    names_in_first_row: bool = False  # of the columns, though they do not look like names
    skipped: frozenset[int] = frozenset()  # numbers of rows that are left out


@dataclass(frozen=True, slots=True)
class DeckDraft:
    """A deck that was made and is not kept yet."""

    data: bytes  # canonical
    installed: InstalledDeck
    problems: tuple[RowProblem, ...] = ()  # rows that were left out
    findings: tuple[DeckFinding, ...] = ()

    @property
    def is_sound(self) -> bool:
        """It may be practised."""
        return not any(finding.is_error for finding in self.findings)


def draft_of_file(path: Path, wish: DeckWish) -> DeckDraft:
    """Make a deck of a table, or read one that was exported; nothing is kept.

    Raises:
        DeckError: the file cannot be read, or no row of it is good.
    """
    if is_deck_file(path):
        return _draft(_bytes_of(path))
    return draft_of_table(table_of_file(path), wish)


def is_deck_file(path: Path) -> bool:
    """Whether its name says that it is a deck that was exported, and no table."""
    return path.suffix.casefold() == _DECK_SUFFIX


def table_of_file(path: Path) -> Table:
    """The table in a file, whoever made it.

    Raises:
        DeckError: the file cannot be read, or there is none in it.
    """
    return read_table(path.name, _bytes_of(path))


def _bytes_of(path: Path) -> bytes:
    try:
        return read_bounded(path, MAX_DECK_BYTES)
    except (OSError, ValueError) as error:
        raise DeckError(
            translatable("{} cannot be read ({}). Choose another file.", path.name, error)
        ) from error


def wished_rows(table: Table, wish: DeckWish) -> Table:
    """What of ``table`` the deck is made from.

    Raises:
        DeckError: nothing of it is left.
    """
    if wish.names_in_first_row and not table.has_header:
        table = table.with_first_row_as_header()
    rows = tuple(row for row in table.rows if row.number not in wish.skipped)
    if not rows:
        raise DeckError(translatable("No row is left. Take at least one."))
    return replace(table, rows=rows)


def draft_of_table(table: Table, wish: DeckWish) -> DeckDraft:
    """Make a deck of the good rows of ``table``; nothing is kept.

    Raises:
        DeckError: no row is good, or a column that was named is not there.
    """
    table = wished_rows(table, wish)
    return draft_of_rows(import_table(table, columns_for(table, wish), wish.matcher), wish)


def draft_of_rows(imported: Imported, wish: DeckWish) -> DeckDraft:
    """Make a deck of what a table became; nothing is kept.

    Raises:
        DeckError: no row is good, or what ``wish`` says breaks a rule.
    """
    if not imported.cards and not imported.templates:
        first = imported.problems[0]
        raise DeckError(translatable("No row can be used. Row {}: {}", first.number, first.words))
    deck = Deck(
        format=FORMAT,
        name=tidy(wish.name),
        author=tidy(wish.author),
        language=wish.language,
        licence=tidy(wish.licence),
        matcher=imported.matcher,
        tolerance=wish.tolerance,
        cards=imported.cards,
        templates=imported.templates,
    )
    return replace(_draft(encode_deck(deck)), problems=imported.problems)


def draft_of_deck(installed: InstalledDeck) -> DeckDraft:
    """A deck that is kept, to be examined again."""
    return _draft(encode_deck(installed.deck))


def _draft(data: bytes) -> DeckDraft:
    installed = InstalledDeck(decode_deck(data), digest_of(data))
    return DeckDraft(data, installed, findings=tuple(examine_deck(installed)))


def columns_for(table: Table, wish: DeckWish) -> Columns:
    """Which column holds what: as ``wish`` says, and else by their names.

    Raises:
        DeckError: a column that was named is not there.
    """
    columns = guess_columns(table)
    for part, column in wish.columns.items():
        columns = replace(columns, **{part: _position(table, column)})
    return columns


def _position(table: Table, column: str | int | None) -> int | None:
    if column is None or column in range(len(table.columns)):
        return column if isinstance(column, int) else None
    if column in table.columns:
        return table.columns.index(str(column))
    raise DeckError(
        translatable(
            "There is no column {}. There are: {}.",
            f"“{column}”",
            ", ".join(name[:40] for name in table.columns),
        )
    )


def install(draft: DeckDraft, library: DeckLibrary) -> InstalledDeck:
    """Keep a sound draft.

    Raises:
        DeckError: it has an error; nothing was kept.
        HomeError: it cannot be written.
    """
    for finding in draft.findings:
        if finding.is_error:
            raise DeckError(finding.words)
    return library.install(draft.data)


def export(installed: InstalledDeck) -> bytes:
    """The bytes of a deck, for a file whose name ends in ``.deck``."""
    return encode_deck(installed.deck)


class DeckTrial(msgspec.Struct, frozen=True):
    """How a model does at a deck today."""

    model: str  # its title
    tried: int  # questions, each ``ATTEMPTS`` times
    solved: int  # questions with any right answer
    levels: dict[int, float]  # share of right answers by level

    @property
    def share(self) -> float:
        """Of right answers, over all levels alike."""
        return fmean(self.levels.values())


async def try_deck(
    context: ServiceContext,
    model: str,
    draft: DeckDraft,
    on_progress: OnProgress = lambda _done, _total: None,
) -> DeckTrial:
    """Let ``model``, as it was last saved, try some questions of a deck that need not be kept.

    Raises:
        WaggleError: the model or the judge cannot be used.
    """
    check_ruleset()
    with tempfile.TemporaryDirectory(prefix="waggle-deck-") as folder:
        library = DeckLibrary(Path(folder))
        deck = library.install(draft.data)
        catalog = with_decks(load_catalog(), [deck]).only([deck.task])
        opened = open_saved_model(context.home, model, context.settings().compute.threads)
        async with IsolatedScorer(catalog, Path(folder)) as scorer, opened as (saved, thread):
            levels = sorted(deck.deck.levels)
            keys = [
                PuzzleKey(TaskId(deck.task), levels[n % len(levels)], _SEED, n)
                for n in range(TRIED)
            ]
            questions = await scorer.ask(keys)
            loop = asyncio.get_running_loop()
            sampler = PacedSampler(saved.sampler, len(questions), on_progress)
            try:
                answers = await loop.run_in_executor(
                    thread, sampler.complete, questions, ATTEMPTS, _SEED
                )
            finally:
                sampler.stop()
            groups = [
                RolloutGroup(q.key, q.digest, PeerId(""), ModelId(""), 0, completions)
                for q, completions in zip(questions, answers, strict=True)
            ]
            judged = await scorer.judge(groups)
            title = saved.spec.title
    by_level = defaultdict[int, list[float]](list)
    for one in judged:
        by_level[one.question.key.level] += one.rewards
    return DeckTrial(
        model=title,
        tried=len(questions),
        solved=sum(max(one.rewards) > 0 for one in judged),
        levels={level: fmean(rewards) for level, rewards in sorted(by_level.items())},
    )


def trial_words(trial: DeckTrial) -> TranslatableText:
    """What a trial says to a person, and what to do."""
    if trial.share <= HOPELESS:
        return translatable(
            "{} solves {} of {} of these: choose a larger model, or add levels that are easier.",
            trial.model,
            trial.solved,
            trial.tried,
        )
    if trial.share >= EASY:
        return translatable(
            "{} gets {} of its tries right already: there is little left to learn. Add harder "
            "questions.",
            trial.model,
            f"{trial.share:.0%}",
        )
    return translatable(
        "{} gets {} of its tries right, and solves {} of {} questions within {} tries: there is "
        "something to learn.",
        trial.model,
        f"{trial.share:.0%}",
        trial.solved,
        trial.tried,
        ATTEMPTS,
    )
