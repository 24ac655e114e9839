"""What may be typed in as a model's name."""

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.models.catalog.repositories import MOST_LETTERS, id_of, is_repository


@pytest.mark.parametrize(
    "name",
    [
        *(
            "Qwen/Qwen2.5-0.5B-Instruct",
            "HuggingFaceTB/SmolLM2-135M",
            "a/b",
            "01-ai/Yi_6B",
            "x/y.z",
        ),
        "a" * 42 + "/" + "b" * 96,
    ],
)
def test_names_of_the_hub_are_understood(name: str) -> None:
    """Owner and name, of letters, digits, hyphens, underscores and, in the name, dots."""
    assert is_repository(name)


@pytest.mark.parametrize(
    "name",
    [
        "spark", "/b", "a/", "a/b/c", "../b", "a/..", "a/.b", "a/b.", "a\\b/c", "a/b\n", "a b/c",
        "C:/b", "-a/b", "a--b/c", "a/b--c", "a/b..c", "ä/b", "a/" + "b" * 97, "a/b%2e", "~/b", "",
    ],
)  # fmt: skip
def test_whatever_leads_elsewhere_is_no_name(name: str) -> None:
    """Paths, drives, escapes, blanks and endless names are refused."""
    assert not is_repository(name)


@given(st.text(st.sampled_from("aB9-_./\\~\n:"), max_size=12))
@settings(deadline=None)
def test_no_name_leaves_the_folder_of_models(name: str) -> None:
    """Every name that is accepted is one plain folder below the others."""
    if is_repository(name):
        folder = (Path("/models") / id_of(name)).resolve()
        assert folder.parent == Path("/models").resolve()
        assert not folder.name.startswith(".")


def test_the_longest_name_has_an_id() -> None:
    """What may be typed may be kept."""
    assert len(id_of("a" * 42 + "/" + "b" * 96)) == MOST_LETTERS


def test_different_names_have_different_ids() -> None:
    """The hyphens that join owner and name occur in neither."""
    assert id_of("Some-One/Tiny.Model") == "some-one--tiny.model"
    assert id_of("a-b/c") != id_of("a/b-c")
