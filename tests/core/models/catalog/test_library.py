"""The folder of fetched models."""

import hashlib
from pathlib import Path

import msgspec
import pytest

from core.errors import HomeError, ModelError, UnknownModelError
from core.models.catalog.catalog import load_models
from core.models.catalog.library import MANIFEST, Library, find_model, remove_copies
from core.models.catalog.manifest import FileRecord, Manifest
from core.paths import Home

ID, REPO = "owner--model", "Owner/Model"
FILES = {"config.json": b"{}", "model.safetensors": b"weights" * 1000}


def record(name: str, data: bytes) -> FileRecord:
    if name.endswith(".safetensors"):
        return FileRecord(name, len(data), "sha256", hashlib.sha256(data).hexdigest())
    git = hashlib.sha1(b"blob %d\0" % len(data) + data, usedforsecurity=False)
    return FileRecord(name, len(data), "git", git.hexdigest())


def manifest(model_id: str = ID, repo: str = REPO) -> Manifest:
    return Manifest(model_id, repo, "0" * 40, tuple(record(*item) for item in FILES.items()))


def publish(library: Library, what: Manifest) -> Path:
    with library.draft(what.id) as draft:
        return publish_into(library, draft, what)


def publish_into(library: Library, draft: Path, what: Manifest | None = None) -> Path:
    for name, data in FILES.items():
        (draft / name).write_bytes(data)
    return library.publish(draft, what or manifest())


@pytest.fixture
def library(tmp_path: Path) -> Library:
    return Library(tmp_path / "models")


def test_an_empty_library_holds_nothing(library: Library) -> None:
    """Before anything was fetched there is not even a folder."""
    assert library.manifests() == []
    assert library.find(REPO) is None


def test_a_published_model_is_found_by_both_names(library: Library) -> None:
    """By its id here and by its name on the hub, in any case of letters."""
    folder = publish(library, manifest())
    assert folder == library.folder(ID)
    assert {path.name for path in folder.iterdir()} == {*FILES, MANIFEST}
    for name in (ID, REPO, "owner/model"):
        assert library.find(name) == manifest()
    assert library.find("owner/other") is None


def test_a_draft_is_no_model(library: Library) -> None:
    """Whatever lies in it; it waits for the next try."""
    with library.draft(ID) as draft:
        for name, data in FILES.items():
            (draft / name).write_bytes(data)
    assert library.manifests() == []
    with library.draft(ID) as draft:
        assert (draft / "config.json").exists()


def test_a_draft_with_a_manifest_is_no_model_either(library: Library) -> None:
    """A crash between the last file and the new name leaves a draft."""
    with library.draft(ID) as draft:
        (draft / MANIFEST).write_bytes(msgspec.json.encode(manifest()))
    assert library.manifests() == []


def test_publishing_again_replaces(library: Library) -> None:
    """The older folder goes, with all that was in it."""
    folder = publish(library, manifest())
    (folder / "old.txt").write_text("old")
    publish(library, manifest())
    assert not (folder / "old.txt").exists()
    assert library.find(ID) == manifest()


def test_damage_is_found(library: Library) -> None:
    """One bit, a missing byte, a missing file: each is named."""
    folder = publish(library, manifest())
    assert library.damaged(manifest()) == []
    assert library.is_whole(manifest())
    data = bytearray(FILES["model.safetensors"])
    data[5] ^= 1
    (folder / "model.safetensors").write_bytes(data)
    assert library.damaged(manifest()) == ["model.safetensors"]
    assert library.is_whole(manifest())  # it looks at sizes alone
    (folder / "config.json").unlink()
    assert library.damaged(manifest()) == ["config.json", "model.safetensors"]
    assert not library.is_whole(manifest())


def test_reading_is_reported(library: Library) -> None:
    """Checking gigabytes takes a while; the counts add up to the size."""
    publish(library, manifest())
    counts: list[int] = []
    library.damaged(manifest(), counts.append)
    assert sum(counts) == manifest().size == sum(map(len, FILES.values()))


