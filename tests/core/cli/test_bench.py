"""``waggle bench``."""

import json
from pathlib import Path

import pytest

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
