"""Copies of a model's base for llama.cpp."""

from pathlib import Path

import pytest

from core.errors import DiskFullError
from core.models.policy.policy import Policy
from core.paths import Home
from core.sampling import gguf_copies
from core.sampling.gguf_copies import copy_of, prune_copies
from tests.tiny_models import load_tiny_policy


@pytest.fixture
def policy(tmp_path: Path) -> Policy:
    return load_tiny_policy(tmp_path / "model")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    folder = tmp_path / "cache"
    folder.mkdir()
    return folder


def test_a_copy_is_made_once(policy: Policy, folder: Path) -> None:
    """The person hears why it takes a while; the next time it is there."""
    told: list[str] = []
    first = copy_of(policy, "f16", folder, told.append)
    written = first.stat().st_mtime_ns
    assert copy_of(policy, "f16", folder, told.append) == first
    assert first.stat().st_mtime_ns == written
    assert told == ["Preparing a copy of the model for fast sampling"]


def test_other_weights_get_another_copy(policy: Policy, folder: Path) -> None:
    """A model that was fetched again is never sampled from its old copy."""
    first = copy_of(policy, "f16", folder, lambda _: None)
    policy.fingerprint = "0" * 16
    assert copy_of(policy, "f16", folder, lambda _: None) != first


def test_all_but_the_one_in_use_are_removed(policy: Policy, folder: Path) -> None:
    """Other precisions and drafts of this model go; copies of other models stay."""
    kept = copy_of(policy, "f16", folder, lambda _: None)
    copy_of(policy, "bf16", folder, lambda _: None)
    other = folder / "another@0123-f16-1.gguf"
    other.touch()
    (folder / f"{policy.spec.id}@0123-f16-1.gguf.draft").touch()
    prune_copies(policy, Home(folder.parent), keep={"f16"})
    assert set(folder.iterdir()) == {other, kept}


def test_without_space_nothing_is_begun(
    policy: Policy, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A sentence, and no file."""
    monkeypatch.setattr(gguf_copies, "_SPARE", 2**62)
    with pytest.raises(DiskFullError, match=r"a copy of Tiny for llama\.cpp: it needs"):
        copy_of(policy, "f16", folder, lambda _: None)
    assert list(folder.iterdir()) == []
