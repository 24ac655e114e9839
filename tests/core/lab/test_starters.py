"""What the starters are made of."""

from pathlib import Path

import msgspec
import pytest

from core.errors import UnknownModelError
from core.lab.corpus import GENERAL, SPARSE
from core.lab.starters import (
    END,
    LAB_BASES,
    STARTERS,
    base_spec,
    build_model,
    starter,
    train_tokenizer,
)
from core.models.catalog.catalog import load_models
from core.paths import RESOURCES

TEXTS = ["State the final answer: 12 + 7 =\n19", "Spell this word backward: sun\nnus"] * 20


@pytest.mark.parametrize("name", list(STARTERS))
def test_digits_stand_alone_and_any_text_survives(name: str) -> None:
    """Arithmetic sees digits, and no text is lost on the way through tokens."""
    tokenizer = train_tokenizer(starter(name), TEXTS)
    for text in ("1234567", "sun 12\n+7", "ünïcödé ✓ \t x", "= -3.5"):
        ids = tokenizer(text)["input_ids"]
        assert tokenizer.decode(ids) == text
    digits = tokenizer.convert_ids_to_tokens(tokenizer("1234567")["input_ids"])
    assert digits == list("1234567")
    assert tokenizer.eos_token == END


@pytest.mark.parametrize(
    ("name", "least", "most", "family"),
    [("spark", 1e6, 2e6, "llama"), ("ember", 5e6, 8e6, "qwen2")],
)
def test_sizes_and_families_are_as_promised(
    name: str, least: float, most: float, family: str
) -> None:
    """Two families, and sizes that any laptop holds."""
    model = build_model(starter(name), eos_id=0)
    assert least < sum(p.numel() for p in model.parameters()) < most
    assert model.config.model_type == family


def test_rows_of_every_weight_fit_the_blocks_of_quantisation() -> None:
    """Widths divide by 32, so that the models can be taken away as Q8_0."""
    for recipe in STARTERS.values():
        assert recipe.shape.hidden % 32 == 0
        assert recipe.shape.intermediate % 32 == 0


def test_an_unknown_starter_is_wrong_usage() -> None:
    """The message names those that there are."""
    with pytest.raises(UnknownModelError, match="spark, ember"):
        starter("sparc")


@pytest.mark.parametrize("name", list(LAB_BASES))
def test_a_base_of_the_lab_goes_on_from_another_model(name: str) -> None:
    """Of the same size and family, and at lower rates, or it would forget what it knows."""
    base = starter(name)
    parent = starter(base.parent)
    assert base.id == name
    assert (base.family, base.shape) == (parent.family, parent.shape)
    assert base.library != parent.library
    assert base.rate < parent.rate
    assert base.matrix_rate < parent.matrix_rate


def test_the_sparse_base_goes_on_from_spark() -> None:
    """Which read the general world, and everything else came from nothing."""
    assert (LAB_BASES["spark-sparse"].parent, LAB_BASES["spark-sparse"].library) == (
        ("spark", SPARSE)
    )
    assert {(one.parent, one.library == GENERAL) for one in STARTERS.values()} == {("", True)}


@pytest.mark.parametrize("name", list(LAB_BASES))
def test_a_base_is_described_like_the_starter_it_comes_from(name: str) -> None:
    """The same in all but what people read and its folder; or in the folder that was asked for."""
    like = load_models().get(name.split("-", maxsplit=1)[0])
    folder = RESOURCES / "models" / name
    spec = base_spec(name)
    assert "Not offered" in spec.sentence
    said = {"id": name, "title": name, "sentence": spec.sentence}
    assert spec == msgspec.structs.replace(like, folder=folder, **said)
    assert base_spec(name, Path("elsewhere")).folder == Path("elsewhere")


def test_a_starter_is_described_as_the_catalogue_does() -> None:
    """The lab can experiment on it as it is."""
    assert base_spec("ember") == load_models().get("ember")


def test_an_unknown_base_is_wrong_usage() -> None:
    """The message names the lab's own, too."""
    with pytest.raises(UnknownModelError, match=r"called spark-dense.*spark-sparse"):
        base_spec("spark-dense")
