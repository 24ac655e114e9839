"""What holds for every test: no screen, no model hub, one thread, never the person's own data."""

import os
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st

from core.i18n import Remark

# Set before anything imports Qt, torch or transformers: they read these only once.
os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
os.environ.setdefault("OMP_NUM_THREADS", "1")
os.environ["HF_HUB_OFFLINE"] = "1"

# On a busy machine a correct program is slow, too: how long an example takes is no claim. And what
# fails on one machine has to fail on every other.
settings.register_profile(
    "patient", deadline=None, derandomize=True, suppress_health_check=[HealthCheck.too_slow]
)
settings.load_profile("patient")

# Remarks within remarks, as their type allows, would be most of what Hypothesis makes of a message.
st.register_type_strategy(Remark, st.sampled_from((Remark("Round {}."), Remark("{}", ("x",)))))


@pytest.fixture(autouse=True)
def own_home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Keep whatever falls back to the default data folder inside the test's own folder."""
    home = tmp_path / "waggle-home"
    monkeypatch.setenv("WAGGLE_HOME", str(home))
    return home
