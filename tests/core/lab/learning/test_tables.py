"""The tables tell what was learnt, arm by arm."""

import re
from dataclasses import replace

import msgspec
import pytest

from core.lab.learning.comparison import Arms, compare
from core.lab.learning.results import RunResult, by_arm
from core.lab.learning.tables import (
    as_practice_went_on,
    by_model,
    by_task,
    found_out,
    last_exam,
    learnt,
    seed_by_seed,
)
from tests.core.lab.learning.invented import invent, played

BASELINE = "8/0"


def two_arms(seeds: int = 3, models: tuple[str, ...] = ("spark",)) -> Arms:
    return by_arm(played(seeds, models), BASELINE)


def cells_of(table: str) -> list[list[str]]:
    """The rows below the heading, cell by cell."""
    return [line.strip("| ").split(" | ") for line in table.splitlines()[2:]]


def test_every_arm_has_a_row_with_intervals() -> None:
    """The baseline without a gain over itself."""
    text = learnt(compare(two_arms()))
    amount, gain = r"[\d,.]+ \[[\d,.]+, [\d,.]+\]", r"\+[\d.]+ % \[[-+\d.]+ %, [-+\d.]+ %\]"
    assert re.search(rf"^\| 8/0 \| 8/0 \| {amount} \| - \| {amount} \| - \|", text, re.MULTILINE)
    assert re.search(
        rf"^\| 4/4 \| 4/4 \| {amount} \| {gain} \| {amount} \| {gain} \|", text, re.MULTILINE
    )


def test_the_last_exam_tells_skill_from_form() -> None:
    """Each arm with its form forgiven and within eight tries, beside the baseline."""
    baseline, other = cells_of(last_exam(compare(two_arms(seeds=6))))
    assert (baseline[0], other[0]) == ("8/0", "4/4")
    assert baseline[2] == "-"
    assert all(other[column].startswith("+") for column in (2, 4, 6))


def test_the_exams_of_a_lone_arm_are_told_one_by_one() -> None:
    """With the gain since the one before, and how many answers show their work."""
    alone = by_arm([invent("8/0", seed) for seed in range(5)], BASELINE)
    _, exams, _, work = as_practice_went_on(alone)
    rows = cells_of(exams)
    assert [row[0] for row in rows] == ["0", "50", "100", "150", "200"]
    assert rows[0][2] == "-"
    assert all(row[2].startswith("+") for row in rows[1:])
    assert cells_of(work)[-1][:2] == ["bf", "13.0 %"]
    assert as_practice_went_on(two_arms()) == []


def test_every_run_of_a_node_alone_is_told() -> None:
    """Exam by exam, what was gained in standard errors, and what it cost; swarms are not."""
    _, text = seed_by_seed(two_arms(seeds=2))
    rows = cells_of(text)
    assert [row[:3] for row in rows[::2]] == [["8/0", "1", "3.0 %"], ["4/4", "1", "3.0 %"]]
    gain, error = rows[0][7].split(" ± ")
    assert float(error) == 2.0
    assert float(rows[0][8]) == pytest.approx(float(gain) / 2, abs=0.1)
    assert float(rows[0][10].rstrip(" %")) > float(rows[0][9].rstrip(" %"))
    assert seed_by_seed(two_arms(models=("spark", "spark"))) == []


def test_a_gain_that_cannot_be_wrong_is_told_without_standard_errors() -> None:
    """Where nothing was ever solved, there is nothing to divide by."""
    results = played(seeds=1, models=("spark",))
    for result in results:
        result.gain_errors[:] = 0.0
    assert all(row[8] == "-" for row in cells_of(seed_by_seed(by_arm(results, BASELINE))[1]))


def test_every_task_is_told_before_and_after() -> None:
    """With a dash for one of which the exam had no puzzle."""
    results = played()
    for result in results:
        result.scores_by_cell[:, :, 1] = float("nan")
    text = by_task(by_arm(results, BASELINE))
    assert "| task | before | 8/0 | 4/4 |" in text
    assert re.search(r"^\| bf \| [\d.]+ % \| [\d.]+ % \| [\d.]+ % \|$", text, re.MULTILINE)
    assert "| lcm | - | - | - |" in text


def test_nodes_that_had_no_head_start_are_told_by_themselves() -> None:
    """When half of them worked, seed by seed, and against the same nodes of the other arms."""
    arms = two_arms(seeds=2, models=("spark",) * 4)
    assert found_out(arms) == []
    led = {name: [with_ahead(one, int(name == "4/4")) for one in of] for name, of in arms.items()}
    for one in led["4/4"]:
        one.working[:], one.working[50:] = 0.0, 1.0
    for one in led["8/0"]:
        one.working[:] = 0.0
    *_, work = found_out(led)
    assert [row[1] for row in cells_of(work)] == ["never, never", "56, 56"]


def with_ahead(result: RunResult, ahead: int) -> RunResult:
    arm = msgspec.structs.replace(result.run.arm, ahead=ahead)
    return replace(result, run=msgspec.structs.replace(result.run, arm=arm))


def test_halves_of_a_mixed_swarm_are_told_apart() -> None:
    """A table for each model; none where there is one model only."""
    words = by_model(two_arms(models=("spark", "spark", "ember", "ember")))
    assert words[::2] == ["Only the nodes with ember:", "Only the nodes with spark:"]
    assert by_model(two_arms()) == []
