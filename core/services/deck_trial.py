"""How a model does at a deck before anybody practises it."""

import asyncio
import tempfile
from collections import defaultdict
from pathlib import Path
from statistics import fmean
from typing import Final

import msgspec

from core.decks.library import DeckLibrary
from core.i18n import TranslatableText, translatable
from core.rollouts.types import PuzzleKey, TaskId, unsigned_group
from core.services.decks import DeckDraft
from core.services.paced_sampler import OnProgress, PacedSampler
from core.services.saved_model import open_saved_model
from core.services.service import ServiceContext
from core.tasks.catalog import load_catalog
from core.tasks.deck_tasks import with_decks
from core.tasks.reasoning_tasks import check_ruleset
from core.tasks.scorer import IsolatedScorer

TRIED: Final = 60
"""Questions of a deck that a model tries before anybody practises it."""

_DRAWN: Final = 4 * TRIED
"""Of these draws no question is tried twice: a short deck has fewer than ``TRIED``."""

ATTEMPTS: Final = 4

HOPELESS: Final = 0.005
EASY: Final = 0.9
"""Shares solved below and above which there is little to learn."""

_SEED: Final = 21


class DeckTrial(msgspec.Struct, frozen=True):
    """How a model does at a deck today."""

    model: str  # its title
    tried: int  # questions, each ``ATTEMPTS`` times
    solved: int  # questions with any right answer
    levels: dict[int, float]  # share of right answers by level

    @property
    def share(self) -> float:
        """Of right answers, over all levels alike."""
        return fmean(self.levels.values())


async def try_deck(
    context: ServiceContext, model: str, draft: DeckDraft, on_progress: OnProgress
) -> DeckTrial:
    """Let ``model``, as it was last saved, try some questions of a deck that need not be kept.

    Raises:
        WaggleError: the model or the judge cannot be used.
    """
    check_ruleset()
    with tempfile.TemporaryDirectory(prefix="waggle-deck-", ignore_cleanup_errors=True) as folder:
        library = DeckLibrary(Path(folder))
        deck = library.install(draft.installed.data)
        catalog = with_decks(load_catalog(), [deck]).only([deck.task])
        opened = open_saved_model(context.home, model, context.settings().compute.threads)
        async with IsolatedScorer(catalog, Path(folder)) as scorer, opened as (saved, thread):
            levels = sorted(deck.deck.levels)
            keys = [
                PuzzleKey(TaskId(deck.task), levels[n % len(levels)], _SEED, n)
                for n in range(_DRAWN)
            ]
            different = {one.prompt: one for one in await scorer.ask(keys)}
            questions = list(different.values())[:TRIED]
            loop = asyncio.get_running_loop()
            sampler = PacedSampler(saved.sampler, saved.spec, len(questions), on_progress)
            try:
                answers = await loop.run_in_executor(
                    thread, sampler.complete, questions, ATTEMPTS, _SEED
                )
            finally:
                sampler.stop()
            pairs = zip(questions, answers, strict=True)
            judged = await scorer.judge([unsigned_group(*pair) for pair in pairs])
            title = saved.spec.title
    by_level = defaultdict[int, list[float]](list)
    for one in judged:
        by_level[one.question.key.level] += one.rewards
    return DeckTrial(
        model=title,
        tried=len(questions),
        solved=sum(max(one.rewards) > 0 for one in judged),
        levels={level: fmean(rewards) for level, rewards in sorted(by_level.items())},
    )


def trial_words(trial: DeckTrial) -> TranslatableText:
    """What a trial says to a person, and what to do."""
    percent = round(100 * trial.share)
    if trial.share <= HOPELESS:
        return translatable(
            "{} solves {} of {} of these: choose a larger model, or add levels that are easier.",
            trial.model,
            trial.solved,
            trial.tried,
        )
    if trial.share >= EASY:
        return translatable(
            "{} gets {} % of its tries right already: there is little left to learn. Add harder "
            "questions.",
            trial.model,
            percent,
        )
    return translatable(
        "{} gets {} % of its tries right, and solves {} of {} questions within {} tries: there is "
        "something to learn.",
        trial.model,
        percent,
        trial.solved,
        trial.tried,
        ATTEMPTS,
    )
