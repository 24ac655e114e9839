"""Making decks from tables and examining them."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Final

from core.api.decks import MOST_DECKS
from core.decks.columns import Columns, Part
from core.decks.deck import (
    FORMAT,
    Deck,
    Matcher,
    check_typed,
    decode_deck,
    digest_of,
    encode_deck,
)
from core.decks.importing import Imported, RowProblem, guess_columns, import_table
from core.decks.library import DeckLibrary, InstalledDeck
from core.decks.limits import MAX_DECK_BYTES, tidy
from core.decks.tables import Table
from core.errors import DeckError
from core.i18n import together, translatable, words_of
from core.services.tables import table_of
from core.storage.files import read_bounded
from core.tasks.deck_doctor import DeckFinding, examine_deck

_DECK_SUFFIX: Final = ".deck"


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
        return draft_of_bytes(_bytes_of(path))
    return draft_of_table(table_of_file(path), wish)


def is_deck_file(path: Path) -> bool:
    """Whether its name says that it is a deck that was exported, and no table."""
    return path.suffix.casefold() == _DECK_SUFFIX


def table_of_file(path: Path) -> Table:
    """The table in a file, whoever made it.

    Raises:
        DeckError: the file cannot be read, or there is none in it.
    """
    return table_of(path.name, _bytes_of(path))


def _bytes_of(path: Path) -> bytes:
    try:
        return read_bounded(path, MAX_DECK_BYTES)
    except (OSError, ValueError) as error:
        raise DeckError(
            translatable(
                "{} cannot be read ({}). Choose another file.",
                path.name,
                getattr(error, "strerror", None) or error,
            )
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
    name, author, licence = map(tidy, (wish.name, wish.author, wish.licence))
    check_typed((name, author, licence), wish.language, wish.tolerance)
    deck = Deck(
        format=FORMAT,
        name=name,
        author=author,
        language=wish.language,
        licence=licence,
        matcher=imported.matcher,
        tolerance=wish.tolerance,
        cards=imported.cards,
        templates=imported.templates,
    )
    try:
        installed = InstalledDeck(deck, digest_of(encode_deck(deck)))
    except DeckError as error:
        has_gap = max(deck.levels) > len(deck.levels)
        if not (has_gap and imported.problems):
            raise
        first = imported.problems[0]  # which may have been the only one of its level
        said = translatable("Row {}: {}", first.number, first.words)
        raise DeckError(together(words_of(error), said)) from error
    return replace(draft_of_deck(installed), problems=imported.problems)


def draft_of_bytes(data: bytes) -> DeckDraft:
    """A deck that somebody handed on; nothing is kept.

    Raises:
        DeckError: it is none, or breaks a rule.
    """
    return draft_of_deck(InstalledDeck(decode_deck(data), digest_of(data)))


def draft_of_deck(installed: InstalledDeck) -> DeckDraft:
    """A deck that was checked, examined."""
    return DeckDraft(installed, findings=tuple(examine_deck(installed)))


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
    return library.install(draft.installed.data)


def require_room(here: Sequence[InstalledDeck], more: int) -> None:
    """Raise DeckError unless there may be so many ``more`` decks beside those ``here``."""
    if more and len(here) + more > MOST_DECKS:
        raise DeckError(
            translatable("There are {} decks here already. Remove one first.", MOST_DECKS)
        )
