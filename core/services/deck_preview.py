"""What would become of a file that a person wants to make a deck of; nothing is kept here."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import astuple
from functools import lru_cache
from itertools import islice
from pathlib import Path
from typing import Final, get_args

from core.api.decks import (
    BAD_ROWS,
    FIRST_ROWS,
    MOST_FINDINGS,
    NAME_LENGTH,
    SHOWN_ANSWER,
    SHOWN_QUESTION,
    DeckMatcher,
    DeckPart,
    DeckPlan,
    DeckPreviewed,
    PreviewDeck,
    PreviewFinding,
    PreviewRow,
)
from core.api.preview import cut
from core.decks.columns import Columns
from core.decks.deck import Flashcard
from core.decks.importing import Imported, import_table
from core.decks.limits import tidy
from core.decks.rows import read_row
from core.decks.tables import Table, TableRow
from core.decks.templates import Template
from core.errors import DeckError
from core.i18n import remarks_of, words_of
from core.services.decks import (
    DeckDraft,
    DeckWish,
    columns_for,
    draft_of_file,
    draft_of_rows,
    draft_of_table,
    is_deck_file,
    table_of_file,
    wished_rows,
)
from core.services.service import SendReply, ServiceContext
from core.tasks.deck_doctor import DeckFinding
from core.threads import aside

BETWEEN: Final = " | "
"""Accepted answers, as a table separates them."""


async def preview_deck(request: PreviewDeck, _context: ServiceContext, tell: SendReply) -> None:
    """Read the file, and say what each row was understood as.

    Raises:
        DeckError: it cannot be read, or is no table.
    """
    tell(await aside(lambda _stop: preview(request.plan)))


def wish_of(plan: DeckPlan) -> DeckWish:
    """What ``plan`` says beyond its path."""
    return DeckWish(
        name=plan.name,
        author=plan.author,
        language=plan.language,
        licence=plan.licence,
        matcher=plan.matcher,
        tolerance=plan.tolerance,
        columns=plan.columns,
        names_in_first_row=plan.names_in_first_row,
        skipped=frozenset(plan.skipped),
    )


def draft_of_plan(plan: DeckPlan) -> DeckDraft:
    """Make the deck; nothing is kept.

    Raises:
        DeckError: there is none in the file, as it is wanted.
    """
    path = Path(plan.path)
    if is_deck_file(path):
        return draft_of_file(path, wish_of(plan))
    return draft_of_table(_table(path), wish_of(plan))


def preview(plan: DeckPlan) -> DeckPreviewed:
    """The same, with all that a person may want to know and change.

    Raises:
        DeckError: the file cannot be read, or is no table.
    """
    if is_deck_file(Path(plan.path)):
        return _preview_of_deck(draft_of_plan(plan))
    return _preview_of_table(_table(Path(plan.path)), plan)


def _table(path: Path) -> Table:
    """That of the file, which is read once however often something else is wanted of it."""
    try:
        seen = path.stat()
    except OSError:
        return table_of_file(path)  # it says what is wrong
    return _kept_table(path, (seen.st_ino, seen.st_mtime_ns, seen.st_size))


@lru_cache(maxsize=1)
def _kept_table(path: Path, _seen: tuple[int, ...]) -> Table:
    return table_of_file(path)


def _preview_of_deck(draft: DeckDraft) -> DeckPreviewed:
    deck = draft.installed.deck
    every: tuple[Flashcard | Template, ...] = (*deck.cards, *deck.templates)
    rows = [
        PreviewRow(
            number=number,
            question=cut(one.question, SHOWN_QUESTION),
            answer=cut(_answer(one), SHOWN_ANSWER),
            level=one.level,
        )
        for number, one in enumerate(every[:FIRST_ROWS], start=1)
    ]
    return DeckPreviewed(
        name=deck.name,
        author=deck.author,
        language=deck.language,
        licence=deck.licence,
        matcher=deck.matcher,
        is_made=True,
        parts={},
        rows=tuple(rows),
        total=len(every),
        findings=findings_of(draft.findings, range(1, len(deck.cards) + 1)),
    )


def _preview_of_table(table: Table, plan: DeckPlan) -> DeckPreviewed:
    wish, trouble = wish_of(plan), ""
    if wish.names_in_first_row and not table.has_header and len(table.rows) > 1:
        table = table.with_first_row_as_header()
    columns = columns_for(table, wish)
    findings: Sequence[DeckFinding] = ()
    imported = None
    try:
        imported = import_table(wished_rows(table, wish), columns, wish.matcher)
        findings = draft_of_rows(imported, wish).findings
    except DeckError as error:
        trouble = words_of(error)
    problems = {} if imported is None else {one.number: one.words for one in imported.problems}
    numbers = _numbers_of_cards(table, columns, wish.skipped | problems.keys())
    return DeckPreviewed(
        name=plan.name,
        author=plan.author,
        language=plan.language,
        licence=plan.licence,
        matcher=wish.matcher or _matcher(imported),
        columns=tuple(cut(name, NAME_LENGTH) for name in table.columns),
        parts=_parts(columns),
        has_names=table.has_header,
        rows=tuple(_rows(table, columns, problems)),
        total=len(table.rows),
        bad=len(problems),
        findings=findings_of(findings, numbers),
        trouble=str(trouble),
        remarks=remarks_of(trouble),
    )


def _matcher(imported: Imported | None) -> DeckMatcher:
    return "caseless" if imported is None else imported.matcher


def _parts(columns: Columns) -> dict[DeckPart, int]:
    named = zip(get_args(DeckPart), astuple(columns), strict=True)
    return {part: at for part, at in named if at is not None}


def _rows(table: Table, columns: Columns, problems: Mapping[int, str]) -> Iterable[PreviewRow]:
    first, rest = table.rows[:FIRST_ROWS], table.rows[FIRST_ROWS:]
    bad = islice((row for row in rest if row.number in problems), BAD_ROWS)
    for row in (*first, *bad):
        problem = problems.get(row.number, "")
        yield _row(row, columns, len(table.columns), problem)


def _row(row: TableRow, columns: Columns, width: int, problem: str) -> PreviewRow:
    try:
        made = read_row(row, columns, width)
    except DeckError:
        question, answer, level = _cell(row, columns.question), _cell(row, columns.answer), 0
    else:
        question, level = made.question, made.level
        answer = _answer(made)
    return PreviewRow(
        number=row.number,
        question=cut(question, SHOWN_QUESTION),
        answer=cut(answer, SHOWN_ANSWER),
        level=level,
        problem=str(problem),
        remarks=remarks_of(problem),
    )


def _answer(one: Flashcard | Template) -> str:
    return BETWEEN.join(one.answers) if isinstance(one, Flashcard) else one.answer


def _cell(row: TableRow, column: int | None) -> str:
    return "" if column is None or column >= len(row.cells) else row.cells[column].strip()


def _numbers_of_cards(table: Table, columns: Columns, left_out: Iterable[int]) -> Sequence[int]:
    """Which row of the table each card was made of: all good ones without variables."""
    gone = frozenset(left_out)
    return [
        row.number
        for row in table.rows
        if row.number not in gone and not tidy(_cell(row, columns.variables))
    ]


def findings_of(found: Sequence[DeckFinding], numbers: Sequence[int]) -> tuple[PreviewFinding, ...]:
    """``found``, with rows as the table counts; ``numbers`` are those of the cards."""
    return tuple(
        PreviewFinding(
            words=str(one.words),
            remarks=remarks_of(one.words),
            is_error=one.is_error,
            rows=tuple(numbers[at - 1] for at in one.rows if at <= len(numbers)),
        )
        for one in found[:MOST_FINDINGS]
    )
