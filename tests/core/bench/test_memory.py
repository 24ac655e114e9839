"""The most memory held so far."""

import pytest
import torch

from core.bench.memory import device_peak_mb, finish, peak_mb


def test_the_peak_grows_with_what_is_held_and_stays() -> None:
    """100 MB that are written to and let go count for good, but for what the system rounds."""
    before = peak_mb()
    held = bytearray(b"x") * 100_000_000
    with_it = peak_mb()
    del held
    assert with_it > before or before > 200  # an earlier test may have held more
    assert peak_mb() > with_it - 5


def test_a_card_is_asked_through_torch(monkeypatch: pytest.MonkeyPatch) -> None:
    """NVIDIA's tells its peak; Apple's only what it has given now. Both are waited for."""
    monkeypatch.setattr("torch.cuda.max_memory_reserved", lambda _: 3_000_000)
    monkeypatch.setattr("torch.mps.driver_allocated_memory", lambda: 5_000_000)
    waited: list[str] = []
    monkeypatch.setattr("torch.cuda.synchronize", lambda _: waited.append("cuda"))
    monkeypatch.setattr("torch.mps.synchronize", lambda: waited.append("mps"))
    devices = [torch.device(name) for name in ("cuda:0", "mps", "cpu")]
    assert [device_peak_mb(device) for device in devices[:2]] == [3.0, 5.0]
    for device in devices:
        finish(device)
    assert waited == ["cuda", "mps"]
