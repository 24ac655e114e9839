"""Every hostile deck, table and expression: one clear sentence or plain text, and soon."""

import time
import tracemalloc
from collections.abc import Callable
from fractions import Fraction
from functools import partial
from pathlib import Path
from typing import TypeVar

import pytest

from core.decks.deck import Deck, decode_deck, digest_of, encode_deck
from core.decks.expressions import NoValueError, Value, parse
from core.decks.importing import Imported, guess_columns, import_table
from core.decks.library import SUFFIX, InstalledDeck, read_deck
from core.decks.questions import DeckQuestions
from core.decks.tables import read_table
from core.errors import DeckError
from core.i18n import remarks_of, words_of
from core.letters import is_trick
from core.tasks.deck_doctor import examine_deck
from tests.core.decks.hostile_decks import (
    CANARY,
    CODE,
    LONG,
    HostileFile,
    hostile_decks,
    hostile_tables,
    stubborn_decks,
)

MOST_TIME = 128.0
"""Processor time that each may take, in times of counting to a million: two seconds of a slow core.

The slowest is a workbook: as many marks of XML as an honest one may have are read in vain.
"""

LITTLE_S = 0.5
"""Processor time that is less than that on any machine, so that nobody need count."""

TRIES = 3
MOST_BYTES = 150_000_000
MOST_WORDS = 700

T = TypeVar("T")

DECKS = hostile_decks()
TABLES = list(hostile_tables())


def timed(call: Callable[[], T]) -> tuple[T, float]:
    """What ``call`` returns, and the seconds of processor time that it took."""
    began = time.process_time()
    result = call()
    return result, time.process_time() - began


def count_to_a_million() -> None:
    for _ in range(1_000_000):
        pass


def seconds_of_a_million() -> float:
    """How long counting to a million takes: how fast this machine is, and how busy just now.

    Some clocks of processor time tick in steps longer than that.
    """
    times, total = 0, 0.0
    while total <= 0:
        times += 1
        total += timed(count_to_a_million)[1]
    return total / times


def soon(call: Callable[[], T]) -> T:
    """What ``call`` returns; it takes little time, and runs nothing that was sent.

    Beside other work the two times may not grow alike: a second and a third try are granted.
    """
    for _ in range(TRIES):
        result, used = timed(call)
        if used < LITTLE_S or used < MOST_TIME * seconds_of_a_million():
            break
    else:
        pytest.fail("it took too long each time")
    assert not Path(CANARY).exists()
    return result


def peak_of(call: Callable[[], object]) -> int:
    """The most memory that ``call`` took at a time, in bytes."""
    tracemalloc.start()
    call()
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    return peak


def is_clear(words: str) -> bool:
    """Short, ends as a sentence does, can be translated, and hides nothing."""
    tricks = [letter for letter in words if is_trick(letter) and letter not in "\n\t"]
    return 10 < len(words) < MOST_WORDS and words[-1] in ".…" and not tricks


def assert_clear(error: DeckError) -> None:
    assert is_clear(str(error)), str(error)
    assert remarks_of(words_of(error))


def read_whole(data: bytes) -> DeckError | None:
    """All that is done with a deck that came from somewhere, but for practising it."""
    try:
        deck = decode_deck(data)
        DeckQuestions(deck, digest_of(data)).question(1, 1)
        examine_deck(InstalledDeck(deck, digest_of(data)))
    except DeckError as error:
        return error
    return None


def import_whole(file: HostileFile, data: bytes) -> Imported | DeckError:
    """All that is done with a table that came from somewhere."""
    try:
        table = read_table(file.name, data)
        return import_table(table, guess_columns(table))
    except DeckError as error:
        return error


def test_the_corpus_is_large() -> None:
    """At least 200 of them, no two alike."""
    files = {(file.name, file.make()) for file in TABLES}
    expressions = {*CODE, *LONG}
    assert len(files) > 0.95 * len(TABLES)
    assert len(set(DECKS)) > 0.95 * len(DECKS)
    assert len(files) + len(set(DECKS)) + len(expressions) >= 400


@pytest.mark.parametrize("number", range(len(DECKS)))
def test_a_hostile_deck_is_refused(number: int) -> None:
    """Each breaks a rule, and the words say which."""
    error = soon(lambda: read_whole(DECKS[number]))
    assert error is not None
    assert_clear(error)


def test_few_hostile_decks_are_refused_for_their_form_alone() -> None:
    """The others would be no better if Waggle itself had written them."""
    refused = [str(read_whole(data)) for data in DECKS]
    assert sum("not as Waggle writes decks" in words for words in refused) < 12


@pytest.mark.parametrize("data", stubborn_decks())
def test_a_deck_that_can_hardly_be_asked_is_soon_found_out(data: bytes) -> None:
    """It breaks no rule, but is no deck to practise, or soon told as one."""
    deck = InstalledDeck(decode_deck(data), digest_of(data))
    assert any(finding.is_error for finding in soon(lambda: examine_deck(deck)))


@pytest.mark.parametrize("number", range(len(TABLES)))
def test_a_hostile_table_is_refused_or_text(number: int) -> None:
    """What is left of it breaks no rule; each row that is left out is named."""
    file = TABLES[number]
    data = file.make()
    made = soon(lambda: import_whole(file, data))
    if isinstance(made, DeckError):
        assert_clear(made)
        return
    assert all(map(is_clear, (problem.words for problem in made.problems)))
    if made.cards or made.templates:
        deck = Deck(
            format=1,
            name="a",
            matcher=made.matcher,
            cards=made.cards,
            templates=made.templates,
        )
        soon(lambda: encode_deck(deck))


@pytest.mark.parametrize("text", LONG)
def test_a_hostile_expression_is_refused_or_a_value(text: str) -> None:
    """It is read or not, and has a bounded value or none."""

    def work_out() -> DeckError | Value | None:
        try:
            return parse(text, ["a"]).value({"a": Fraction(7)})
        except DeckError as error:
            return error
        except NoValueError:
            return None

    outcome = soon(work_out)
    if isinstance(outcome, DeckError):
        assert_clear(outcome)
    else:
        assert len(str(outcome)) < 2_000


@pytest.mark.parametrize("text", CODE)
def test_nothing_is_read_that_is_more_than_reckoning(text: str) -> None:
    """Refused when it is read, and not only when it is worked out."""

    def read() -> DeckError | None:
        try:
            parse(text, ["a"])
        except DeckError as error:
            return error
        return None

    error = soon(read)
    assert error is not None
    assert_clear(error)


def test_hostile_decks_take_little_memory() -> None:
    """Whatever their bytes promise; the largest ones are looked at."""
    large = sorted(DECKS, key=len)[-8:]
    assert max(peak_of(partial(read_whole, data)) for data in large) < MOST_BYTES


@pytest.mark.parametrize(
    "number", [n for n, file in enumerate(TABLES) if file.name.endswith(".xlsx")]
)
def test_a_hostile_workbook_takes_little_memory(number: int) -> None:
    """However much a small file unpacks to."""
    file = TABLES[number]
    data = file.make()
    assert peak_of(lambda: import_whole(file, data)) < MOST_BYTES


@pytest.mark.parametrize("number", range(0, len(DECKS), 10))
def test_a_hostile_deck_under_its_digest_is_refused(number: int, tmp_path: Path) -> None:
    """A library is as careful with files of its own as with those of strangers."""
    path = tmp_path / f"{digest_of(DECKS[number])}{SUFFIX}"
    path.write_bytes(DECKS[number])
    with pytest.raises(DeckError) as caught:
        read_deck(path)
    assert remarks_of(words_of(caught.value))
