"""The exam on request: held-out puzzles, tried by the base model and by the model as last saved.

It covers everything that is practised, at every level: without a choice, all that is built in. So
exams of all nodes and of all times can be compared where they practise the same.
"""

import asyncio
import logging
import time
from collections import defaultdict
from collections.abc import Sequence
from pathlib import Path
from typing import Final
from urllib.parse import quote

import msgspec
from msgspec.structs import replace

from core.api.practice import (
    MOST_KINDS,
    ExamProgress,
    ExamResult,
    ExamTaken,
    KindResult,
    TakeExam,
)
from core.engine.exam import FEWEST, Grade, set_exam, take_exam
from core.engine.exam_scores import ahead, gain, gain_in_form, score
from core.paths import Home, explain_os_error
from core.services.paced_sampler import OnProgress, PacedSampler
from core.services.saved_model import open_saved_model
from core.services.service import SendReply, ServiceContext
from core.storage.files import read_bounded, replace_file
from core.tasks.catalog import TaskCatalog
from core.tasks.deck_tasks import practised_catalog, scope_of
from core.tasks.forms import form_reader
from core.tasks.reasoning_tasks import check_ruleset
from core.tasks.scorer import IsolatedScorer

_MOST_BYTES: Final = 1 << 18  # of a kept result

_log = logging.getLogger(__name__)


async def take_exam_on_request(request: TakeExam, context: ServiceContext, tell: SendReply) -> None:
    """Examine, keep the result, and tell it; a person goes on with their work meanwhile."""

    def on_progress(done: int, total: int) -> None:
        tell(ExamProgress(done=done, total=total))

    on_progress(0, 0)
    result = await examine(context, request.model, request.puzzles, on_progress, makes_way=True)
    keep_exam(context.home, result)  # at once: whoever cancels is told that nothing is kept
    tell(ExamTaken(result=result))


async def examine(
    context: ServiceContext,
    model: str,
    puzzles: int,
    on_progress: OnProgress,
    *,
    makes_way: bool = False,
) -> ExamResult:
    """Let the base of ``model`` and what was last saved of it try the same held-out puzzles.

    Where there are fewer than ``puzzles``, as of a small deck, all of them.

    Nothing is changed, and a node may be practising meanwhile; ``makes_way`` is that of
    ``open_saved_model``. The puzzles are of what is practised.

    Raises:
        UsageError: there is no such model, or the puzzles are too few to tell anything.
        WaggleError: the model or the judge cannot be used.
    """
    check_ruleset()
    catalog = await asyncio.to_thread(practised_catalog, context.home, context.practice().kinds)
    threads = context.settings().compute.threads
    opened = open_saved_model(context.home, model, threads, makes_way=makes_way)
    async with IsolatedScorer(catalog, context.home.decks) as scorer, opened as (saved, thread):
        # One more than will be asked tells whether there are more.
        drawn = await set_exam(catalog.cells(), scorer, puzzles + (puzzles >= FEWEST))
        questions = drawn[:puzzles]
        sampler = PacedSampler(saved.sampler, saved.spec, 2 * len(questions), on_progress)
        exam = questions, sampler, thread, scorer, form_reader(catalog)
        try:
            now = await take_exam(*exam)
            with saved.policy.base():
                before = await take_exam(*exam)
        finally:
            sampler.stop()
    result = sum_up(catalog, saved.spec.id, saved.round, before, now)
    return replace(result, is_all=len(drawn) <= puzzles)


def sum_up(
    catalog: TaskCatalog, model: str, rounds: int, before: Sequence[Grade], now: Sequence[Grade]
) -> ExamResult:
    """The result of two passes over the same puzzles, ``rounds`` rounds apart."""
    return ExamResult(
        model=model,
        round=rounds,
        at=time.time(),
        puzzles=len(before),
        cells=len({grade.cell for grade in before}),
        before=score(before),
        now=score(now),
        gain=gain(before, now),
        form=gain_in_form(before, now),
        ahead=ahead(before, now),
        kinds=_by_kind(catalog, before, now),
        scope=scope_of(catalog),
    )


def _by_kind(
    catalog: TaskCatalog, before: Sequence[Grade], now: Sequence[Grade]
) -> tuple[KindResult, ...]:
    pairs: defaultdict[str, list[tuple[float, float]]] = defaultdict(list)
    for old, new in zip(before, now, strict=True):
        pairs[old.task].append((old.solved, new.solved))
    return tuple(
        KindResult(
            task=task,
            title=catalog.task(task).title,
            puzzles=len(found),
            before=sum(old for old, _ in found) / len(found),
            now=sum(new for _, new in found) / len(found),
        )
        for task, found in sorted(pairs.items())
    )[:MOST_KINDS]


# What is kept: the last exam of each model, for the window to show


def keep_exam(home: Home, result: ExamResult) -> None:
    """Keep ``result`` in place of the last one of its model.

    Raises:
        HomeError: it cannot be written; the last one is kept.
    """
    path = _kept(home, result.model)
    try:
        path.parent.mkdir(mode=0o700, exist_ok=True)
    except OSError as error:
        raise explain_os_error(error, path.parent) from error
    replace_file(path, msgspec.json.encode(result))


def last_exam(home: Home, model: str) -> ExamResult | None:
    """The last exam of ``model``; None where there was none, or where it cannot be read.

    That of an earlier release measured something else; the next exam takes its place.
    """
    path = _kept(home, model)
    try:
        result = msgspec.json.decode(read_bounded(path, _MOST_BYTES), type=ExamResult)
    except FileNotFoundError:
        return None
    except (OSError, ValueError) as error:  # whatever stands there instead
        _log.warning("Doing without the last exam, %s: %s", path, error)
        return None
    return result if result.model == model else None


def _kept(home: Home, model: str) -> Path:
    """The file of one model; ids are fit for names, and what is none finds nothing."""
    return home.root / "exams" / f"{quote(model, safe='')}.json"
