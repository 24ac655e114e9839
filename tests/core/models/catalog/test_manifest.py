"""What a model consists of, as it is written down."""

import hashlib
from pathlib import Path
from threading import Event

import pytest

from core.errors import ModelError
from core.models.catalog.manifest import (
    MOST_FILES,
    FileRecord,
    Manifest,
    encode_manifest,
    read_manifest,
)

DATA = b"weights" * 300_000  # more than two blocks
RECORD = FileRecord("model.safetensors", len(DATA), "sha256", hashlib.sha256(DATA).hexdigest())


def manifest(files: int = 1, repo: str = "Owner/Model", model_id: str = "owner--model") -> Manifest:
    return Manifest(model_id, repo, "0" * 40, (RECORD,) * files)


def test_what_is_written_can_be_read(tmp_path: Path) -> None:
    """As many files as are allowed, and the longest name that Hugging Face gives."""
    repo = f"{'a' * 42}/{'b' * 96}"
    longest = manifest(MOST_FILES, repo, repo.replace("/", "--"))
    (tmp_path / "waggle.json").write_bytes(encode_manifest(longest))
    assert read_manifest(tmp_path / "waggle.json", longest.id) == longest
    assert read_manifest(tmp_path / "waggle.json", "another") is None


@pytest.mark.parametrize(
    "broken",
    [manifest(MOST_FILES + 1), manifest(0), manifest(repo="nowhere"), manifest(model_id="")],
)
def test_what_could_not_be_read_is_not_written(broken: Manifest) -> None:
    """It is refused in a sentence."""
    with pytest.raises(ModelError, match=r"breaks a rule .*\. Choose another one\."):
        encode_manifest(broken)


def test_reading_stops_when_told(tmp_path: Path) -> None:
    """After the running block, whatever is left."""
    path, stop = tmp_path / "model.safetensors", Event()
    path.write_bytes(DATA)
    counts: list[int] = []
    assert RECORD.matches(path, counts.append, stop)
    assert sum(counts) == len(DATA)
    counts.clear()

    def count(size: int) -> None:
        counts.append(size)
        stop.set()

    RECORD.matches(path, count, stop)
    assert len(counts) == 1
