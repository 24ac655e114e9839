"""``waggle join``, in this process; ``end_to_end`` runs it as a program."""

import json
from pathlib import Path

import pytest

from core.cli.main import main


def test_json_is_all_that_stdout_gets(
    tmp_path: Path, capsysbinary: pytest.CaptureFixture[bytes]
) -> None:
    """Every line is an event; the round's has the promised figures."""
    command = ["join", "--solo", "--model", "spark", "--rounds", "1", "--seed", "1", "--json"]
    assert main([*command, "--threads", "1", "--home", str(tmp_path)]) == 0
    events = [json.loads(line) for line in capsysbinary.readouterr().out.splitlines()]
    (played,) = [event for event in events if event["type"] == "round_finished"]
    assert {"score", "swarm_score", "useful_local", "tokens", "train_s"} <= set(played)
    assert events[-1] == {"type": "stopped", "round": 1}


def test_another_seed_than_before_is_wrong_usage(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """A home keeps its seed; the sentence says how to go on."""
    command = ["join", "--solo", "--rounds", "1", "--threads", "1", "--home", str(tmp_path)]
    assert main([*command, "--seed", "1"]) == 0
    assert main([*command, "--seed", "2"]) == 2
    assert "seed 1, not 2" in capsys.readouterr().err
