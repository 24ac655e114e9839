"""Every hostile answer to every task, before the real judge: with its protections, and without."""

import math
import sys
from collections.abc import Sequence
from pathlib import Path

import psutil
import pytest

from core.rollouts.types import Completion, ModelId, PeerId, PuzzleKey, RolloutGroup
from core.tasks.catalog import load_catalog
from core.tasks.scorer import IsolatedScorer
from core.tasks.verifiers import MAX_ANSWER
from tests.core.tasks.evil_judge import ROOT
from tests.core.tasks.hostile import hostile_answers, unsendable_answers

CATALOG = load_catalog()
BOOT_UNPROTECTED = """
import sys
sys.path.append(sys.argv[1])
from core.tasks.judge_process import load_catalog_examiner, run
sys.exit(run(load_catalog_examiner, ()))
"""
UNPROTECTED = (sys.executable, "-I", "-c", BOOT_UNPROTECTED, str(ROOT))


async def groups_with(scorer: IsolatedScorer, answers: Sequence[str]) -> list[RolloutGroup]:
    """A group for the easiest and one for the hardest level of each task."""
    keys = [
        PuzzleKey(task.id, level, seed=11, index=0)
        for task in CATALOG.tasks
        for level in (1, len(task.levels))
    ]
    completions = tuple(Completion(answer, ended=True) for answer in answers)
    return [
        RolloutGroup(q.key, q.digest, PeerId("b" * 64), ModelId("spark"), 1, completions)
        for q in await scorer.ask(keys)
    ]


def test_the_corpus_is_large(tmp_path: Path) -> None:
    """At least 200 different answers reach a verifier, and all fit."""
    answers = hostile_answers(tmp_path / "canary")
    assert len(answers) == len(set(answers)) >= 200
    assert max(map(len, answers)) == MAX_ANSWER


@pytest.mark.parametrize("command", [None, UNPROTECTED], ids=["protected", "unprotected"])
async def test_hostile_answers_do_nothing(command: Sequence[str] | None, tmp_path: Path) -> None:
    """Each gets a number in [0, 1] within its time limit, no file appears, the judge lives on.

    Without protections, too: it is the verifiers that run nothing.
    """
    answers = hostile_answers(tmp_path / "canary")
    async with IsolatedScorer(CATALOG, command=command) as scorer:
        groups = await groups_with(scorer, answers)
        (judge,) = psutil.Process().children()
        scored = await scorer.judge(groups)
        assert psutil.Process().children() == [judge]
    assert names_in(tmp_path) == []
    assert len(scored) == len(groups)
    for item in scored:
        assert len(item.rewards) == len(answers)
        assert all(math.isfinite(reward) and 0.0 <= reward <= 1.0 for reward in item.rewards)


async def test_unsendable_answers_are_wrong() -> None:
    """More than fits into an envelope, or a lone surrogate, earns nothing, at any task."""
    async with IsolatedScorer(CATALOG) as scorer:
        scored = await scorer.judge(await groups_with(scorer, unsendable_answers()))
    assert len(scored) == 2 * len(CATALOG.tasks)
    assert {reward for item in scored for reward in item.rewards} == {0.0}


def names_in(folder: Path) -> list[str]:
    return [path.name for path in folder.iterdir()]
