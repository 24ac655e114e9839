"""Skills in words."""

import pytest
from msgspec.structs import replace

from app.pages.practice.skill_map_model import MapCell, SkillMapModel, skill_map_model
from tests.app.pages.practice.samples import NO_SKILLS, skills

GCD, LCM, ODD = "gcd", "lcm", "odd"


def cell(model: SkillMapModel, task: str, level: int) -> MapCell:
    (row,) = (row for row in model.rows if row.task == task)
    return row.cells[level - 1]


def test_what_is_solved_best_stands_first() -> None:
    """A frontier runs across the map; each row has its levels from the easiest on."""
    model = skill_map_model(skills(), "Spark")
    assert [row.task for row in model.rows] == [GCD, LCM, ODD]
    assert [[c.level for c in row.cells] for row in model.rows] == [[1, 2, 3], [1, 2], [1, 2, 3, 4]]
    assert model.levels == 4


def test_nothing_jumps_away_from_who_looks_at_it() -> None:
    """Kinds keep the order in which they were shown; one that is new comes last."""
    model = skill_map_model(skills(), "Spark", [LCM, ODD])
    assert [row.task for row in model.rows] == [LCM, ODD, GCD]


@pytest.mark.parametrize(
    ("base", "swarm", "words"),
    [
        (0.17, 0.25, "Before practice 17\u00a0%, the swarm 25\u00a0%"),
        (0.17, None, "Before practice 17\u00a0%"),
        (None, 0.25, "The swarm 25\u00a0%"),
        (None, None, ""),
    ],
)
def test_the_headline_compares_with_what_is_known(
    base: float | None, swarm: float | None, words: str
) -> None:
    """Base, swarm, both or none."""
    model = skill_map_model(replace(skills(), base_skill=base, swarm_skill=swarm), "Spark")
    assert model.headline == "Spark solves 23\u00a0% of all puzzles"
    assert model.compared == words
    assert "3 kinds of puzzles at 9 levels. Solved more often than not: 2, after" in model.detail


def test_one_deck_is_neither_all_puzzles_nor_kinds_of_them() -> None:
    """And one round is not rounds."""
    shown = skills()
    (gcd,) = (kind for kind in shown.kinds if kind.task == GCD)
    deck = replace(shown, kinds=(gcd,), scope="0123456789abcdef", round=1)
    model = skill_map_model(deck, "Spark")
    assert model.headline == "Spark solves 23\u00a0% of what it practises"
    assert model.detail == "Levels: 3. Solved more often than not: 2, after 1 round."


def test_while_some_kinds_were_not_tried_there_is_no_share_of_all() -> None:
    """It would rise by looking; the cells tell what is known."""
    model = skill_map_model(replace(skills(), skill=None), "Spark")
    assert model.headline == "What Spark solves so far"
    assert model.rows


def test_a_cell_says_all_that_is_known_of_it() -> None:
    """In sentences for the mouse and for a screen reader; nothing of what is not known."""
    model = skill_map_model(skills(), "Spark")
    assert cell(model, GCD, 2).title == "Find the greatest common divisor, level 2"
    assert cell(model, GCD, 2).words == (
        "Your model solves 50\u00a0%.",
        "Before practice: 25\u00a0%.",
        "The swarm: 75\u00a0%.",
    )
    assert cell(model, GCD, 3).words == ("Before practice: 0\u00a0%.", "Not practised at present.")
    assert cell(model, ODD, 1).words == ("Never tried so far.",)
    assert [cell(model, task, 1).number for task in (GCD, LCM, ODD)] == ["90", "25", ""]


def test_a_swarm_that_is_clearly_ahead_is_pointed_out() -> None:
    """Not one that is ahead by chance."""
    model = skill_map_model(skills(), "Spark")
    ahead = {(c.task, c.level) for row in model.rows for c in row.cells if c.is_swarm_ahead}
    assert ahead == {(GCD, 2), (ODD, 3)}


def test_without_skills_there_are_words() -> None:
    """While they are looked up, and where there are none."""
    waiting = skill_map_model(None, "Spark")
    assert (waiting.headline, waiting.rows) == ("What can Spark do?", ())
    assert "Looking" in waiting.detail
    empty = skill_map_model(NO_SKILLS, "Spark")
    assert "Join on Home" in empty.detail
    assert (empty.rows, empty.offers_home, waiting.offers_home) == ((), True, False)
