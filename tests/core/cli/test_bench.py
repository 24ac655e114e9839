"""``waggle bench``."""

import json
from pathlib import Path

import pytest
import torch

from core.bench import card_bench
from core.bench.card_report import CardCheck, CardReport
from core.cli.main import main
from tests.commands import Typed


def test_a_round_is_measured_for_people_and_for_programs(typed: Typed, tmp_path: Path) -> None:
    """The same figures as a table and as JSON, and the model stays as it was."""
    (tmp_path / "settings.toml").write_text("[practice]\nlocal_groups = 2\ngroup_size = 2\n")
    command = ("bench", "round", "--model", "spark", "--laps", "1")
    told = typed(*command, "--json")
    report = json.loads(told.out)
    assert (told.code, report["model"], report["laps"]) == (0, "spark", 1)
    assert report["figures"]["round"]["seconds"] > 0
    assert "sampling" in typed(*command).out


def test_an_unknown_subject_is_wrong_usage(capsys: pytest.CaptureFixture[str]) -> None:
    """The parser names what can be measured."""
    with pytest.raises(SystemExit) as ended:
        main(["bench", "mood"])
    assert ended.value.code == 2
    assert "sampler" in capsys.readouterr().err


@pytest.mark.parametrize("is_small", [True, False])
def test_a_card_is_measured_and_what_was_found_is_kept(
    typed: Typed, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, *, is_small: bool
) -> None:
    """As JSON and Markdown in the home; stand-in sizes prove nothing of a card, and are not."""
    check = CardCheck("float32", "gradient", 0.0, 0.1, passed=True)
    report = CardReport("cuda:0", "NVIDIA A", 1, "bfloat16", "", 0.0, 1.0, is_small, (check,))
    monkeypatch.setattr(card_bench, "bench_card", lambda *_, **__: report)
    told = typed("bench", "gpu", "--device", "cpu")
    assert told.code == 0
    assert "NVIDIA A" in told.out
    assert (tmp_path / "gpu-bench.json").exists() is not is_small
    assert (tmp_path / "gpu-bench.md").exists() is not is_small
    assert json.loads(typed("bench", "gpu", "--device", "cpu", "--json").out)["title"] == "NVIDIA A"


def test_without_a_card_that_is_said(typed: Typed, monkeypatch: pytest.MonkeyPatch) -> None:
    """With what can be done all the same."""
    monkeypatch.setattr("core.models.memory.compute.find_device", lambda _: torch.device("cpu"))
    told = typed("bench", "gpu")
    assert told.code == 1
    assert "no graphics card here" in told.err
    assert "--device cpu" in told.err


def test_an_unknown_device_is_wrong_usage(capsys: pytest.CaptureFixture[str]) -> None:
    """The parser names those that there are."""
    with pytest.raises(SystemExit) as ended:
        main(["bench", "gpu", "--device", "toaster"])
    assert ended.value.code == 2
    assert "cuda:N" in capsys.readouterr().err
