"""How much of each cell is solved."""

from dataclasses import replace
from pathlib import Path

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.engine.ports import Progress
from core.rollouts.probing import PROBE
from core.rollouts.types import Cells, TaskId
from core.tasks.catalog import TaskCatalog, load_catalog
from core.tasks.skills import BASE_SKILLS, ENOUGH, Skills, load_base_skills
from tests.core.tasks.tried import tried

_WHOLE = load_catalog()
CATALOG = TaskCatalog([_WHOLE.task("gcd"), _WHOLE.task("lcm")], _WHOLE.ruleset)
CELLS = 10


def after(*groups: tuple[str, int, int], base: dict[str, float] | None = None) -> Skills:
    made = Skills(CATALOG, base)
    made.observe([tried(*group) for group in groups], ())
    return made


def test_skill_is_the_share_of_all_cells() -> None:
    """What was never tried counts as unsolved; what was tried lately counts most."""
    assert after(("gcd", 1, 2), ("lcm", 1, 3)).skill() == pytest.approx(0.625 / CELLS)
    lately = after(("lcm", 1, 0), *[("gcd", 1, 0)] * 5, *[("gcd", 1, 8)] * 5).skill()
    assert lately is not None
    assert lately > 0.6 / CELLS


def test_nothing_is_said_before_it_is_known_how_far_every_kind_goes() -> None:
    """Or the number would rise by looking."""
    hopeless = ("lcm", 1, 0)
    assert after(("gcd", 1, 0)).skill() is None
    assert after(base={"lcm/1": 0.5}).looked_at() == 0.5
    assert after(("gcd", 1, 2), base={"lcm/1": 0.5}).skill() == pytest.approx(0.75 / CELLS)
    climbing = after(hopeless, *[("gcd", 1, 8)] * 3)
    assert climbing.looked_at() == 0.5
    climbing.observe([tried("gcd", 2, 2)], ())
    assert climbing.looked_at() == 1


def test_a_kind_that_is_mastered_was_looked_at_in_the_end() -> None:
    """At its hardest level, or at the only one that somebody chose to practise."""
    hopeless, hardest = ("lcm", 1, 0), len(CATALOG.task(TaskId("gcd")).levels)
    assert after(hopeless, *[("gcd", hardest, 8)] * 3).looked_at() == 1
    assert after(hopeless, *[("gcd", 2, 8)] * 3).looked_at() == 0.5
    assert after(hopeless, *[("gcd", 2, 8)] * 4).looked_at() == 1


@pytest.mark.parametrize("size", [2, 3, 8, 32])
def test_a_mastered_level_was_looked_at_whatever_the_size_of_groups(size: int) -> None:
    """Once the next level would have opened; a while later, unless one group tells it all."""
    skills = Skills(CATALOG.only(["gcd"]))
    opened = looked_at = 0
    for groups in range(1, 100):
        skills.observe([tried("gcd", 2, size, of=size)], ())
        opened = opened or groups * (skills.cell("gcd/2")[1] >= ENOUGH)
        looked_at = looked_at or groups * (skills.looked_at() == 1)
    assert 0 < opened <= looked_at
    assert opened < looked_at or size > ENOUGH


def kept(own: Cells, swarm: Cells, reached: tuple[str, ...] = ()) -> Progress:
    return Progress(1, 1, "sapo", cells=own, swarm_cells=swarm, reached=reached)


def test_what_was_known_is_known_after_a_restart() -> None:
    """Though tries that told it have faded by then."""
    skills = Skills(CATALOG.only(["gcd"]))
    skills.observe([tried("gcd", 1, 2)], ())
    assert skills.looked_at() == 1
    skills.observe([tried("gcd", 1, 6)], ())
    again, forgetful = (Skills(CATALOG.only(["gcd"])) for _ in range(2))
    again.restore(kept(skills.own, {}, tuple(skills.reached)))
    forgetful.restore(kept(skills.own, {}))
    assert (again.looked_at(), forgetful.looked_at()) == (1, 0)
    assert again.skill() == skills.skill()


def test_what_is_learnt_later_does_not_make_it_unknown_again() -> None:
    """A level that opens is one step; the number stays."""
    skills = after(("lcm", 1, 0), ("gcd", 1, 2))
    skills.observe([tried("gcd", 1, 8)], ())
    assert skills.skill() is not None


def test_the_base_counts_until_there_are_own_tries() -> None:
    """As much as a couple of groups; what it was is still known after that."""
    skills = after(("gcd", 1, 8), base={"gcd/1": 0.5, "lcm/2": 0.25})
    right, tries = skills.cell("gcd/1")
    assert tries == pytest.approx(0.9 * ENOUGH + 8)
    assert right == pytest.approx(0.9 * ENOUGH * 0.5 + 8)
    assert skills.share("lcm/2") == 0.25
    assert skills.share("lcm/1") is None
    assert skills.base_skill() == pytest.approx(0.75 / CELLS)
    assert Skills(CATALOG, {"lcm/1": 0.5}).base_skill() is None


