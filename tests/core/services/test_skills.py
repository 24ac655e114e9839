"""What a model can do is told from its newest checkpoint."""

from collections.abc import Mapping
from pathlib import Path

import msgspec
import pytest

from core.api.pipe import MAX_LINE, encode
from core.api.skills import CellSkill, ShowSkills, SkillsShown
from core.engine.ports import Progress
from core.errors import UnknownModelError
from core.models.catalog.catalog import load_models
from core.rollouts.taught import CellHistory
from core.rollouts.types import Cells
from core.services.service import ServiceContext
from core.services.skills import look_up_skills
from core.settings import PracticeSettings, Settings, save_settings
from core.tasks.catalog import load_catalog
from core.tasks.deck_tasks import scope_of
from core.training.checkpoint_notes import CheckpointNote
from core.training.checkpoints import Checkpoint, CheckpointStore
from tests.asking_services import answer_to

MODEL = "spark"


def practised(place: ServiceContext, rounds: int, own: Cells, swarm: Cells) -> None:
    """Let the starter have saved so."""
    progress = Progress(1, rounds, "sapo", cells=own, swarm_cells=swarm)
    store = CheckpointStore(place.home.checkpoints / MODEL)
    store.save(Checkpoint(CheckpointNote(MODEL, "base", progress), {}))


async def show(place: ServiceContext) -> SkillsShown:
    save_settings(Settings(practice=PracticeSettings(level="automatic")), place.home.settings)
    return await answer_to(ShowSkills(model=MODEL), place, SkillsShown)


def cells(shown: SkillsShown) -> Mapping[str, CellSkill]:
    every = ((kind.task, n, c) for kind in shown.kinds for n, c in enumerate(kind.cells, start=1))
    return {f"{task}/{level}": cell for task, level, cell in every}


async def test_before_any_practice_every_cell_is_told(place: ServiceContext) -> None:
    """With plain titles, the easiest level of each kind being practised, and no own tries."""
    shown = await show(place)
    assert [kind.task for kind in shown.kinds] == [task.id for task in load_catalog().tasks]
    assert (shown.round, shown.swarm_skill) == (0, None)
    assert all(kind.title and kind.cells[0].is_open for kind in shown.kinds)
    assert {cell.tries for cell in cells(shown).values()} == {0.0}


async def test_what_was_learnt_and_heard_is_told(place: ServiceContext) -> None:
    """Shares of own tries, and of others' where enough was heard; what comes next is open."""
    heard = {"lcm/1": (40.0, 80.0), "gcd/1": (8.0, 8.0), "gcd/2": (7.0, 7.0)}
    practised(place, 7, {"lcm/1": (64.0, 80.0)}, heard)
    shown = await show(place)
    found = cells(shown)
    assert shown.round == 7
    lcm, gcd = found["lcm/1"], found["gcd/1"]
    assert (lcm.now, lcm.swarm, lcm.tries, lcm.is_open) == (0.8, 0.5, 80.0, True)
    assert (gcd.swarm, gcd.tries) == (1.0, 0.0)
    assert found["gcd/2"].swarm is None
    assert found["lcm/2"].is_open


async def test_what_others_taught_is_told(place: ServiceContext) -> None:
    """By the checkpoint, kind by kind; nothing before there is something."""
    assert (await show(place)).taught == 0
    taught = {"lcm/1": CellHistory("taught"), "lcm/2": CellHistory("taught"), "x/1": CellHistory()}
    progress = Progress(1, 7, "sapo", taught=taught)
    store = CheckpointStore(place.home.checkpoints / MODEL)
    store.save(Checkpoint(CheckpointNote(MODEL, "base", progress), {}))
    assert (await show(place)).taught == 1


async def test_shares_of_a_base_that_was_measured_are_told(
    place: ServiceContext, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """Beside what is solved now; where nothing was tried since, they are what is solved now."""
    base = dict.fromkeys(cells(await show(place)), 0.25)
    (tmp_path / "skills.json").write_bytes(msgspec.json.encode({"cells": base}))
    spec = msgspec.structs.replace(load_models().get(MODEL), folder=tmp_path)
    monkeypatch.setattr("core.services.skills.find_model", lambda *_: spec)
    practised(place, 1, {"lcm/1": (80.0, 80.0)}, {})
    shown = await show(place)
    found = cells(shown)
    assert (found["lcm/1"].base, found["lcm/1"].now) == (0.25, 1.0)
    assert (found["lcm/2"].base, found["lcm/2"].now) == (0.25, 0.25)
    assert shown.base_skill == pytest.approx(0.25)
    assert shown.skill == pytest.approx(0.25 + 0.75 / len(found))


def test_at_a_fixed_level_that_one_alone_is_open(place: ServiceContext) -> None:
    """Or the hardest of a kind that has fewer."""
    shown = look_up_skills(place.home, MODEL, PracticeSettings(level=4))
    for kind in shown.kinds:
        opened = [n for n, cell in enumerate(kind.cells, start=1) if cell.is_open]
        assert opened == [min(4, len(kind.cells))]


async def test_a_model_that_does_not_exist_is_refused(place: ServiceContext) -> None:
    """In words, for whoever asked."""
    with pytest.raises(UnknownModelError, match="spark"):
        await answer_to(ShowSkills(model="sparc"), place, SkillsShown)


async def test_the_reply_is_short(place: ServiceContext) -> None:
    """It is asked for every few seconds."""
    own = dict.fromkeys(cells(await show(place)), (1 / 3, 2 / 3))
    practised(place, 1, own, own)
    assert len(encode(await show(place))) < MAX_LINE / 10


def test_what_the_shares_are_of_is_told(place: ServiceContext) -> None:
    """Of everything that is built in, or of the kinds alone that are practised."""
    assert look_up_skills(place.home, MODEL, PracticeSettings()).scope is None
    one = look_up_skills(place.home, MODEL, PracticeSettings(kinds=("gcd",)))
    assert one.scope == scope_of(load_catalog().only(["gcd"]))
