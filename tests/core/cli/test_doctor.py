"""``waggle doctor``."""

import json
import zipfile
from pathlib import Path

import pytest

from tests.commands import Typed

AREAS = {"computer", "memory", "disk", "settings", "models", "sampling", "judge"}
NETWORK = {"local network", "door", "meeting points", "libtorrent", "redis"}
SENSES = {"battery", "idle", "load", "heat", "full screen", "programs"}
ALL = AREAS | NETWORK | SENSES | {"graphics card"}


def test_a_sound_computer_is_found_sound(typed: Typed) -> None:
    """Every area is told in words, and the protections around the judge by name."""
    told = typed("doctor", "--json")
    assert told.code == 0
    findings = {f["area"]: f for f in json.loads(told.out)}
    assert set(findings) == ALL
    assert {area for area, finding in findings.items() if finding["needed"]} == AREAS
    assert "cannot" in findings["judge"]["words"] or "Not to be had" in findings["judge"]["words"]


def test_broken_settings_are_a_finding(typed: Typed, tmp_path: Path) -> None:
    """The doctor goes on looking and exits with 1."""
    (tmp_path / "settings.toml").write_text("nonsense")
    told = typed("doctor")
    assert told.code == 1
    for line in ("\nBAD  settings: ", "\nok   judge: ", "meeting points: "):
        assert line in f"\n{told.out}"


def test_a_hub_that_is_away_is_a_note(typed: Typed, tmp_path: Path) -> None:
    """A node practises without it, so the computer is sound."""
    (tmp_path / "settings.toml").write_text('[swarm]\nhubs = ["http://127.0.0.1:1"]\n')
    told = typed("doctor")
    assert told.code == 0
    assert "note meeting point: http://127.0.0.1:1 does not answer" in told.out


@pytest.mark.parametrize("as_json", [False, True])
def test_a_bundle_is_written_beside_the_findings(
    as_json: bool,  # noqa: FBT001 - both ways
    typed: Typed,
    tmp_path: Path,
) -> None:
    """In words what is inside; with ``--json`` stdout stays JSON."""
    path = tmp_path / "help.zip"
    told = typed("doctor", "--bundle", path, *(["--json"] if as_json else []))
    assert told.code == 0
    with zipfile.ZipFile(path) as file:
        inside = json.loads(file.read("findings.json"))
    assert {one["area"] for one in inside} == ALL
    if as_json:
        assert len(json.loads(told.out)) == len(inside)
    else:
        assert f"{path} holds these findings" in told.out


def test_a_bundle_that_cannot_be_written_is_one_sentence(typed: Typed, tmp_path: Path) -> None:
    """After all that was found."""
    told = typed("doctor", "--bundle", tmp_path / "no" / "help.zip")
    assert told.code == 1
    assert "cannot be written" in told.err
