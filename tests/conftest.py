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
EXAMPLES = {"quick": 25, "whole": 100}  # of what Hypothesis makes up, in the suite and its whole
for _name, _examples in EXAMPLES.items():
    settings.register_profile(
        _name,
        deadline=None,
        derandomize=True,
        max_examples=_examples,
        suppress_health_check=[HealthCheck.too_slow],
    )

# Remarks within remarks, as their type allows, would be most of what Hypothesis makes of a message.
st.register_type_strategy(Remark, st.sampled_from((Remark("Round {}."), Remark("{}", ("x",)))))


def pytest_configure(config: pytest.Config) -> None:
    """Look closer where slow tests run as well: ``python3 dev.py test --all``."""
    settings.load_profile("quick" if "not slow" in config.option.markexpr else "whole")


@pytest.fixture(autouse=True)
def own_home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Keep whatever falls back to the default data folder inside the test's own folder."""
    home = tmp_path / "waggle-home"
    monkeypatch.setenv("WAGGLE_HOME", str(home))
    return home
