"""``waggle lab scale``."""

import json
import subprocess
import sys

import pytest

from core.cli.main import main
from tests.commands import Typed

SMALL = ["lab", "scale", "simulate", "--rounds", "6", "--outage", "2"]


def test_a_simulation_prints_json(capsys: pytest.CaptureFixture[str]) -> None:
    """An entry for each size, with its plan."""
    assert main([*SMALL, "--nodes", "50", "200", "--hostile", "20", "--sites", "1", "--json"]) == 0
    small, large = json.loads(capsys.readouterr().out)
    assert (small["plan"]["nodes"], large["plan"]["nodes"]) == (50, 200)
    assert (small["admitted"], large["admitted"]) == (10, 40)
    assert 0 < large["honest_share"] < 1


def test_a_simulation_prints_a_table(capsys: pytest.CaptureFixture[str]) -> None:
    """With a sentence for every figure."""
    assert main([*SMALL, "--nodes", "50"]) == 0
    said = capsys.readouterr().out
    assert "what it says" in said
    assert "exchange rate" in said


def test_clients_print_json(capsys: pytest.CaptureFixture[str]) -> None:
    """Against a hub of the lab's own."""
    command = ["lab", "scale", "clients", "--clients", "4", "--period", "1", "--seconds", "2"]
    assert main([*command, "--json"]) == 0
    figures = json.loads(capsys.readouterr().out)
    assert figures["exchanges"] >= 4
    assert figures["failures"] == {}


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (["lab", "scale", "clients", "--front-ends", "2"], "Redis"),  # an SQLite file is for one
        ([*SMALL, "--hostile", "100"], "percentages"),
    ],
)
def test_what_cannot_be_is_wrong_usage(words: list[str], sentence: str, typed: Typed) -> None:
    """In a sentence."""
    told = typed(*words)
    assert told.code == 2
    assert sentence in told.err


def test_neither_way_loads_torch() -> None:
    """They start at once."""
    modules = "core.lab.scale.load_report, core.lab.scale.findings, core.cli.lab"
    code = f"import sys, {modules}; sys.exit('torch' in sys.modules)"
    subprocess.run([sys.executable, "-c", code], check=True)  # noqa: S603 - ourselves
