"""Groups that were tried, with as many right answers as a test wants."""

from core.rollouts.types import (
    Completion,
    ModelId,
    PeerId,
    PuzzleKey,
    Question,
    RolloutGroup,
    ScoredGroup,
    TaskId,
)


def tried(task: str, level: int, right: int, of: int = 8) -> ScoredGroup:
    """A group of which so many answers were right."""
    key = PuzzleKey(TaskId(task), level, 1, 0)
    rewards = (1.0,) * right + (0.0,) * (of - right)
    completions = tuple(Completion("x", ended=True) for _ in rewards)
    group = RolloutGroup(key, "0" * 16, PeerId("a"), ModelId("spark"), 1, completions)
    return ScoredGroup(Question(key, "?"), group, rewards)
