"""Trying the model: the same question to the base model and to the model as last saved."""

import asyncio
from concurrent.futures import ThreadPoolExecutor
from contextlib import AsyncExitStack
from dataclasses import dataclass
from typing import Final

from core.api.practice import ModelTried, PracticeShown, PuzzleKind, ShowPractice, Trying, TryModel
from core.api.preview import ANSWER_LENGTH, QUESTION_LENGTH, Attempt, attempts_of, cut
from core.errors import ScorerError, UsageError
from core.i18n import translatable
from core.rollouts.types import (
    Completion,
    PuzzleKey,
    Question,
    TaskId,
    unsigned_group,
)
from core.services.exam import last_exam
from core.services.saved_model import SavedModel, open_saved_model
from core.services.service import SendReply, ServiceContext
from core.tasks.catalog import TaskCatalog
from core.tasks.deck_tasks import practised_catalog, scope_of
from core.tasks.reasoning_tasks import check_ruleset
from core.tasks.scorer import IsolatedScorer

IDLE_S: Final = 300.0
"""A model that nobody asks any more is let go after this time."""

ATTEMPTS: Final = 4
"""Answers of each of the two."""

Completions = tuple[Completion, ...]


async def show_practice(request: ShowPractice, context: ServiceContext, tell: SendReply) -> None:
    """Answer with the kinds of puzzles and the last exam of a model."""
    catalog = await asyncio.to_thread(_catalog, context)
    kinds = tuple(PuzzleKind(task=task.id, title=task.title) for task in catalog.tasks)
    exam = last_exam(context.home, request.model)
    if exam is not None and exam.scope != scope_of(catalog):
        exam = None  # it is of other puzzles
    tell(PracticeShown(model=request.model, kinds=kinds, exam=exam))


@dataclass(frozen=True, slots=True)
class _LoadedModel:
    """The judge and model that stay ready for the next question."""

    stamp: object  # home, model and when it was saved; another one is loaded anew
    scorer: IsolatedScorer
    saved: SavedModel
    thread: ThreadPoolExecutor
    stack: AsyncExitStack  # puts all of it away


class TryOut:
    """Answers ``TryModel``; the model stays loaded for a while, in case there is another one.

    Each service lingers for ``idle_s`` seconds after its answer, and the newest of them puts the
    model away, so that whatever ends the helper ends that as well.
    """

    def __init__(self, idle_s: float = IDLE_S) -> None:
        self._idle_s = idle_s
        self._lock = asyncio.Lock()  # one question at a time
        self._asked = 0
        self._loaded: _LoadedModel | None = None

    async def __call__(self, request: TryModel, context: ServiceContext, tell: SendReply) -> None:
        """Answer, and keep the model loaded for ``idle_s`` seconds."""
        self._asked += 1
        number = self._asked
        try:
            async with self._lock:
                catalog = await asyncio.to_thread(_catalog, context)
                loaded = await self._load(request.model, context, catalog, tell)
                tell(await _answer(request, context, catalog, loaded))
            await asyncio.sleep(self._idle_s)
        finally:
            async with self._lock:
                if number == self._asked:
                    await self._clear()

    async def _load(
        self, model: str, context: ServiceContext, catalog: TaskCatalog, tell: SendReply
    ) -> _LoadedModel:
        """The loaded model, or the one loaded anew where it has been saved since."""
        stamp = (context, model, tuple(catalog.tasks), _saved_at(context, model))
        if self._loaded is not None and self._loaded.stamp == stamp:
            tell(Trying(is_loading=False))
            return self._loaded
        tell(Trying(is_loading=True))
        await self._clear()
        check_ruleset()
        opening = open_saved_model(context.home, model, context.settings().compute.threads)
        async with AsyncExitStack() as stack:
            scorer = await stack.enter_async_context(IsolatedScorer(catalog, context.home.decks))
            saved, thread = await stack.enter_async_context(opening)
            self._loaded = _LoadedModel(stamp, scorer, saved, thread, stack.pop_all())
        return self._loaded

    async def _clear(self) -> None:
        loaded, self._loaded = self._loaded, None
        if loaded is not None:
            await loaded.stack.aclose()


try_model: Final = TryOut()
"""The service of a helper, of which a process has one."""


def _catalog(context: ServiceContext) -> TaskCatalog:
    return practised_catalog(context.home, context.practice().kinds)


def _saved_at(context: ServiceContext, model: str) -> int:
    """Changes whenever a checkpoint is written."""
    try:
        return (context.home.checkpoints / model).stat().st_mtime_ns
    except OSError:  # it has not practised yet
        return 0


async def _answer(
    request: TryModel, context: ServiceContext, catalog: TaskCatalog, loaded: _LoadedModel
) -> ModelTried:
    question, title = await _question(request, context, catalog, loaded.scorer)
    loop = asyncio.get_running_loop()
    before, now = await loop.run_in_executor(
        loaded.thread, _ask_both, loaded.saved, question, request.seed
    )
    shown = (_unjudged(before), _unjudged(now))
    if request.task:
        shown = await _judged(question, before, now, loaded.scorer)
    return ModelTried(
        model=request.model,
        round=loaded.saved.round,
        title=title,
        question=cut(question.prompt, QUESTION_LENGTH),
        before=shown[0],
        now=shown[1],
    )


async def _question(
    request: TryModel, context: ServiceContext, catalog: TaskCatalog, scorer: IsolatedScorer
) -> tuple[Question, str]:
    """The question of ``request``, and the title of its kind of puzzle."""
    if not request.task:
        if not request.text.strip():
            raise UsageError(
                translatable("There is nothing to answer yet. Write a question first.")
            )
        return Question(PuzzleKey(TaskId(""), 1, 0, 0), request.text), ""
    task = catalog.task(request.task)
    chosen = context.settings().practice.level
    level = 1 if chosen == "automatic" else min(chosen, len(task.levels))
    (question,) = await scorer.ask([PuzzleKey(task.id, level, request.seed, 0)])
    return question, task.title


def _ask_both(saved: SavedModel, question: Question, seed: int) -> tuple[Completions, Completions]:
    """Base and today, on the model's thread."""
    if len(saved.policy.encode_prompt(question.prompt)) > saved.spec.prompt_tokens:
        raise UsageError(
            translatable("That is too long for {}. Ask it something shorter.", saved.spec.title)
        )
    (now,) = saved.sampler.complete([question], ATTEMPTS, seed)
    with saved.policy.base():
        (before,) = saved.sampler.complete([question], ATTEMPTS, seed)
    return before, now


async def _judged(
    question: Question, before: Completions, now: Completions, scorer: IsolatedScorer
) -> tuple[tuple[Attempt, ...], tuple[Attempt, ...]]:
    groups = [unsigned_group(question, completions) for completions in (before, now)]
    scored = await scorer.judge(groups)
    if len(scored) != len(groups):
        raise ScorerError(translatable("The answers could not be checked. Try another puzzle."))
    return attempts_of(scored[0]), attempts_of(scored[1])


def _unjudged(completions: Completions) -> tuple[Attempt, ...]:
    return tuple(Attempt(cut(c.text, ANSWER_LENGTH), None) for c in completions)
