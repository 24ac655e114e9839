"""``waggle doctor``."""

import json
from pathlib import Path

import pytest

from core.cli.main import main


def test_a_sound_computer_is_found_sound(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Every area is told in words, and the protections around the judge by name."""
    assert main(["doctor", "--json", "--home", str(tmp_path)]) == 0
    findings = {f["area"]: f for f in json.loads(capsys.readouterr().out)}
    assert set(findings) == {
        "computer",
        "memory",
        "disk",
        "settings",
        "models",
        "sampling",
        "judge",
    }
    assert "cannot" in findings["judge"]["words"] or "Not to be had" in findings["judge"]["words"]


def test_broken_settings_are_a_finding(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The doctor goes on looking and exits with 1."""
    (tmp_path / "settings.toml").write_text("nonsense")
    assert main(["doctor", "--home", str(tmp_path)]) == 1
    lines = capsys.readouterr().out.splitlines()
    assert any(line.startswith("BAD  settings: ") for line in lines)
    assert any(line.startswith("ok   judge: ") for line in lines)
