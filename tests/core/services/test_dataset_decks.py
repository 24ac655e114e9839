"""From a data set on a hub to a deck."""

import json
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from io import BytesIO

import openpyxl
import pytest

from core.api.models import ModelProgress
from core.api.requests import Reply
from core.decks.library import DeckLibrary
from core.decks.limits import MAX_DECK_BYTES
from core.errors import DeckError, ModelError, WaggleError
from core.services.dataset_decks import DatasetWish, draft_of_dataset
from core.services.decks import DeckDraft, DeckWish
from core.services.service import ServiceContext
from tests.fake_model_hub import COMMIT, REPO, FakeModelHub
from tests.fetching import everybodys_hub

ROWS = [("dog", "Hund"), ("cat", "Katze"), ("house", "Haus")]
CSV = b"question,answer\ndog,Hund\ncat,Katze\nhouse,Haus\n"
CARD = {"license": "cc0-1.0"}


def workbook() -> bytes:
    book, out = openpyxl.Workbook(), BytesIO()
    for row in (("question", "answer"), *ROWS):
        book.active.append(row)
    book.save(out)
    return out.getvalue()


def objects() -> list[dict[str, str]]:
    return [{"question": question, "answer": answer} for question, answer in ROWS]


def in_parquet() -> bytes:
    from tests.parquet_files import parquet  # skips where nothing reads it

    return parquet({"question": [q for q, _ in ROWS], "answer": [a for _, a in ROWS]})


TABLES = {
    "a.csv": lambda: CSV,
    "a.tsv": lambda: CSV.replace(b",", b"\t"),
    "a.jsonl": lambda: "\n".join(map(json.dumps, objects())).encode(),
    "a.json": lambda: json.dumps(objects()).encode(),
    "a.xlsx": workbook,
    "a.parquet": in_parquet,
}


@asynccontextmanager
async def holding(
    files: Mapping[str, bytes], monkeypatch: pytest.MonkeyPatch
) -> AsyncIterator[FakeModelHub]:
    async with everybodys_hub(files, monkeypatch, CARD) as hub:
        yield hub


async def draft(
    place: ServiceContext, wanted: DatasetWish | None = None, wish: DeckWish | None = None
) -> DeckDraft:
    told: list[Reply] = []
    wanted, wish = wanted or DatasetWish(REPO), wish or DeckWish(name="")
    made = await draft_of_dataset(wanted, wish, place, told.append)
    assert all(isinstance(one, ModelProgress) for one in told)
    return made


