"""What a data set is said to hold, and which of it is meant."""

import asyncio
from collections.abc import AsyncIterator

import huggingface_hub
import pytest

from core.datasets.dataset import SHOWN, Dataset, choose, is_parquet, listing_of, look_up
from core.decks.limits import MAX_DECK_BYTES
from core.errors import DeckError, ModelError
from core.models.download.hub import Hub
from tests.fake_model_hub import COMMIT, REPO, TOKEN, FakeModelHub

SPLITS = ("data/test-00000-of-00001.parquet", "data/train-00000-of-00001.parquet")


@pytest.fixture
async def hub(monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[FakeModelHub]:
    monkeypatch.setattr(huggingface_hub.constants, "HF_HUB_OFFLINE", False)
    async with FakeModelHub({"words.csv": b"question,answer\n"}, card={}).running() as running:
        yield running


async def seen(hub: FakeModelHub, repo: str = REPO, token: str | None = None) -> Dataset:
    return await asyncio.to_thread(look_up, Hub(lambda: token, hub.url), repo)


def holding(*paths: str) -> Dataset:
    siblings = {path: huggingface_hub.hf_api.RepoSibling(path) for path in paths}
    return Dataset(REPO, COMMIT, "", siblings)


async def test_only_tables_of_plain_names_are_seen(hub: FakeModelHub) -> None:
    """Neither what is about the data set, nor what leads elsewhere or hides."""
    good = ("a/b c.JSONL", "t.xlsx", "wörter.tsv", "train-0.parquet")
    bad = ("../x.csv", "a/../x.csv", "/x.csv", ".git/x.csv", "a\\x.csv", "x\u202e.csv", "x.csv\n")
    other = ("README.md", "x.csv.gz", "dataset_infos.json", "a/dataset_info.json", "csv", "x.bin")
    hub.trouble.names = [*good, *bad, *other, f"{'x' * 300}.csv"]
    found = await seen(hub)
    assert set(found.tables) == {"words.csv", *good}
    assert (found.owner, found.name, found.commit) == ("someone", "Tiny-Model", COMMIT)


@pytest.mark.parametrize(
    ("card", "tags", "licence"),
    [
        ({"license": "cc-by-4.0"}, ["license:mit"], "cc-by-4.0"),
        ({"license": ["mit", "apache-2.0"]}, [], "mit, apache-2.0"),
        ({}, ["size_categories:n<1K", "license:mit"], "mit"),
        ({}, [], ""),
        ({"license": {"name": "x"}}, [], ""),
        ({"license": "mit\u202e"}, [], ""),
        ({"license": "x" * 81}, [], ""),
        ({"license": [1, None]}, [], ""),
    ],
)
async def test_the_licence_is_that_of_the_card(
    hub: FakeModelHub, card: dict[str, object], tags: list[str], licence: str
) -> None:
    """Else that of the tags; what is no name of one is none."""
    hub.card, hub.tags = card, tags
    assert (await seen(hub)).licence == licence


@pytest.mark.parametrize("repo", ["words", "a/b/c", "../b", "a/..", "", "datasets/a/b", "a b/c"])
async def test_a_name_that_is_none_is_told(hub: FakeModelHub, repo: str) -> None:
    """Nobody is asked for it."""
    with pytest.raises(DeckError, match="owner/name"):
        await seen(hub, repo)
    assert hub.tokens == []


async def test_what_the_hub_does_not_give_is_told(hub: FakeModelHub) -> None:
    """Unknown, private, gated, and no hub at all: each in words, with what to do."""
    with pytest.raises(DeckError, match=r"knows no data set someone/else.*co/datasets\."):
        await seen(hub, "someone/else")
    hub.trouble.is_private = True
    with pytest.raises(DeckError, match="or it is private"):
        await seen(hub)
    assert (await seen(hub, token=TOKEN)).commit == COMMIT
    hub.trouble.refuses = True
    with pytest.raises(ModelError, match=f"Accept its terms on huggingface.co/datasets/{REPO}"):
        await seen(hub, token=TOKEN)
    nobody = Hub(endpoint="http://127.0.0.1:9")
    with pytest.raises(ModelError, match="cannot be reached"):
        await asyncio.to_thread(look_up, nobody, REPO)


async def test_a_data_set_without_tables_or_version_is_told(hub: FakeModelHub) -> None:
    """A branch is no version: it may be another one by the time of the download."""
    hub.commit = "main"
    with pytest.raises(DeckError, match="which version"):
        await seen(hub)
    hub.commit, hub.files = COMMIT, {"README.md": b"#", "images.zip": b""}
    with pytest.raises(DeckError, match=r"no file in .* that Waggle can read"):
        await seen(hub)


def test_the_only_table_is_meant() -> None:
    """Nobody has to name it."""
    assert choose(holding("a.csv")) == "a.csv"


def test_a_split_is_a_word_of_a_path() -> None:
    """In whichever way people write it; a word that only begins so is another one."""
    found = holding(*SPLITS, "main/validation.jsonl", "Dev_Set.csv", "training.csv")
    assert choose(found, split="train") == SPLITS[1]
    assert choose(found, split="Validation") == "main/validation.jsonl"
    assert choose(found, split="dev-set") == "Dev_Set.csv"
    for missing in ("tra", "valid", "", "-"):
        with pytest.raises(DeckError, match="No file of"):
            choose(found, split=missing)


def test_a_path_names_its_table() -> None:
    """Only as the hub writes it."""
    assert choose(holding(*SPLITS), SPLITS[0]) == SPLITS[0]
    with pytest.raises(DeckError, match=f"Choose one with --file: {SPLITS[0]}, {SPLITS[1]}"):
        choose(holding(*SPLITS), "data/train")


def test_several_tables_are_listed_up_to_a_point() -> None:
    """The person chooses; of a thousand files the first ones show how they are named."""
    with pytest.raises(DeckError, match=f"--split or --file: {SPLITS[0]}, {SPLITS[1]}$"):
        choose(holding(*SPLITS))
    many = holding(*(f"train-{n:03}.csv" for n in range(SHOWN + 5)))
    with pytest.raises(DeckError, match=r"25 files .* train-019\.csv, and 5 more$"):
        choose(many, split="train")


async def test_a_table_has_a_name_of_ours_here(hub: FakeModelHub) -> None:
    """Wherever it is there; its size and hash are those that were announced."""
    hub.files["a/b c.CSV"] = b"question,answer\nx,y\n"
    listing = listing_of(await seen(hub), "a/b c.CSV")
    (record,) = listing.files
    assert (record.name, record.size) == ("table.csv", 20)
    assert Hub(endpoint=hub.url).url(listing, "table.csv").endswith(f"{COMMIT}/a/b%20c.CSV")


async def test_a_table_that_is_too_large_is_not_fetched(hub: FakeModelHub) -> None:
    """What the hub announces decides; Parquet may be larger, since not all of it is read."""
    hub.trouble.sizes = {"words.csv": MAX_DECK_BYTES + 1, "a.parquet": MAX_DECK_BYTES + 1}
    hub.files["a.parquet"] = b"PAR1"
    found = await seen(hub)
    with pytest.raises(DeckError, match="8,000,001 bytes, and such a file may have 8,000,000"):
        listing_of(found, "words.csv")
    assert listing_of(found, "a.parquet").size == MAX_DECK_BYTES + 1
    hub.trouble.sizes["a.parquet"] = 8 * MAX_DECK_BYTES + 1
    with pytest.raises(DeckError, match="may have 64,000,000"):
        listing_of(await seen(hub), "a.parquet")


def test_a_table_that_could_not_be_checked_is_refused() -> None:
    """Without a hash, what comes could be anything."""
    with pytest.raises(DeckError, match="does not say how large"):
        listing_of(holding("a.csv"), "a.csv")


def test_parquet_is_known_by_its_name() -> None:
    """In capitals as well."""
    assert is_parquet("data/A.PARQUET")
    assert not is_parquet("parquet.csv")
