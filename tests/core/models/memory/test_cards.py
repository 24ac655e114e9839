"""The cards of this computer."""

import os
from pathlib import Path

import pytest

from core.models.memory import cards
from core.models.memory.cards import nvidia_names, trained_card, usable_cards
from core.models.memory.machine import wished_device
from core.paths import Home

posix_only = pytest.mark.skipif(os.name == "nt", reason="a tool made of a shell script")


@pytest.fixture
def driver(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A driver's tool of our own, alone on the path, that knows two cards."""
    tool = tmp_path / "nvidia-smi"
    tool.write_text("#!/bin/sh\necho '0, GPU-8f3a-1, NVIDIA A'\necho '1, GPU-77bc-2, NVIDIA B'\n")
    tool.chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.delenv("CUDA_VISIBLE_DEVICES", raising=False)
    return tool


@posix_only
@pytest.mark.parametrize(
    ("visible", "names"),
    [
        (None, ["NVIDIA A", "NVIDIA B"]),
        ("1,0", ["NVIDIA B", "NVIDIA A"]),
        ("GPU-77", ["NVIDIA B"]),
        ("0,7", ["NVIDIA A"]),
        ("", []),
    ],
)
def test_cards_are_counted_as_torch_counts_them(
    driver: Path, monkeypatch: pytest.MonkeyPatch, visible: str | None, names: list[str]
) -> None:
    """Only those that may be seen, in the order of CUDA_VISIBLE_DEVICES."""
    assert driver.exists()
    if visible is not None:
        monkeypatch.setenv("CUDA_VISIBLE_DEVICES", visible)
    assert nvidia_names() == names


@posix_only
@pytest.mark.parametrize("script", ["exit 9", "echo", "echo unknown"])
def test_a_driver_that_does_not_tell_has_no_cards(driver: Path, script: str) -> None:
    """Its errors are no errors of ours."""
    driver.write_text(f"#!/bin/sh\n{script}\n")
    assert nvidia_names() == []


@posix_only
@pytest.mark.parametrize("speaks", [True, False])
def test_a_card_that_torch_cannot_use_is_not_offered(
    driver: Path, monkeypatch: pytest.MonkeyPatch, *, speaks: bool
) -> None:
    """A build for processors trains there, beside the best card."""
    assert driver.exists()
    monkeypatch.setattr("sys.platform", "linux")
    monkeypatch.setattr(cards, "torch_speaks_cuda", lambda: speaks)
    assert usable_cards() == ({"cuda:0": "NVIDIA A", "cuda:1": "NVIDIA B"} if speaks else {})


def test_apple_chips_are_one_card(monkeypatch: pytest.MonkeyPatch) -> None:
    """They need no driver to be asked."""
    monkeypatch.setattr("sys.platform", "darwin")
    monkeypatch.setattr("platform.machine", lambda: "arm64")
    assert usable_cards() == {"mps": "Apple"}


@pytest.mark.parametrize(
    ("device", "card"), [("auto", "3"), ("cuda:1", "GPU-7"), ("cuda:2", None), ("cpu", None)]
)
def test_the_card_that_trains_has_the_drivers_name(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, device: str, card: str | None
) -> None:
    """As the settings choose among those that may be seen."""
    monkeypatch.setenv("CUDA_VISIBLE_DEVICES", "3,GPU-7")
    (tmp_path / "settings.toml").write_text(f'[compute]\ndevice = "{device}"\n')
    assert trained_card(wished_device(Home(tmp_path))) == card
