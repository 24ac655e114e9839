"""How a configuration says that positions are told apart."""

import msgspec
import pytest

from core.models.catalog.rope import RotationFields, read_rotation, rotation_obstacle

LLAMA3: dict[str, object] = {
    "rope_type": "llama3",
    "rope_theta": 500_000.0,
    "factor": 32.0,
    "low_freq_factor": 1.0,
    "high_freq_factor": 4.0,
    "original_max_position_embeddings": 8192,
}
BARE = {
    n: v for n, v in LLAMA3.items() if n not in ("rope_theta", "original_max_position_embeddings")
}


def fields(**said: object) -> RotationFields:
    return msgspec.convert(said, RotationFields)


@pytest.mark.parametrize(
    ("said", "rotation"),
    [
        ({}, {"rope_type": "default", "rope_theta": 10_000.0}),
        ({"rope_theta": 1_000_000}, {"rope_type": "default", "rope_theta": 1e6}),
        ({"rope_scaling": {"rope_type": "default"}}, {"rope_type": "default", "rope_theta": 1e4}),
        ({"rope_parameters": LLAMA3, "partial_rotary_factor": 1.0}, LLAMA3),
        (
            {"rope_theta": 3e5, "rope_scaling": {"type": "linear", "factor": 2}},
            {"rope_type": "linear", "rope_theta": 3e5, "factor": 2.0},
        ),
        (
            {"rope_theta": 5e5, "rope_scaling": BARE, "rope_parameters": {"rope_theta": 7.0}},
            LLAMA3 | {"original_max_position_embeddings": 512},
        ),
        (
            {"rope_theta": 5e5, "rope_scaling": BARE, "original_max_position_embeddings": 64},
            LLAMA3 | {"original_max_position_embeddings": 64},
        ),
    ],
)
def test_old_and_new_words_are_understood(
    said: dict[str, object], rotation: dict[str, object]
) -> None:
    """As transformers does: the older place first, and the context for what is left unsaid."""
    assert rotation_obstacle(fields(**said)) is None
    assert read_rotation(fields(**said)).described(512) == rotation


@pytest.mark.parametrize(
    "said",
    [
        {"rope_scaling": {"type": "dynamic", "factor": 2.0}},
        {"rope_scaling": {"rope_type": "yarn", "factor": 2.0}},
        {"rope_parameters": {"rope_type": "longrope"}},
        {"rope_scaling": {"rope_type": ["linear"]}},
        {"partial_rotary_factor": 0.5},
    ],
    ids=repr,
)
def test_what_is_not_computed_here_is_refused(said: dict[str, object]) -> None:
    """Rotations that change with the length of a text, or leave a part of a head alone."""
    assert "in another way than those supported" in (rotation_obstacle(fields(**said)) or "")


@pytest.mark.parametrize(
    "said",
    [
        {"rope_scaling": {"type": "linear"}},
        {"rope_scaling": {"type": "linear", "factor": 0}},
        {"rope_scaling": {"type": "linear", "factor": 2, "more": 1}},
        {"rope_parameters": {"full_attention": {"rope_theta": 1e6}}},
        {"rope_parameters": LLAMA3 | {"partial_rotary_factor": 0.5}},
        {"rope_parameters": LLAMA3 | {"low_freq_factor": None}},
        {"rope_parameters": LLAMA3 | {"high_freq_factor": 1.0}},
        {"rope_parameters": LLAMA3 | {"rope_theta": "many"}},
    ],
    ids=repr,
)
def test_what_is_not_understood_is_refused(said: dict[str, object]) -> None:
    """Too little, too much, out of bounds: what would be left over is another network."""
    assert "not described in full" in (rotation_obstacle(fields(**said)) or "")
