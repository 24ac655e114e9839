"""The page tells what was played, what came out, and how sure it is."""

import re
from collections.abc import Sequence
from dataclasses import replace
from pathlib import PurePath

import msgspec
import pytest

from core.lab.learning.comparison import compare
from core.lab.learning.results import RunResult, by_arm
from core.lab.learning.summary import About, write
from tests.core.lab.learning.invented import SETTING, played

ABOUT = About(
    title="The paper's table",
    command="waggle lab table --out results --seeds 3",
    machine="2 cores, Linux",
    seconds=3 * 3600,
    baseline="8/0",
)


def page(results: Sequence[RunResult], pictures: Sequence[str] = ()) -> str:
    return told(results, ABOUT, pictures)


def told(results: Sequence[RunResult], about: About, pictures: Sequence[str] = ()) -> str:
    arms = by_arm(results, about.baseline)
    beside = [PurePath("somewhere", name) for name in pictures]
    return write(arms, compare(arms), about, beside)


def test_the_page_tells_what_was_played() -> None:
    """Everything that is needed to play it again."""
    text = page(played())
    facts = ["# The paper's table", ABOUT.command, "4 x spark", "200 rounds", "G = 8", "level 1"]
    facts += ["4e-05", "90 puzzles", "Seeds: 1, 2, 3", "2 cores, Linux", "3.0 hours"]
    assert [fact for fact in facts if fact not in text] == []


@pytest.mark.parametrize(
    ("speed", "verdict"), [(2.0, "better"), (0.5, "worse"), (1.0, "no difference")]
)
def test_what_came_out_is_told_plainly(speed: float, verdict: str) -> None:
    """A loss and a draw in the same words, in the same place, as a gain."""
    text = page(played(seeds=6, speed=speed))
    (line,) = (line for line in text.splitlines() if line.startswith("- **4/4**"))
    assert line.startswith(f"- **4/4** against 8/0: {verdict}")


def test_few_seeds_are_warned_of() -> None:
    """Three get a warning, one a stronger one, five none."""
    assert "3 seeds only" in page(played(3))
    assert "One seed only" in page(played(1))
    assert "only:" not in page(played(5))


@pytest.mark.parametrize("seeds", [3, 12])
def test_the_page_says_how_far_its_brackets_are_to_be_trusted(seeds: int) -> None:
    """However many seeds there are: how often brackets hold the truth, and that there are many."""
    text = " ".join(page(played(seeds)).split())
    assert "76 % of cases with 3 seeds" in text
    assert "one bracket in twenty misses it by chance" in text


def test_every_table_is_whole() -> None:
    """All rows of a table have as many cells as its head."""
    for table in re.findall(r"(?:^\|.*\|\n)+", page(played()), re.MULTILINE):
        assert len({line.count("|") for line in table.splitlines()}) == 1


def test_what_was_trained_on_is_not_said_to_have_taught() -> None:
    """Some recipes train on groups whose answers all earned the same, and those are counted."""
    text = page(played())
    assert "| own groups trained on |" in text
    assert "that taught" not in text


def test_a_head_start_is_told_where_there_is_one() -> None:
    """It costs nothing on the page, and the first exam is from before it."""
    results = played()
    assert "*Ahead*" not in page(results)
    setting = msgspec.structs.replace(SETTING, head_start=1_000)
    for index in (3, 4, 5):
        arm = msgspec.structs.replace(results[index].run.arm, ahead=2)
        run = msgspec.structs.replace(results[index].run, arm=arm, setting=setting)
        results[index] = replace(results[index], run=run)
    text = " ".join(page(results).split())
    assert "practised alone for 1,000 rounds before, which count in no cost and no round" in text


def test_pictures_are_beside_the_page() -> None:
    """They are linked by name, with words for those who cannot see them."""
    text = page(played(), ["practice.png", "tasks.png"])
    links = re.findall(r"!\[(.+)\]\((.+)\)", text)
    assert [target for _, target in links] == ["practice.png", "tasks.png"]
    assert all(len(words) > 10 for words, _ in links)


def test_arms_of_different_settings_are_told_with_theirs() -> None:
    """Each with its learning rate."""
    results = played()
    fast = msgspec.structs.replace(SETTING, learning_rate=1e-3)
    for index in (3, 4, 5):
        run = msgspec.structs.replace(results[index].run, setting=fast)
        results[index] = replace(results[index], run=run)
    text = page(results)
    assert "- 8/0: 4 x spark" in text
    assert "- 4/4: 4 x spark" in text
    assert "0.001" in text


def test_a_baseline_that_earned_nothing_has_no_gain_over_it() -> None:
    """The difference is told instead."""
    results = played()
    for index in (0, 1, 2):
        results[index] = replace(results[index], rewards=0 * results[index].rewards)
    (line,) = (line for line in page(results).splitlines() if line.startswith("- **4/4**"))
    assert "more than next to none" in line


def test_an_arm_alone_is_not_compared() -> None:
    """The page says so."""
    assert "nothing to compare it with" in page(played()[:3])


def test_a_short_experiment_is_told_in_minutes() -> None:
    """Not as 0.0 hours."""
    text = told(played(), replace(ABOUT, seconds=125))
    assert "took 2 minutes" in text
