"""What a configuration says about a model."""

import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import asdict

from core.errors import ModelError
from core.models.catalog.catalog import ModelSpec, load_models
from core.models.catalog.shapes import Shape, count_parameters, read_architecture

LLAMA: dict[str, object] = {
    "model_type": "llama",
    "hidden_size": 64,
    "num_hidden_layers": 2,
    "num_attention_heads": 4,
    "num_key_value_heads": 2,
    "intermediate_size": 96,
    "vocab_size": 320,
    "max_position_embeddings": 512,
    "tie_word_embeddings": True,
}


def encoded(**changes: object) -> bytes:
    return json.dumps(LLAMA | changes).encode()


def test_a_configuration_is_read() -> None:
    """Sizes, family and context; a head's width follows from the others unless it is given."""
    architecture = read_architecture(encoded(), "tiny")
    assert (architecture.family, architecture.context) == ("llama", 512)
    assert asdict(architecture.shape) == {
        "layers": 2,
        "hidden": 64,
        "heads": 4,
        "kv_heads": 2,
        "head_dim": 16,
        "intermediate": 96,
        "vocabulary": 320,
        "tied": True,
    }
    assert read_architecture(encoded(head_dim=32), "tiny").shape.head_dim == 32
    assert read_architecture(encoded(head_dim=None), "tiny").shape.head_dim == 16
    assert read_architecture(encoded(num_key_value_heads=None), "tiny").shape.kv_heads == 4


@pytest.mark.parametrize("spec", load_models().models, ids=lambda spec: spec.id)
def test_parameters_follow_from_the_shape(spec: ModelSpec) -> None:
    """What the catalogue states is what its shape adds up to, to the last one."""
    assert count_parameters(spec.family, spec.shape) == spec.parameters


def test_an_untied_head_counts() -> None:
    """A head of its own is another matrix as large as the embeddings."""
    tied = read_architecture(encoded(), "tiny")
    untied = read_architecture(encoded(tie_word_embeddings=False), "tiny")
    assert untied.parameters - tied.parameters == 320 * 64


def test_an_adapter_is_counted() -> None:
    """Rank 16 on all linear layers of Qwen2.5 0.5B is 8.8 million parameters."""
    assert load_models().get("qwen2.5-0.5b").shape.adapter(16) == 8_798_208


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"model_type": "gpt2"}, "architecture 'gpt2', and only these .* llama, qwen2, qwen3"),
        ({"model_type": "x" * 5000}, "architecture 'x{40}'"),
        ({"model_type": 3}, "names no architecture"),
        ({"quantization_config": {"bits": 4}}, "quantised"),
        ({"use_sliding_window": True}, "sliding window"),
        ({"attention_bias": True}, "not supported"),
        ({"hidden_act": "gelu"}, "not supported"),
        ({"num_attention_heads": 5}, "do not divide"),
        ({"hidden_size": 66, "head_dim": 16}, "do not divide"),
        ({"head_dim": 15}, "do not divide"),
        ({"num_hidden_layers": 513}, "damaged"),
        ({"num_attention_heads": 1025}, "damaged"),
        ({"hidden_size": 262_145}, "damaged"),
        ({"intermediate_size": 262_145}, "damaged"),
        ({"vocab_size": 1_000_001}, "damaged"),
        ({"rms_norm_eps": 0}, "damaged"),
        ({"layer_types": ["full_attention", "sliding_attention"]}, "sliding window"),
        ({"rope_scaling": {"type": "dynamic", "factor": 2.0}}, "counts positions in another way"),
        ({"hidden_size": -1}, "damaged"),
        ({"num_hidden_layers": 10**12}, "damaged"),
        ({"vocab_size": "many"}, "damaged"),
    ],
)
def test_what_cannot_be_trained_is_refused_in_a_sentence(
    changes: dict[str, object], words: str
) -> None:
    """The message says why, and what to do."""
    with pytest.raises(ModelError, match=words) as caught:
        read_architecture(encoded(**changes), "tiny")
    assert "Choose another one." in str(caught.value)
    assert len(str(caught.value)) < 300


@pytest.mark.parametrize(
    ("family", "kv_heads", "head_dim"), [("llama", 64, 16), ("qwen2", 32, 16), ("qwen3", 32, 128)]
)
def test_what_a_family_leaves_unsaid(family: str, kv_heads: int, head_dim: int) -> None:
    """The defaults are those of transformers for each family."""
    said = {name: value for name, value in LLAMA.items() if name != "num_key_value_heads"}
    said |= {"model_type": family, "num_attention_heads": 64, "hidden_size": 1024}
    shape = read_architecture(json.dumps(said).encode(), "tiny").shape
    assert (shape.kv_heads, shape.head_dim) == (kv_heads, head_dim)


VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner),
    max_leaves=5,
)
FIELDS = (*LLAMA, "head_dim", "rope_scaling", "rope_parameters", "rope_theta", "layer_types")


@given(st.dictionaries(st.sampled_from(FIELDS), VALUES, max_size=4))
@settings(max_examples=4 * settings().max_examples, deadline=None)
def test_whatever_a_field_holds_is_understood_or_refused(changes: dict[str, object]) -> None:
    """And what is understood is small and plain, so that transformers can have it."""
    try:
        architecture = read_architecture(encoded(**changes), "tiny")
    except ModelError:
        return
    configuration = architecture.configuration()
    assert configuration["num_hidden_layers"] <= 512
    assert len(json.dumps(configuration)) < 1000


@given(st.binary(max_size=200) | st.text(max_size=50).map(str.encode))
def test_any_bytes_are_read_or_refused(config: bytes) -> None:
    """A configuration of a stranger is an architecture or one error."""
    try:
        read_architecture(config, "tiny")
    except ModelError:
        return
    raise AssertionError(config)


def test_widths_follow_from_the_heads() -> None:
    """Queries and keys may be wider together than the hidden state, as in Qwen3."""
    shape = Shape(
        layers=1, hidden=8, heads=4, kv_heads=2, head_dim=4, intermediate=16, vocabulary=10,
        tied=True,
    )  # fmt: skip
    assert (shape.queries, shape.keys) == (16, 8)
    assert shape.layer_matrices == 8 * 16 * 2 + 8 * 8 * 2 + 3 * 8 * 16
