"""A policy to train."""

from pathlib import Path

import pytest

from core.models.policy.policy import Policy
from tests.tiny_models import FAMILIES, disturb_adapter, load_tiny_policy


@pytest.fixture(params=FAMILIES)
def policy(request: pytest.FixtureRequest, tmp_path: Path) -> Policy:
    """A tiny policy of each family whose adapter matters."""
    policy = load_tiny_policy(tmp_path, request.param)
    disturb_adapter(policy)
    return policy
