"""``waggle doctor``."""

import json
import zipfile
from pathlib import Path

import pytest

from core.cli.main import main

AREAS = {"computer", "memory", "disk", "settings", "models", "sampling", "judge"}
NETWORK = {"local network", "door", "meeting points", "libtorrent", "redis"}
SENSES = {"battery", "idle", "load", "heat", "full screen", "programs"}
ALL = AREAS | NETWORK | SENSES


def test_a_sound_computer_is_found_sound(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Every area is told in words, and the protections around the judge by name."""
    assert main(["doctor", "--json", "--home", str(tmp_path)]) == 0
    findings = {f["area"]: f for f in json.loads(capsys.readouterr().out)}
    assert set(findings) == ALL
    assert {area for area, finding in findings.items() if finding["needed"]} == AREAS
    assert "cannot" in findings["judge"]["words"] or "Not to be had" in findings["judge"]["words"]


def test_broken_settings_are_a_finding(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The doctor goes on looking and exits with 1."""
    (tmp_path / "settings.toml").write_text("nonsense")
    assert main(["doctor", "--home", str(tmp_path)]) == 1
    lines = capsys.readouterr().out.splitlines()
    assert any(line.startswith("BAD  settings: ") for line in lines)
    assert any(line.startswith("ok   judge: ") for line in lines)
    assert any("meeting points: " in line for line in lines)


def test_a_hub_that_is_away_is_a_note(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A node practises without it, so the computer is sound."""
    (tmp_path / "settings.toml").write_text('[swarm]\nhubs = ["http://127.0.0.1:1"]\n')
    assert main(["doctor", "--home", str(tmp_path)]) == 0
    assert "note meeting point: http://127.0.0.1:1 does not answer" in capsys.readouterr().out


@pytest.mark.parametrize("as_json", [False, True])
def test_a_bundle_is_written_beside_the_findings(
    as_json: bool,  # noqa: FBT001 - both ways
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    """In words what is inside; with ``--json`` stdout stays JSON."""
    path = tmp_path / "help.zip"
    command = ["doctor", "--home", str(tmp_path / "home"), "--bundle", str(path)]
    assert main([*command, "--json"] if as_json else command) == 0
    told = capsys.readouterr().out
    with zipfile.ZipFile(path) as file:
        inside = json.loads(file.read("findings.json"))
    assert {one["area"] for one in inside} == ALL
    if as_json:
        assert len(json.loads(told)) == len(inside)
    else:
        assert f"{path} holds these findings" in told


def test_a_bundle_that_cannot_be_written_is_one_sentence(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """After all that was found."""
    command = ["doctor", "--home", str(tmp_path), "--bundle", str(tmp_path / "no" / "help.zip")]
    assert main(command) == 1
    assert "cannot be written" in capsys.readouterr().err