def test_removing_takes_the_model_and_its_draft(library: Library) -> None:
    """All bytes are free again, and counted."""
    publish(library, manifest())
    with library.draft(ID) as draft:
        (draft / "part").write_bytes(b"x" * 10)
    whole = manifest().size + 10
    assert library.remove(ID) > whole  # the manifest counts too
    assert library.manifests() == []
    assert [p.name for p in library.root.iterdir() if not p.name.startswith(".lock-")] == []
    assert library.remove(ID) == 0


def test_what_an_interrupted_download_left_can_be_thrown_away(library: Library) -> None:
    """A complete model beside it stays; what is left is told with the size that it has."""
    publish(library, manifest())
    whole = library.size(ID)
    with library.draft(ID) as draft:
        (draft / "part").write_bytes(b"x" * 500)
        with pytest.raises(ModelError, match="is downloading"):
            library.discard(ID)
    assert library.size(ID) == whole + 500
    assert library.discard(ID) == 500
    assert library.size(ID) == whole
    assert library.find(ID) == manifest()


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"{",
        b"\xff",
        msgspec.json.encode(manifest("another--model")),
        msgspec.json.encode(manifest(repo="../../etc")),
        msgspec.json.encode(manifest()).replace(b"config.json", b"../x.json"),
    ],
)
def test_a_damaged_manifest_is_no_model(library: Library, content: bytes) -> None:
    """Cut, of another folder, or with names that lead elsewhere: it counts as not there."""
    folder = publish(library, manifest())
    (folder / MANIFEST).write_bytes(content)
    assert library.manifests() == []


def test_one_process_at_a_time(library: Library) -> None:
    """A second one is told to wait."""
    with library.draft(ID), pytest.raises(ModelError, match="right now"), library.draft(ID):
        pass


def test_what_a_kill_left_is_swept_up(library: Library) -> None:
    """Of every model that nobody is working on; what is fetched is not touched."""
    publish(library, manifest())
    for name in ("other", "busy"):
        (library.root / f".old-{name}").mkdir()
        (library.root / f".old-{name}" / "model.safetensors").write_bytes(b"x" * 1000)
    with library.draft("busy"):
        library.sweep()
        assert (library.root / ".old-busy").exists()
    assert not (library.root / ".old-other").exists()
    assert library.remove("third") == 0
    assert not (library.root / ".old-busy").exists()
    assert library.find(ID) == manifest()


def test_a_removal_that_was_killed_is_counted_when_it_is_finished(library: Library) -> None:
    """The person asks again, and hears what is free now."""
    publish(library, manifest()).rename(library.root / f".old-{ID}")
    assert library.remove(ID) > manifest().size


def test_a_draft_is_listed_with_what_came_in(library: Library) -> None:
    """By what was written down at its beginning; one in which nothing came in is no draft."""
    with library.draft(ID) as draft:
        library.note(draft, manifest())
        assert library.drafts() == []
        (draft / "model.safetensors.part").write_bytes(b"x" * 10)
    assert library.drafts() == [(manifest(), 10)]
    assert library.find(ID) is None
    assert library.find_begun(ID) == library.find_begun(REPO) == manifest()
    publish(library, manifest())
    assert library.drafts() == []


def test_a_model_may_be_called_a_lock(library: Library) -> None:
    """``a/b.lock`` is a valid repository, and its draft is not in the way of ``a/b``."""
    with library.draft("a--b"), library.draft("a--b.lock") as draft:
        assert draft.is_dir()


def test_a_draft_that_cannot_be_published_stays_known(
    library: Library, monkeypatch: pytest.MonkeyPatch
) -> None:
    """So that it is listed, and can be taken up or removed by its id."""

    def refuse(_path: Path, _target: Path) -> None:
        raise PermissionError(13, "Permission denied")

    with library.draft(ID) as draft, monkeypatch.context() as patched:
        library.note(draft, manifest())
        patched.setattr(Path, "replace", refuse)
        with pytest.raises(HomeError):
            publish_into(library, draft)
    assert [begun for begun, _ in library.drafts()] == [manifest()]
    with library.draft(ID) as draft:
        folder = publish_into(library, draft)
    assert {path.name for path in folder.iterdir()} == {*FILES, MANIFEST}


