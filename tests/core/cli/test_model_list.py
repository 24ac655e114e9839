"""What is listed of the library."""

from pathlib import Path

import pytest

from core.cli.model_list import ModelRow, row_of
from core.models.catalog.catalog import load_models
from core.models.catalog.library import Library
from core.models.catalog.manifest import FileRecord, Manifest
from core.paths import Home
from core.services.model_inventory import trainable_models
from tests.fake_model_hub import COMMIT, REPO
from tests.fetching import ID, WEIGHTS


def manifest(files: dict[str, bytes], model_id: str = ID, repo: str = REPO) -> Manifest:
    records = (FileRecord(name, len(data), "git", "0" * 40) for name, data in files.items())
    return Manifest(model_id, repo, COMMIT, tuple(records))


def publish(home: Home, files: dict[str, bytes], what: Manifest) -> Path:
    library = Library(home.models)
    with library.draft(what.id) as draft:
        for name, data in files.items():
            (draft / name).write_bytes(data)
        return library.publish(draft, what)


def row(home: Home, name: str) -> ModelRow:
    return next(row_of(model) for model in trainable_models(home) if model.id == name)


def test_a_fetched_model_of_no_catalogue_is_listed(
    home: Home, model_files: dict[str, bytes]
) -> None:
    """As those of the catalogue are: with its size and whether it fits."""
    publish(home, model_files, manifest(model_files))
    listed = row(home, ID)
    assert (listed.state, listed.installed, listed.verdict) == ("here", True, "fits")
    assert listed.cells[2] == "here"


@pytest.mark.parametrize("missing", [WEIGHTS, "config.json"])
def test_a_damaged_model_does_not_vanish(
    home: Home, model_files: dict[str, bytes], missing: str
) -> None:
    """Somebody cleaned up by hand: it still takes space, and can be fetched again."""
    (publish(home, model_files, manifest(model_files)) / missing).unlink()
    listed = row(home, ID)
    assert (listed.state, listed.installed) == ("damaged", False)
    assert listed.cells[2] == "damaged, fetch it again"
    assert f"waggle models get {REPO}" in listed.words


def test_a_model_with_a_configuration_of_the_right_size_and_no_sense_is_damaged(
    home: Home, model_files: dict[str, bytes]
) -> None:
    """It cannot be described, and is no reason to list nothing."""
    nonsense = model_files | {"config.json": b"x" * len(model_files["config.json"])}
    publish(home, nonsense, manifest(nonsense))
    assert row(home, ID).state == "damaged"


def test_a_damaged_model_of_the_catalogue_is_not_here(home: Home) -> None:
    """It is listed once, and says what to do."""
    spec, files = load_models().get("qwen3-0.6b"), {WEIGHTS: b"weights", "config.json": b"{}"}
    folder = publish(home, files, manifest(files, spec.id, spec.repo or ""))
    assert row(home, spec.id).state == "here"
    (folder / WEIGHTS).write_bytes(b"half")
    listed = row(home, spec.id)
    assert (listed.state, listed.installed) == ("damaged", False)
    assert "waggle models get qwen3-0.6b" in listed.words
    assert [model.id for model in trainable_models(home)].count(spec.id) == 1


@pytest.mark.parametrize(
    ("name", "repo", "typed"), [(ID, REPO, REPO), ("qwen3-0.6b", "Qwen/Qwen3-0.6B", "qwen3-0.6b")]
)
def test_what_was_begun_is_listed_with_what_came_in(
    home: Home, name: str, repo: str, typed: str
) -> None:
    """And how to go on with it, or be rid of it."""
    library = Library(home.models)
    with library.draft(name) as draft:
        library.note(draft, manifest({WEIGHTS: b"weights"}, name, repo))
        with (draft / "part").open("wb") as part:
            part.truncate(1_200_000_000)
    listed = row(home, name)
    assert (listed.state, listed.came_in) == ("half fetched", 1_200_000_000)
    assert listed.cells[2] == "half fetched, 1.2 GB"
    assert f"waggle models get {typed}" in listed.words
    assert f"waggle models remove {typed}" in listed.words
