"""What can go wrong on a person's computer: one clear sentence each, and nothing lost."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from core.api.events import Failed, RoundFinished, Started
from tests.small_disk import fill, small_disk
from tests.waggle_process import ROOT, rounds, waggle

JOIN = ("join", "--solo", "--model", "spark", "--seed", "3", "--threads", "1", "--json")


@pytest.mark.slow
@pytest.mark.skipif(sys.platform != "linux", reason="mounts a tmpfs")
def test_a_full_disk_is_explained_and_costs_one_round(tmp_path: Path) -> None:
    """The node stops with the reason; with space again it goes on from its last round."""
    home = tmp_path / "disk"
    ballast = home / "holiday-film"
    with small_disk(home, 16):
        with waggle(home, *JOIN) as process:
            process.wait_for(RoundFinished)
            fill(ballast)
            safe = 1
            for event in process.events():
                if isinstance(event, RoundFinished):
                    safe = event.round
                if isinstance(event, Failed):
                    assert event.fatal
                    assert "is full" in event.words
            assert process.wait() == 1
        ballast.unlink()
        with waggle(home, *JOIN, "--rounds", "1") as process:
            assert process.wait_for(Started).round == safe
            assert [r.round for r in rounds(process)] == [safe + 1]


def test_a_second_instance_is_refused_and_the_first_goes_on(tmp_path: Path) -> None:
    """Two nodes on one home would overwrite each other."""
    with waggle(tmp_path, *JOIN) as first:
        first.wait_for(RoundFinished)
        with waggle(tmp_path, *JOIN) as second:
            assert "already running" in second.wait_for(Failed).words
            assert second.wait() == 1
        first.wait_for(RoundFinished)


def test_another_release_of_the_puzzles_is_refused(tmp_path: Path) -> None:
    """The release is part of the protocol: other puzzles would be judged by other keys."""
    fake = tmp_path / "site" / "reasoning_gym-0.1.24.dist-info"
    fake.mkdir(parents=True)
    (fake / "METADATA").write_text("Metadata-Version: 2.1\nName: reasoning-gym\nVersion: 0.1.24\n")
    done = subprocess.run(  # noqa: S603 - our own command
        [sys.executable, "-m", "core.cli.main", *JOIN, "--home", str(tmp_path / "home")],
        cwd=ROOT,
        env={**os.environ, "PYTHONPATH": str(tmp_path / "site")},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 1
    assert "0.1.24" in done.stderr
    assert done.stderr.count("\n") == 1


@pytest.mark.slow
def test_a_damaged_checkpoint_costs_one_round(tmp_path: Path) -> None:
    """With the newest file full of garbage, the one before it is taken."""
    with waggle(tmp_path, *JOIN, "--rounds", "3") as process:
        assert len(rounds(process)) == 3
    newest = max((tmp_path / "checkpoints" / "spark").iterdir())
    newest.write_bytes(os.urandom(1_000))
    with waggle(tmp_path, *JOIN, "--rounds", "1") as process:
        assert process.wait_for(Started).round == 2
        assert [r.round for r in rounds(process)] == [3]
