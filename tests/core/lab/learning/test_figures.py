"""The pictures are drawn from whatever the lab may have played."""

from dataclasses import replace
from pathlib import Path

import msgspec
import numpy as np
import pytest

from core.lab.learning.figures import draw_all
from core.lab.learning.results import by_arm
from tests.core.lab.learning.invented import SETTING, invent

NAMES = ["practice.png", "exam.png", "inside.png", "tasks.png"]

pytest.importorskip("matplotlib")


def test_an_experiment_has_four_pictures(tmp_path: Path) -> None:
    """PNGs with something on them, and nothing else is left in the folder."""
    results = [invent(name, seed) for name in ("8/0", "4/4") for seed in (1, 2)]
    paths = draw_all(by_arm(results, "8/0"), tmp_path)
    assert [path.name for path in paths] == NAMES
    assert sorted(tmp_path.iterdir()) == sorted(paths)
    assert all(path.read_bytes().startswith(b"\x89PNG") for path in paths)
    assert all(path.stat().st_size > 10_000 for path in paths)


def test_the_least_that_can_be_played_is_drawn(tmp_path: Path) -> None:
    """One arm, one seed, one round, nothing earned, and a task without puzzles in the exam."""
    result = invent("8/0", setting=msgspec.structs.replace(SETTING, rounds=1))
    result = replace(
        result, rewards=0 * result.rewards, scores=0 * result.scores, drift=0 * result.drift
    )
    result.scores_by_cell[:, :, 1] = np.nan
    assert len(draw_all({"8/0": [result]}, tmp_path)) == 4


def test_where_there_are_levels_there_is_a_map_of_them(tmp_path: Path) -> None:
    """Also where the exam has no puzzle of some cell, and where there are many exams."""
    result = invent("8/0", setting=msgspec.structs.replace(SETTING, exam_every=20))
    result = replace(result, cells=tuple((task, 2) for task, _ in result.cells))
    result.scores_by_cell[:, :, 1] = np.nan
    assert [path.name for path in draw_all({"8/0": [result]}, tmp_path)] == [*NAMES, "skills.png"]


def test_where_some_had_a_head_start_it_is_drawn_what_the_others_found_out(
    tmp_path: Path,
) -> None:
    """One picture more."""
    arm = msgspec.structs.replace(invent("4/4").run.arm, ahead=1)
    led = invent("4/4")
    results = [invent("8/0"), replace(led, run=msgspec.structs.replace(led.run, arm=arm))]
    assert "working.png" in [path.name for path in draw_all(by_arm(results, "8/0"), tmp_path)]
