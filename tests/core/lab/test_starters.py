"""What the starters are made of."""

import pytest

from core.errors import UnknownModelError
from core.lab.starters import END, STARTERS, build_model, starter, train_tokenizer

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
    [("spark", 1.5e6, 3e6, "llama"), ("ember", 3e6, 5e6, "qwen2")],
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
