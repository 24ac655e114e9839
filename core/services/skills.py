"""What a model can do, kind by kind and level by level, as its newest checkpoint tells."""

import asyncio

from core.api.practice import MOST_KINDS
from core.api.skills import CellSkill, KindSkill, ShowSkills, SkillsShown
from core.engine.ports import Progress
from core.models.catalog.catalog import ModelSpec
from core.models.catalog.library import find_model
from core.paths import Home
from core.rollouts.taught import TaughtCells
from core.rollouts.types import cell_name
from core.services.service import SendReply, ServiceContext
from core.settings import PracticeSettings
from core.tasks.catalog import Task, TaskCatalog
from core.tasks.curriculum import curriculum_for
from core.tasks.deck_tasks import practised_catalog, scope_of
from core.tasks.skills import HEARD, Skills, load_base_skills


async def show_skills(request: ShowSkills, context: ServiceContext, tell: SendReply) -> None:
    """Answer with what is known of every cell; a node may be practising meanwhile."""
    tell(await asyncio.to_thread(_look_up, context, request.model))


def _look_up(context: ServiceContext, model: str) -> SkillsShown:
    return look_up_skills(context.home, model, context.practice())


def look_up_skills(home: Home, model: str, practice: PracticeSettings) -> SkillsShown:
    """What ``model`` can do as last saved.

    ``practice`` says what is practised at present. Torch is not loaded.

    Raises:
        UnknownModelError: there is no such model.
        ModelError: it is not on this computer.
        CheckpointError: there are checkpoints, and none can be used.
    """
    catalog, spec = practised_catalog(home, practice.kinds), find_model(model, home)
    skills = Skills(catalog, load_base_skills(spec.folder))
    progress, taught = restore_skills(skills, home, spec), TaughtCells(skills.base)
    if progress is not None:
        taught.restore(progress.taught, progress.cells)
    cells = curriculum_for(catalog, practice.level, skills).open_cells()
    is_open = frozenset(cell_name(task, level) for task, level in cells)
    return SkillsShown(
        model=model,
        round=progress.round if progress else 0,
        scope=scope_of(catalog),
        kinds=_kinds(catalog, skills, is_open),
        skill=bounded(skills.skill()),
        swarm_skill=bounded(skills.swarm_skill()),
        base_skill=bounded(skills.base_skill()),
        taught=min(len(taught.kinds()), MOST_KINDS),
    )


def restore_skills(skills: Skills, home: Home, spec: ModelSpec) -> Progress | None:
    """Let ``skills`` go on from the newest checkpoint of ``spec``, and tell what is kept there.

    None where there is no checkpoint. Torch is not loaded.

    Raises:
        CheckpointError: there are checkpoints, and none can be used.
    """
    from core.training.checkpoint_notes import newest_note

    note = newest_note(home.checkpoints / spec.id)
    if note is None:
        return None
    skills.restore(note.progress)
    return note.progress


def _kinds(catalog: TaskCatalog, skills: Skills, is_open: frozenset[str]) -> tuple[KindSkill, ...]:
    return tuple(
        KindSkill(task=task.id, title=task.title, cells=_cells(task, skills, is_open))
        for task in catalog.tasks
    )


def _cells(task: Task, skills: Skills, is_open: frozenset[str]) -> tuple[CellSkill, ...]:
    names = [cell_name(task.id, level) for level in range(1, len(task.levels) + 1)]
    return tuple(_cell(name, skills, is_open=name in is_open) for name in names)


def _cell(name: str, skills: Skills, *, is_open: bool) -> CellSkill:
    _, tries = skills.own.get(name, (0.0, 0.0))
    right, heard = skills.swarm.get(name, (0.0, 0.0))
    return CellSkill(
        base=skills.base.get(name),
        now=bounded(skills.share(name)),
        swarm=bounded(right / heard) if heard >= HEARD else None,
        tries=max(0.0, tries),
        is_open=is_open,
    )


def bounded(share: float | None) -> float | None:
    """``share`` in [0, 1], however sums of fractions were rounded."""
    return None if share is None else min(1.0, max(0.0, share))
