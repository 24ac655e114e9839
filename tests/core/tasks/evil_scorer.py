"""Real scorers with evil judges, and groups to give them."""

from collections.abc import Sequence

import psutil

from core.rollouts.types import Completion, ModelId, PeerId, PuzzleKey, Question, RolloutGroup
from core.tasks.scorer import IsolatedScorer, JudgeTimeouts
from tests.core.tasks.evil_judge import EVIL_CATALOG, evil_command, evil_keys

QUICK = JudgeTimeouts(start_s=20.0, question_s=5.0, answer_s=0.5)
PROMPT = "Say right. This is number {}."


def group_of(
    key: PuzzleKey, answers: Sequence[str], digest: str | None = None, name: str = "a"
) -> RolloutGroup:
    """A group that answers the evil question of ``key``."""
    question = Question(key, PROMPT.format(key.seed + key.index))
    return RolloutGroup(
        key=key,
        digest=question.digest if digest is None else digest,
        author=PeerId(name * 64),
        model=ModelId("spark"),
        round=1,
        completions=tuple(Completion(text, ended=True) for text in answers),
    )


def evil_scorer(mood: str = "confined", timeouts: JudgeTimeouts = QUICK) -> IsolatedScorer:
    return IsolatedScorer(EVIL_CATALOG, timeouts=timeouts, command=evil_command(mood))


async def rewards_of(scorer: IsolatedScorer, *answers: str) -> tuple[float, ...]:
    (scored,) = await scorer.judge([group_of(evil_keys([0])[0], answers)])
    return scored.rewards


def judge_processes() -> list[psutil.Process]:
    """The children of this process, which starts nothing else."""
    return list(psutil.Process().children())
