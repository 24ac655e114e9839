"""Nothing is lost, and nothing is different, when a node is killed."""

from pathlib import Path

import pytest

from core.api.events import PhaseEntered, RoundFinished
from tests.waggle_process import rounds, rounds_on_record, waggle

JOIN = ("join", "--solo", "--model", "spark", "--seed", "3", "--threads", "1", "--json")


def test_a_killed_run_resumes_into_the_same_ledger(tmp_path: Path) -> None:
    """20 rounds at once, and 8 rounds, kill -9 in the middle of the 9th, and the rest: equal."""
    with waggle(tmp_path / "whole", *JOIN, "--rounds", "20") as process:
        assert len(rounds(process)) == 20
    with waggle(tmp_path / "cut", *JOIN, "--rounds", "20") as process:
        process.wait_for(PhaseEntered, lambda e: (e.round, e.phase) == (9, "learning"))
        process.kill()
    with waggle(tmp_path / "cut", *JOIN, "--rounds", "12") as process:
        assert [r.round for r in rounds(process)] == list(range(9, 21))
    assert len(rounds_on_record(tmp_path / "whole")) == 20
    assert rounds_on_record(tmp_path / "cut") == rounds_on_record(tmp_path / "whole")


def test_an_interrupt_finishes_the_round_and_exits_well(tmp_path: Path) -> None:
    """Ctrl-C ends after the running round, with its checkpoint and exit code 0."""
    with waggle(tmp_path, *JOIN) as process:
        process.wait_for(PhaseEntered, lambda e: (e.round, e.phase) == (2, "sampling"))
        process.interrupt()
        assert process.wait() == 0
    assert [r.round for r in rounds_on_record(tmp_path)] == [1, 2]


@pytest.mark.slow
def test_no_process_is_left_behind(tmp_path: Path) -> None:
    """A killed node takes its judge with it."""
    with waggle(tmp_path, *JOIN) as process:
        process.wait_for(RoundFinished)
        children = process.children()
        assert children
        process.kill()
        for child in children:
            child.wait(30)
