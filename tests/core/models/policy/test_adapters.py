"""Adapters are loaded without what they do not need."""

import subprocess
import sys

import pytest

LOOK = """
import sys
import core.models.policy.loading, core.sampling.torch_sampler, core.training.learner
assert "peft" in sys.modules
assert "bitsandbytes" not in sys.modules
import core.models.export.export
assert "bitsandbytes" not in sys.modules
from core.models.catalog.catalog import load_models
core.models.policy.loading.load_policy(load_models().get("spark"), seed=1)
assert "bitsandbytes" not in sys.modules
import bitsandbytes
"""


def test_a_model_is_loaded_without_the_library_that_quantizes() -> None:
    """Importing it costs a second and 50 MB; who quantises weights can import it afterwards."""
    pytest.importorskip("bitsandbytes", exc_type=ImportError)
    subprocess.run([sys.executable, "-c", LOOK], check=True)  # noqa: S603 - our own program
