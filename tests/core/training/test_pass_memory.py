"""What memory a pass takes whose question is longer than they are as a rule."""

from pathlib import Path

import pytest

from core.models.memory.budget import Budget, SharedBudget
from core.models.memory.fit import PROMPT_TOKENS, update_bytes
from core.models.policy.policy import Policy
from core.training.batch import TrainingGroup
from core.training.checkpoints import CheckpointStore
from core.training.learner import GrpoLearner
from core.training.pass_memory import has_room, pass_bytes
from tests.tiny_models import answered, load_tiny_policy

BUDGET = Budget(training_slots=256)


@pytest.fixture
def policy(tmp_path: Path) -> Policy:
    return load_tiny_policy(tmp_path)


def asked(tokens: int, answers: int = 2) -> TrainingGroup:
    return TrainingGroup((5,) * tokens, ((6, 7),) * answers, (0.5, -0.5)[:answers])


def test_a_usual_pass_takes_what_its_budget_counts_on(policy: Policy) -> None:
    """Nobody plans for two numbers."""
    usual = update_bytes(policy.spec, policy.dtype.itemsize, BUDGET)
    assert pass_bytes(policy, [asked(20)], BUDGET) == usual


def test_scores_grow_with_the_square_of_a_question(policy: Policy) -> None:
    """All of them are held, layer by layer, unless they are made again on the way back."""
    held, again = (
        [pass_bytes(policy, [asked(n)], budget) for n in (8_000, 16_000)]
        for budget in (BUDGET, Budget(256, checkpointing=True))
    )
    scores = 16_000**2 * policy.spec.shape.heads * policy.dtype.itemsize
    assert held[1] > 3.5 * held[0]
    assert held[1] > policy.spec.shape.layers * scores
    assert scores < again[1] < held[1]


def test_a_long_question_needs_room(policy: Policy, monkeypatch: pytest.MonkeyPatch) -> None:
    """By the longest of its completions, as nothing is smaller; usual ones are planned for."""
    long = asked(PROMPT_TOKENS + 100, answers=1)
    need = pass_bytes(policy, [long], BUDGET)
    for free, found in ((need, True), (need - 1, False)):
        monkeypatch.setattr("core.training.pass_memory.free_memory", lambda free=free: free)
        assert has_room(policy, asked(PROMPT_TOKENS + 100), BUDGET) is found
        assert has_room(policy, asked(PROMPT_TOKENS), BUDGET)


def test_what_has_no_room_costs_no_update(
    policy: Policy, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A kill would come again: a run alone meets the same question after its restart."""
    monkeypatch.setattr("core.training.pass_memory.PROMPT_TOKENS", 10)
    monkeypatch.setattr("core.training.pass_memory.free_memory", lambda: 0)
    learner = GrpoLearner(policy, CheckpointStore(tmp_path), "waggle", SharedBudget())
    short, long = (answered(prompt, {"3": 1.0, "4": 0.0}) for prompt in ("1", "word " * 20))
    assert learner.update([long]).trained == ()
    assert learner.accept([long]) == []
    assert learner.update([long, short]).trained == (short,)
