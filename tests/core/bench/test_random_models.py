"""Models of random weights."""

from pathlib import Path

import msgspec

from core.bench.random_models import build_random_model, narrow
from core.models.catalog.catalog import load_models
from core.models.policy.loading import load_policy


def test_a_narrow_model_is_one_of_its_family(tmp_path: Path) -> None:
    """It loads, and counts as large: the code of large models is what is to be tried."""
    spec = msgspec.structs.replace(
        narrow(load_models().get("qwen2.5-0.5b")), folder=tmp_path, chat=False
    )
    build_random_model(spec)
    policy = load_policy(spec, seed=0)
    assert policy.causal_lm.config.num_hidden_layers == spec.shape.layers == 2
    assert not spec.is_small
