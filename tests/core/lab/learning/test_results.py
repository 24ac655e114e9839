"""Results come back from their folders as they were written, or not at all."""

from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory

import msgspec
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.errors import LabError
from core.lab.learning.plans import PLAN, ArmRun, Setting
from core.lab.learning.records import DONE, EXAMS, ROUNDS, WORKING, Record
from core.lab.learning.results import RunResult, by_arm, read_runs, with_model
from core.rollouts.types import TaskId
from tests.core.lab.learning.invented import invent, write

SMALL = Setting(("spark", "ember"), rounds=5, learning_rate=4e-5, exam_every=2, exam_puzzles=9)
PLAYED = invent("4/4", seed=7, setting=SMALL)


def test_a_run_comes_back_as_it_was_written(tmp_path: Path) -> None:
    """Every figure, in its round, node and task; exams also after the last round."""
    write(PLAYED, tmp_path)
    (read,) = read_runs(tmp_path, [PLAYED.run])
    assert read.tasks == PLAYED.tasks
    assert list(read.exam_rounds) == [0, 2, 4, 5]
    for name in ("rewards", "generated", "trained", "entropy"):
        np.testing.assert_allclose(getattr(read, name), getattr(PLAYED, name), rtol=1e-5)
    for name in ("scores", "forgiven", "pass_8", "drift", "unusual", "worked", "scores_by_cell"):
        np.testing.assert_allclose(getattr(read, name), getattr(PLAYED, name), rtol=1e-5)


def test_a_task_is_the_mean_of_its_cells() -> None:
    """Of those that the exam has puzzles of; without any it has no figure."""
    cells = tuple((TaskId(name), level) for name, level in (("bf", 1), ("bf", 3), ("lcm", 1)))
    scores = np.array([[[0.2, 0.4, np.nan]], [[np.nan, 0.4, 0.6]]])
    result = replace(PLAYED, cells=cells, scores_by_cell=scores)
    assert result.tasks == ("bf", "lcm")
    np.testing.assert_allclose(result.scores_by_task, [[[0.3, np.nan]], [[0.4, 0.6]]])


def test_a_lab_that_did_not_note_who_showed_their_work_can_be_read(tmp_path: Path) -> None:
    """Long runs were played before it did."""
    folder = write(invent("4/4"), tmp_path)
    rows = Record(folder / ROUNDS).read()
    for row in rows:
        del row[WORKING]
    Record(folder / ROUNDS).write(rows)
    (result,) = read_runs(tmp_path, [invent("4/4").run])
    assert np.isnan(result.working).all()


def test_an_unfinished_run_is_refused(tmp_path: Path) -> None:
    """In words that say how to go on."""
    (write(PLAYED, tmp_path) / DONE).unlink()
    with pytest.raises(LabError, match=r"not finished.*same command"):
        read_runs(tmp_path, [PLAYED.run])


def test_another_experiment_of_the_same_name_is_refused(tmp_path: Path) -> None:
    """Even where its tables look alike."""
    write(PLAYED, tmp_path)
    other = msgspec.structs.replace(SMALL, learning_rate=1e-4)
    with pytest.raises(LabError, match="another experiment"):
        read_runs(tmp_path, [ArmRun(other, PLAYED.run.arm, PLAYED.run.seed)])


@pytest.mark.parametrize("name", [PLAN, ROUNDS, EXAMS])
def test_a_file_that_is_gone_is_damage(tmp_path: Path, name: str) -> None:
    """The message names the file."""
    (write(PLAYED, tmp_path) / name).unlink()
    with pytest.raises(LabError, match=f"{name} is damaged"):
        read_runs(tmp_path, [PLAYED.run])


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("round,node", "round,knot"),
        ("reward,", "prize,"),
        ("\n1,1,", "\n1,0,"),
        ("\n2,0,spark,", "\n3,0,spark,"),
        ("\n1,0,spark,", "\n1,0,spark,nan,"),
        ("\n1,0,spark,", "\n1,0,spark,1e999,"),
        ("\n1,0,spark,", "\n1,0,spark,,"),
        ("\n1,0,spark,", "\n1,0,spark,many,"),
        ("\n1,0,spark,", "\n"),
    ],
)
def test_a_table_that_does_not_add_up_is_damage(tmp_path: Path, before: str, after: str) -> None:
    """Wrong columns, a row twice or gone, cells without a finite number."""
    path = write(PLAYED, tmp_path) / ROUNDS
    text = path.read_text("utf-8")
    assert before in text
    path.write_text(text.replace(before, after, 1), "utf-8")
    with pytest.raises(LabError, match="damaged"):
        read_runs(tmp_path, [PLAYED.run])


@given(st.data())
def test_no_damage_is_filled_up_with_guesses(data: st.DataObject) -> None:
    """Whatever happened to a table, there are all its figures or there is an error in words."""
    with TemporaryDirectory() as root:
        name = data.draw(st.sampled_from([ROUNDS, EXAMS]))
        path = write(PLAYED, Path(root)) / name
        text = path.read_bytes()
        start = data.draw(st.integers(0, len(text)))
        end = data.draw(st.integers(start, min(len(text), start + 40)))
        put = data.draw(st.binary(max_size=8))
        path.write_bytes(text[:start] + put + text[end:])
        try:
            (read,) = read_runs(Path(root), [PLAYED.run])
        except LabError:
            return
    assert read.rewards.shape == (5, 2)
    assert read.scores.shape == (4, 2)
    assert np.isfinite(read.rewards).all()
    assert np.isfinite(read.scores).all()


def test_arms_are_sorted_baseline_first_and_by_seed() -> None:
    """The others come as they were named."""
    results = [invent("4/4", 2), invent("2/6", 1), invent("4/4", 1), invent("8/0", 1)]
    results += [invent("8/0", 2), invent("2/6", 2)]
    arms = by_arm(results, "8/0")
    assert list(arms) == ["8/0", "4/4", "2/6"]
    assert all([one.run.seed for one in of] == [1, 2] for of in arms.values())


@pytest.mark.parametrize(
    "other", [invent("4/4", 2), invent("4/4", setting=SMALL)], ids=["seed", "shape"]
)
def test_arms_that_cannot_be_paired_are_refused(other: RunResult) -> None:
    """Other seeds, other numbers of rounds or nodes."""
    with pytest.raises(LabError, match="same seeds"):
        by_arm([invent("8/0", 1), other], "8/0")


def test_a_baseline_that_was_not_played_is_refused() -> None:
    """By name."""
    with pytest.raises(LabError, match="no arm 8/0"):
        by_arm([invent("4/4")], "8/0")


def test_one_half_of_a_mixed_swarm_is_told_apart() -> None:
    """Its nodes' figures and nobody else's."""
    half = with_model(PLAYED, "ember")
    assert half.run.setting.models == ("ember",)
    np.testing.assert_array_equal(half.rewards, PLAYED.rewards[:, 1:])
    np.testing.assert_array_equal(half.scores_by_cell, PLAYED.scores_by_cell[:, 1:])
    assert half.tasks == PLAYED.tasks
