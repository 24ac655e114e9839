import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from core.errors import ModelError, UnknownModelError
from core.models.catalog.catalog import CATALOGUE, MOST_LETTERS, id_of, is_repository, load_models

ROOT = Path(__file__).parents[4]


def test_shipped_catalogue_offers_the_starter_models_smallest_first() -> None:
    """Both starter models are there, of different families, in the order of their size."""
    models = load_models().models
    assert [spec.id for spec in models][:2] == ["spark", "ember"]
    assert {spec.family for spec in models[:2]} == {"llama", "qwen2"}
    assert [spec.parameters for spec in models] == sorted(spec.parameters for spec in models)


def test_folders_lie_beside_the_catalogue() -> None:
    """A model's folder is found wherever the program lies."""
    assert load_models().get("spark").folder == CATALOGUE.parent / "models" / "spark"


def test_a_prompt_leaves_room_for_a_whole_completion() -> None:
    """The longest prompt and the longest completion fill the context exactly."""
    for spec in load_models().models:
        assert spec.prompt_tokens + spec.completion_tokens == spec.context


def test_a_misspelt_model_is_suggested() -> None:
    """A name that is nearly right gets the right one as an answer."""
    with pytest.raises(UnknownModelError, match="Did you mean spark"):
        load_models().get("sparc")


def test_a_strange_model_gets_the_list() -> None:
    """A name like no other gets all names, and counts as wrong usage."""
    with pytest.raises(UnknownModelError, match="spark, ember") as caught:
        load_models().get("xyzzy")
    assert caught.value.exit_code == 2


@pytest.mark.parametrize("content", [b"\xff", b"models = 3", b"[[models]]\nid = 'x'", b"[["])
def test_a_damaged_catalogue_is_explained(tmp_path: Path, content: bytes) -> None:
    """Whatever is wrong with the file, the message names it and says what to do."""
    path = tmp_path / "models.toml"
    path.write_bytes(content)
    with pytest.raises(ModelError, match=r"models\.toml cannot be read .* Install Waggle again"):
        load_models(path)


def test_a_missing_catalogue_is_explained(tmp_path: Path) -> None:
    """No file at all is explained like a damaged one."""
    with pytest.raises(ModelError, match="cannot be read"):
        load_models(tmp_path / "models.toml")


def test_listing_models_loads_no_torch() -> None:
    """The window and the command line list models without waiting for torch."""
    code = (
        "import sys; from core.models.catalog.catalog import load_models; load_models();"
        "sys.exit(any(m in sys.modules for m in ('torch', 'transformers', 'peft', 'tokenizers')))"
    )
    assert subprocess.call([sys.executable, "-c", code], cwd=ROOT) == 0  # noqa: S603 - lines above


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


OWNERS = st.from_regex(r"\A[aB9](?:[aB9_-]{0,4}[aB9])?\Z")
NAMES = st.from_regex(r"\A[aB9](?:[aB9_.-]{0,4}[aB9])?\Z")


@given(st.builds("{}/{}".format, OWNERS, NAMES))
@settings(deadline=None)
def test_no_name_leaves_the_folder_of_models(name: str) -> None:
    """Every name that is accepted is one plain folder below the others."""
    assume(is_repository(name))
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
