"""On what the choice of a sampler rests."""

from pathlib import Path

from core.sampling.situation import processor_name, situation
from tests.tiny_models import disturb_adapter, load_tiny_policy


def test_a_situation_stays_while_nothing_changes(tmp_path: Path) -> None:
    """Training does not ask for another trial; other threads or other weights do."""
    policy = load_tiny_policy(tmp_path / "llama")
    before = situation(policy, threads=1)
    disturb_adapter(policy)
    assert situation(policy, threads=1) == before
    assert situation(policy, threads=2) != before
    other = load_tiny_policy(tmp_path / "qwen2", "qwen2")
    assert situation(other, threads=1) != before


def test_the_processor_is_found_by_its_name(tmp_path: Path) -> None:
    """Linux tells it once for every core."""
    info = tmp_path / "cpuinfo"
    info.write_text("processor : 0\nmodel name\t: Abacus 3000\n\nmodel name\t: Abacus 3000\n")
    assert processor_name(info) == "Abacus 3000"
