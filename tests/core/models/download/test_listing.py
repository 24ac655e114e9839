"""What a repository is said to consist of, and what of it is believed."""

import msgspec
import pytest
from huggingface_hub.hf_api import BlobLfsInfo, ModelInfo, RepoSibling

from core.errors import ModelError
from core.i18n import Remark, remarks_of, words_of
from core.models.catalog.manifest import FileRecord
from core.models.catalog.weight_headers import INDEX, SINGLE
from core.models.download.listing import file_record, is_commit, model_listing
from core.paths import Home
from tests.fake_model_hub import COMMIT, REPO, FakeModelHub
from tests.fetching import ID, Fetching


async def test_a_model_of_endless_files_is_refused(home: Home, hub: FakeModelHub) -> None:
    """More than can be kept: before the first of them is fetched."""
    hub.trouble.names = [f"model-{n:05}-of-01001.safetensors" for n in range(1001)]
    with pytest.raises(ModelError, match=r"1\d{3} files, too many"):
        await Fetching(home, hub).fetch()
    assert not hub.served


@pytest.mark.parametrize(
    "name",
    ["../evil.safetensors", "/etc/model.safetensors", "..\\model.safetensors", "a/config.json",
     "model.safetensors\n", "model-00001-of-00002.safetensors/../../x", "C:model.safetensors"],
)  # fmt: skip
async def test_names_that_lead_elsewhere_are_never_asked_for(
    home: Home, hub: FakeModelHub, name: str
) -> None:
    """A hub may announce what it likes; only known names in one folder are fetched."""
    hub.trouble.names.append(name)
    manifest = await Fetching(home, hub).fetch()
    assert name not in {record.name for record in manifest.files}
    assert {path.name for path in home.models.iterdir()} == {ID, f".lock-{ID}"}


@pytest.mark.parametrize("has_list", [False, True])
def test_weights_that_are_there_twice_count_once(*, has_list: bool) -> None:
    """Of a whole one and its shards neither the disk nor the limit has to have room for both."""
    shard, most = "model-00001-of-00001.safetensors", 30 * 10**9
    sizes = {"config.json": 1, "tokenizer.json": 1, "tokenizer_config.json": 1}
    sizes |= {SINGLE: most, shard: most} | ({INDEX: 1} if has_list else {})
    siblings = [{"rfilename": n, "size": s, "blobId": "b" * 40} for n, s in sizes.items()]
    told = ModelInfo(id=REPO, sha=COMMIT, siblings=siblings)  # type: ignore[no-untyped-call]
    listing = model_listing(REPO, told)
    assert [record.name for record in listing.weights] == [shard if has_list else SINGLE]
    assert listing.size == most + 3 + has_list


def test_a_large_file_is_known_by_the_hash_of_what_it_holds() -> None:
    """A small one by git's own; the name is ours, wherever the hub keeps it."""
    lfs = BlobLfsInfo(size=5, sha256="a" * 64, pointer_size=130)
    large = RepoSibling("data/a.parquet", size=130, blob_id="b" * 40, lfs=lfs)
    assert file_record("t", large) == FileRecord("t", 5, "sha256", "a" * 64)
    small = RepoSibling("a.csv", size=3, blob_id="b" * 40)
    assert file_record("t", small) == FileRecord("t", 3, "git", "b" * 40)


@pytest.mark.parametrize(
    ("size", "digest"), [(None, "b" * 40), (-1, "b" * 40), (3, None), (3, "x")]
)
def test_a_file_that_cannot_be_checked_is_none(size: int | None, digest: str | None) -> None:
    """Without a size or a hash nobody could tell whether it came as it is."""
    with pytest.raises(msgspec.ValidationError):
        file_record("t", RepoSibling("a.csv", size=size, blob_id=digest))


@pytest.mark.parametrize(
    ("size", "lacking"),
    [(None, "the size and hash of its file {}"), (10**9, "a file {} of a sensible size")],
)
def test_a_model_with_such_a_file_is_refused(size: int | None, lacking: str) -> None:
    """In words for people, which can be said in their language."""
    sibling = {"rfilename": "config.json", "size": size, "blobId": "b" * 40}
    told = ModelInfo(id=REPO, sha=COMMIT, siblings=[sibling])  # type: ignore[no-untyped-call]
    with pytest.raises(ModelError) as caught:
        model_listing(REPO, told)
    (remark,) = remarks_of(words_of(caught.value))
    assert remark.blanks == (REPO, Remark("it lacks {}", (Remark(lacking, ("config.json",)),)))


def test_a_branch_is_no_commit() -> None:
    """It means something else tomorrow."""
    assert is_commit(COMMIT)
    assert not any(map(is_commit, ("", "main", COMMIT[:-1], f"{COMMIT}\n", COMMIT.upper())))
