"""Which release this is."""

import tomllib
from pathlib import Path

import pytest

from core.cli.main import main
from core.updates.releases import parse_version
from core.version import VERSION

ROOT = Path(__file__).resolve().parents[2]


def test_the_project_and_the_program_agree() -> None:
    """The number is written down in two places."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    assert project["version"] == VERSION


def test_a_release_can_be_compared_with_others() -> None:
    """Three numbers, or updates would never be newer."""
    assert parse_version(VERSION) is not None


def test_the_command_line_says_it(capsys: pytest.CaptureFixture[str]) -> None:
    """An update is asked this before it is put in place."""
    with pytest.raises(SystemExit) as ended:
        main(["--version"])
    assert ended.value.code == 0
    assert capsys.readouterr().out == f"waggle {VERSION}\n"