def test_the_swarm_is_compared_on_cells_that_both_tried() -> None:
    """What only others tried makes nobody better or worse."""
    skills = after(("gcd", 1, 2), ("lcm", 1, 2))
    assert skills.swarm_skill() is None
    skills.observe((), [tried("gcd", 1, 8), tried("gcd", 5, 8)])
    skill, swarm = skills.skill(), skills.swarm_skill()
    assert skill is not None
    assert swarm == pytest.approx(skill + 0.75 / CELLS)


def test_the_first_answers_of_others_are_left_out() -> None:
    """By them it was chosen which groups went on: a hard cell would seem easier than it is."""
    skills = Skills(CATALOG)
    skills.observe((), [tried("gcd", 1, PROBE)])
    assert skills.swarm == {"gcd/1": (0.0, 8 - PROBE)}


def test_of_groups_too_small_to_be_chosen_all_answers_are_heard() -> None:
    """They were drawn whole; one answer of each would tell little, and of mixed groups one half."""
    skills = Skills(CATALOG)
    skills.observe((), [tried("gcd", 1, PROBE, of=PROBE + 1)])
    assert skills.swarm == {"gcd/1": (PROBE, PROBE + 1)}


def test_a_loud_site_has_one_say_about_a_cell_in_a_round() -> None:
    """However many groups of it come, of however many authors; other sites are heard, too."""
    one = tried("gcd", 1, 8)
    none = tried("gcd", 1, 0)
    loud = replace(none, group=replace(none.group, site="10.0.0.1"))
    quiet = replace(one, group=replace(one.group, site="10.0.0.2"))
    skills = Skills(CATALOG)
    skills.observe((), [*[loud] * 20, quiet])
    right, tries = skills.swarm["gcd/1"]
    assert right / tries > 0.5


def test_of_a_question_is_expected_what_its_cell_earns() -> None:
    """Once that is known; by how often answers to one question differ, which none do here."""
    known = after(*[("gcd", 1, 8), ("gcd", 1, 0)] * 9, ("gcd", 2, 4))
    (expected,) = (one.prior for one in known.with_priors([tried("gcd", 1, 8)]))
    assert expected == known.prior("gcd/1")
    assert expected is not None
    assert 0.4 < expected.mean < 0.5
    assert expected.concentration < after(base={"gcd/1": 0.5}).prior("gcd/1").concentration


def test_nothing_is_expected_of_what_is_little_known_nor_of_cards() -> None:
    """Nobody has checked the key of a card; the base's share counts as known."""
    skills = after(("gcd", 2, 4), base={"gcd/1": 0.5})
    known = tried("gcd", 1, 8)
    card = replace(known, question=replace(known.question, lesson="It is 4."))
    groups = skills.with_priors([known, tried("gcd", 2, 8), card])
    assert [one.prior is None for one in groups] == [False, True, True]


@given(st.lists(st.tuples(st.sampled_from(["gcd", "lcm"]), st.integers(1, 5), st.integers(0, 8))))
def test_it_is_always_a_share(history: list[tuple[str, int, int]]) -> None:
    """Whatever was tried."""
    skills = after(*history)
    skills.observe((), [tried(*group) for group in history[::2]])
    for told in (skills.skill(), skills.swarm_skill()):
        assert told is None or -1e-9 <= told <= 1 + 1e-9


def test_cells_that_are_not_practised_wait_and_count_for_nothing() -> None:
    """Whoever practises a deck for a while finds everything else as it was."""
    plain, other = Skills(CATALOG, {"gone/1": 0.5}), Skills(CATALOG)
    own, swarm = {"gcd/1": (8.0, 16.0)}, {"gcd/1": (4.0, 16.0)}
    plain.restore(kept(own, swarm))
    other.restore(kept(own | {"deck_0/1": (9.0, 9.0)}, swarm | {"deck_0/1": (1.0, 9.0)}))
    told = [(one.skill(), one.swarm_skill(), one.looked_at()) for one in (plain, other)]
    assert told[0] == told[1]
    assert plain.base == {}
    assert "deck_0/1" in other.own


@pytest.mark.parametrize(
    "content", [b"", b"{", b'{"cells": {"gcd/1": 2}}', b"\xff", b'{"cells": [1]}', b"[" * 300_000]
)
def test_a_bad_file_tells_nothing(tmp_path: Path, content: bytes) -> None:
    """It may be missing, too; practice goes on without."""
    assert load_base_skills(tmp_path) == {}
    (tmp_path / BASE_SKILLS).write_bytes(content)
    assert load_base_skills(tmp_path) == {}


def test_a_good_file_is_read(tmp_path: Path) -> None:
    """As it stands beside a starter."""
    (tmp_path / BASE_SKILLS).write_bytes(msgspec.json.encode({"cells": {"gcd/1": 0.25}}))
    assert load_base_skills(tmp_path) == {"gcd/1": 0.25}
