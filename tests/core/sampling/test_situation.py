"""What a choice of sampler depends on."""

from pathlib import Path

import pytest
import torch

from core.sampling.llama_library import llama_available
from core.sampling.situation import can_compete, situation
from tests.tiny_models import disturb_adapter, load_tiny_policy

with_llama = pytest.mark.skipif(not llama_available(), reason="llama.cpp is not installed")


@with_llama
@pytest.mark.parametrize(
    ("device", "offloads", "competes"),
    [("cpu", False, True), ("cuda", True, False), ("mps", False, False), ("mps", True, True)],
)
def test_llama_competes_where_it_can_compute(
    monkeypatch: pytest.MonkeyPatch, device: str, *, offloads: bool, competes: bool
) -> None:
    """On the processor, and on Apple's chips with a build for them; NVIDIA's cards are torch's."""
    monkeypatch.setattr("core.sampling.situation.llama_offloads", lambda: offloads)
    assert can_compete(torch.device(device)) is competes


def test_a_situation_stays_while_nothing_changes(tmp_path: Path) -> None:
    """Training does not ask for another trial; other threads or other weights do."""
    policy = load_tiny_policy(tmp_path / "llama")
    before = situation(policy, threads=1)
    disturb_adapter(policy)
    assert situation(policy, threads=1) == before
    assert situation(policy, threads=2) != before
    other = load_tiny_policy(tmp_path / "qwen2", "qwen2")
    assert situation(other, threads=1) != before
