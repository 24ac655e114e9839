"""Parquet files of strangers, in the process that reads them."""

import json
import sys
from dataclasses import replace
from random import Random

import pytest

from core.datasets.parquet import LIMITS, lines_of_parquet, require_pyarrow
from core.decks.limits import MAX_DECK_BYTES
from core.errors import DeckError
from tests.confined import saying
from tests.parquet_files import pa, parquet, varint

WORDS = {"question": ["dog", "cat"], "answer": ["Hund", "Katze"], "id": [1, 2]}


def test_the_columns_that_are_used_come_out() -> None:
    """Named as in the file and in its order; those of no use are empty."""
    lines = lines_of_parquet(parquet(WORDS), {}).splitlines()
    assert json.loads(lines[0]) == {"question": "dog", "answer": "Hund", "id": None}
    assert list(json.loads(lines[0])) == list(WORDS)
    assert json.loads(lines[1]) == {"question": "cat", "answer": "Katze"}


def test_as_much_comes_out_as_a_deck_can_hold() -> None:
    """The reply of the process is as long as that, and what is more is told."""
    texts = [f"{n:05}" + "x" * 4_000 for n in range(1_970)]
    columns = {"question": texts, "answer": ["y"] * len(texts)}
    data = parquet(columns, compression="zstd")
    assert 7_900_000 < len(lines_of_parquet(data, {})) <= MAX_DECK_BYTES
    data = parquet({"question": texts * 2, "answer": ["y"] * 2 * len(texts)}, compression="zstd")
    with pytest.raises(DeckError, match=r"more than 8,000,000 bytes.*--rows"):
        lines_of_parquet(data, {})
    assert lines_of_parquet(data, {}, rows=5).count(b"\n") == 5


@pytest.mark.parametrize("is_dictionary", [True, False])
def test_one_long_word_that_stands_in_all_rows_is_refused(*, is_dictionary: bool) -> None:
    """A few kilobytes that would be a hundred gigabytes: the process has so much memory."""
    places = pa.array([0] * 100_000, pa.int32())
    answers = pa.DictionaryArray.from_arrays(places, ["x" * 1_000_000])
    bomb = {"question": [str(n) for n in range(100_000)], "answer": answers}
    data = parquet(bomb, compression="zstd", store_schema=is_dictionary)
    assert len(data) < 2_000_000
    with pytest.raises(DeckError, match="takes more than 600 MB of memory"):
        lines_of_parquet(data, {}, limits=replace(LIMITS, memory=600_000_000))


def test_a_page_that_lies_about_its_size_is_refused() -> None:
    """The footer is honest, and two gigabytes are asked for within."""
    data = parquet({"question": ["a" * 99], "answer": ["b"]}, use_dictionary=False)
    head = data[:16]
    assert head[4:7] == b"\x15\x00\x15"  # kind of the page, and then its size unpacked
    end = next(at for at in range(7, 16) if head[at] < 0x80) + 1
    lying = data[:7] + varint(2_000_000_000)[:9] + data[end:]
    with pytest.raises(DeckError, match=r"damaged|cannot be read"):
        lines_of_parquet(lying, {})


@pytest.mark.parametrize("seed", range(4))
def test_a_file_that_was_changed_crashes_nobody(seed: int) -> None:
    """It is read all the same, or refused in words."""
    rng, data = Random(seed), bytearray(parquet(WORDS | {"more": [["a"], ["b", "c"]]}))
    for at in rng.choices(range(4, len(data) - 8), k=1 + 8 * seed):
        data[at] ^= 1 << rng.randrange(8)
    try:
        lines_of_parquet(bytes(data), {"solution": "more"})
    except DeckError as error:
        assert "\n" not in str(error)  # noqa: PT017 - either is right


def test_a_process_that_takes_too_long_is_ended() -> None:
    """The person waits no longer than that."""
    with pytest.raises(DeckError, match="takes more than 0 seconds"):
        lines_of_parquet(parquet(WORDS), {}, limits=replace(LIMITS, seconds=0))


@pytest.mark.parametrize("said", [b"\xc1", b"\x81\xa7trouble\xa1\xff"])
def test_a_process_that_breaks_out_of_its_bounds_is_told(
    monkeypatch: pytest.MonkeyPatch, said: bytes
) -> None:
    """Whatever comes that is no reply, or no text: it ends in a sentence."""
    monkeypatch.setattr("core.datasets.parquet.python_command", lambda _: saying(said))
    with pytest.raises(DeckError, match="breaks out of its bounds"):
        lines_of_parquet(parquet(WORDS), {})


def test_without_its_reader_it_is_said_how_to_install_it(monkeypatch: pytest.MonkeyPatch) -> None:
    """In one line, before anything is fetched or started; not where nothing can be installed."""
    require_pyarrow()
    monkeypatch.setattr(sys, "path", [])
    monkeypatch.delitem(sys.modules, "pyarrow")
    with pytest.raises(DeckError, match="pip install pyarrow"):
        lines_of_parquet(b"", {})
    monkeypatch.setattr(sys, "frozen", True, raising=False)
    with pytest.raises(DeckError, match="Choose a file of another kind") as caught:
        lines_of_parquet(b"", {})
    assert "pip" not in str(caught.value)