@pytest.mark.parametrize("name", TABLES)
async def test_every_kind_of_table_becomes_the_same_deck(
    place: ServiceContext, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    """Named as the data set, by its owner, under its licence."""
    monkeypatch.delattr("core.decks.tables.sheets")  # a stranger's workbook, in this process
    async with holding({f"data/{name}": TABLES[name]()}, monkeypatch):
        made = await draft(place)
    deck = made.installed.deck
    assert [(card.question, *card.answers) for card in deck.cards] == ROWS
    assert (deck.name, deck.author, deck.licence) == ("Tiny-Model", "someone", "cc0-1.0")
    assert made.is_sound
    assert DeckLibrary(place.home.decks).decks() == []  # nothing is kept yet


async def test_what_the_person_says_counts_more(
    place: ServiceContext, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Of names, licence, columns, how answers are compared, and how many rows."""
    wish = DeckWish(
        "Back", "Ada", "de", "mit", "text", columns={"question": "answer", "answer": "question"}
    )
    async with holding({"a.csv": CSV}, monkeypatch):
        made = await draft(place, DatasetWish(REPO, rows=2), wish)
    deck = made.installed.deck
    assert (deck.name, deck.author, deck.licence, deck.matcher) == ("Back", "Ada", "mit", "text")
    assert [(card.question, *card.answers) for card in deck.cards] == [
        ("Hund", "dog"),
        ("Katze", "cat"),
    ]


async def test_columns_of_parquet_are_named_alike(
    place: ServiceContext, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What is there beside them is not read, and what is not there is told with what is."""
    from tests.parquet_files import parquet

    data = parquet({"odd": [{"a": 1}], "Q": ["dog"], "more": [b"x"], "A": [["Hund", "Köter"]]})
    said = DeckWish("a", columns={"question": "Q", "answer": "A"})
    async with holding({"a.parquet": data}, monkeypatch):
        made = await draft(place, wish=said)
        with pytest.raises(DeckError, match=r"no column “B”\. There are: odd, Q, more, A\."):
            await draft(place, wish=DeckWish("a", columns={"question": "Q", "answer": "B"}))
        with pytest.raises(DeckError, match="“odd” holds struct"):
            await draft(place)
    (card,) = made.installed.deck.cards
    assert (card.question, card.answers) == ("dog", ("Hund", "Köter"))


async def test_a_row_of_parquet_has_its_number(
    place: ServiceContext, monkeypatch: pytest.MonkeyPatch
) -> None:
    """From 1, as one counts."""
    from tests.parquet_files import parquet

    data = parquet({"question": ["dog", None, "cat"], "answer": ["Hund", "x", "y" * 2_000]})
    async with holding({"a.parquet": data}, monkeypatch):
        made = await draft(place)
    assert [problem.number for problem in made.problems] == [2, 3]
    assert "is missing" in made.problems[0].words
    assert "more than 1,024 characters" in made.problems[1].words


async def test_bad_rows_and_findings_are_those_of_a_file(
    place: ServiceContext, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The doctor looks at what came from strangers as at everything."""
    table = b"question,answer\nWho?,he\nWho?,she\n,x\n"
    async with holding({"a.csv": table}, monkeypatch):
        made = await draft(place)
    assert [problem.number for problem in made.problems] == [4]
    assert not made.is_sound


async def test_of_several_tables_one_is_chosen(
    place: ServiceContext, monkeypatch: pytest.MonkeyPatch
) -> None:
    """By its split or its path; else nothing is fetched, and what there is told."""
    files = {"train.csv": CSV, "test.csv": b"question,answer\ncow,Kuh\n"}
    async with holding(files, monkeypatch) as hub:
        with pytest.raises(DeckError, match=r"--split or --file: test\.csv, train\.csv"):
            await draft(place)
        assert not hub.asked
        by_split = await draft(place, DatasetWish(REPO, split="test"))
        by_path = await draft(place, DatasetWish(REPO, path="test.csv"))
    assert by_split == by_path
    assert len(by_split.installed.deck.cards) == 1


async def test_the_table_is_that_of_the_commit_that_was_told(
    place: ServiceContext, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whatever is pushed meanwhile: the person is told the version, and that one is fetched."""
    seen: list[tuple[str, str]] = []
    async with holding({"a.csv": CSV}, monkeypatch) as hub:

        def push(path: str, commit: str) -> None:
            seen.append((path, commit))
            hub.commit = "f" * 40

        with pytest.raises(ModelError, match="404"):  # the fake one keeps no history
            await draft_of_dataset(
                DatasetWish(REPO), DeckWish(name=""), place, lambda _: None, push
            )
    assert seen == [("a.csv", COMMIT)]


async def test_a_broken_line_is_taken_up(
    place: ServiceContext, monkeypatch: pytest.MonkeyPatch
) -> None:
    """No byte comes twice."""
    async with holding({"a.csv": CSV}, monkeypatch) as hub:
        hub.trouble.drops = {"a.csv": [20]}
        made = await draft(place)
        assert hub.ranges == [("a.csv", "bytes=20-")]
        assert hub.served["a.csv"] == len(CSV)
    assert len(made.installed.deck.cards) == 3


@pytest.mark.parametrize(
    ("trouble", "words"),
    [
        ({"changed": {"a.csv"}}, "not the one that the hub announced"),
        ({"sizes": {"a.csv": len(CSV) - 1}}, "not the one that the hub announced"),
        ({"sizes": {"a.csv": MAX_DECK_BYTES + 1}}, "Choose a smaller one"),
        ({"needs_token": True}, f"Accept it on huggingface.co/datasets/{REPO}"),
        ({"is_private": True}, "or it is private"),
        ({"refuses": True}, f"huggingface.co/datasets/{REPO}"),
    ],
)
async def test_what_goes_wrong_at_the_hub_is_told(
    place: ServiceContext, monkeypatch: pytest.MonkeyPatch, trouble: dict[str, object], words: str
) -> None:
    """In words; no deck comes of it."""
    async with holding({"a.csv": CSV}, monkeypatch) as hub:
        for name, value in trouble.items():
            setattr(hub.trouble, name, value)
        with pytest.raises(WaggleError, match=words):
            await draft(place)


async def test_parquet_without_its_reader_is_not_fetched(
    place: ServiceContext, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It is said how to install it; tables of other kinds do without."""
    monkeypatch.setattr("core.datasets.parquet.find_spec", lambda _name: None)
    async with holding({"a.parquet": b"PAR1", "a.csv": CSV}, monkeypatch) as hub:
        with pytest.raises(DeckError, match="pip install pyarrow"):
            await draft(place, DatasetWish(REPO, path="a.parquet"))
        assert not hub.asked
        assert (await draft(place, DatasetWish(REPO, path="a.csv"))).is_sound