def test_what_could_not_be_read_again_is_not_published(library: Library) -> None:
    """Else gigabytes would lie there as no model at all; the draft is kept."""
    records = tuple(record(f"model-{n:05}-of-01001.safetensors", b"") for n in range(1001))
    with library.draft(ID) as draft, pytest.raises(ModelError, match="breaks a rule"):
        library.publish(draft, Manifest(ID, REPO, "0" * 40, records))
    assert draft.exists()
    assert library.manifests() == []


def test_copies_for_llama_cpp_go_with_the_model(tmp_path: Path) -> None:
    """Those of this model alone; they are as large as itself, and counted."""
    home = Home(tmp_path)
    home.prepare()
    for name in (f"{ID}@0123-f16-1.gguf", f"{ID}@0123-q8_0-1.draft", f"{ID}-2@0123-f16-1.gguf"):
        (home.cache / name).write_bytes(b"x" * 100)
    assert remove_copies(home, ID) == 200
    assert [path.name for path in home.cache.iterdir()] == [f"{ID}-2@0123-f16-1.gguf"]
    assert remove_copies(home, ID) == 0


def test_files_that_cannot_be_removed_are_told(
    library: Library, monkeypatch: pytest.MonkeyPatch
) -> None:
    """In a sentence."""

    def refuse(_path: Path, _to: Path) -> None:
        raise PermissionError(13, "Permission denied")

    publish(library, manifest())
    monkeypatch.setattr(Path, "replace", refuse)
    with pytest.raises(HomeError, match="Permission denied"):
        library.remove(ID)


def test_starters_are_always_here(tmp_path: Path) -> None:
    """They ship with Waggle and are loaded from there."""
    assert find_model("spark", Home(tmp_path)) == load_models().get("spark")


def test_a_model_that_was_not_fetched_says_how(tmp_path: Path) -> None:
    """With the command to type and the size of the download."""
    with pytest.raises(ModelError, match=r"\(995 MB\) is .* waggle models get qwen2\.5-0\.5b$"):
        find_model("qwen2.5-0.5b", Home(tmp_path))
    with pytest.raises(ModelError, match="waggle models get Owner/Model"):
        find_model(REPO, Home(tmp_path))


def test_a_model_of_the_catalogue_is_found_where_it_was_fetched(tmp_path: Path) -> None:
    """By either name; everything else is as the catalogue says."""
    home = Home(tmp_path)
    spec = load_models().get("qwen3-0.6b")
    assert spec.repo is not None
    folder = publish(Library(home.models), manifest(spec.id, spec.repo))
    found = find_model("qwen3-0.6b", home)
    assert found.folder == folder
    assert (found.id, found.shape, found.chat) == (spec.id, spec.shape, True)
    assert find_model(spec.repo, home) == found


def test_missing_files_are_told_before_anything_is_loaded(tmp_path: Path) -> None:
    """Somebody cleaned up by hand."""
    home = Home(tmp_path)
    spec = load_models().get("qwen3-0.6b")
    folder = publish(Library(home.models), manifest(spec.id, spec.repo or ""))
    (folder / "model.safetensors").unlink()
    with pytest.raises(
        ModelError, match="Download it again on the page Models, or with: waggle models get qwen3-0"
    ):
        find_model("qwen3-0.6b", home)


def test_the_advice_names_what_can_be_fetched(tmp_path: Path) -> None:
    """Of a model in no catalogue its repository, whichever name was typed."""
    home = Home(tmp_path)
    (publish(Library(home.models), manifest()) / "model.safetensors").unlink()
    with pytest.raises(ModelError, match="waggle models get Owner/Model"):
        find_model(ID, home)


@pytest.mark.parametrize("name", ["sparc", "../spark", "", "a/b/c"])
def test_names_that_are_none_are_unknown(tmp_path: Path, name: str) -> None:
    """Typing mistakes and paths alike."""
    with pytest.raises(UnknownModelError):
        find_model(name, Home(tmp_path))
