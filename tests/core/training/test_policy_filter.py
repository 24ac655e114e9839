"""Which of the strangers' texts the policy might have written itself."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from random import Random

import pytest
import torch

from core.models.memory.budget import LEAST_SLOTS, Budget, SharedBudget
from core.models.memory.fit import update_bytes
from core.models.policy.policy import Policy
from core.training.batch import TrainingGroup, pack
from core.training.body import TrainingBody
from core.training.loss import token_logprobs
from core.training.policy_filter import MOST_SURPRISE, plausible
from tests.tiny_models import disturb_adapter, load_tiny_policy

PROMPT = (3, 7, 4)


@pytest.fixture(scope="module")
def policy(tmp_path_factory: pytest.TempPathFactory) -> Policy:
    """A tiny policy with strong opinions: its head is scaled up."""
    folder: Path = tmp_path_factory.mktemp("tiny")
    policy = load_tiny_policy(folder)
    disturb_adapter(policy)
    with torch.no_grad():
        policy.causal_lm.lm_head.weight.mul_(6)
    return policy


def continued(policy: Policy, *, likely: bool, length: int = 5) -> tuple[int, ...]:
    """The likeliest continuation of the prompt, token by token, or the unlikeliest."""
    ids: tuple[int, ...] = ()
    with torch.inference_mode():
        for _ in range(length):
            logits = policy.causal_lm(torch.tensor([[*PROMPT, *ids]])).logits[0, -1]
            ids += (int(logits.argmax() if likely else logits.argmin()),)
    return ids


def surprise(policy: Policy, ids: tuple[int, ...]) -> float:
    """Nats a token."""
    with torch.inference_mode():
        batch = pack([TrainingGroup(PROMPT, (ids,), (1.0,))])
        return -float(token_logprobs(TrainingBody(policy), batch).mean())


def group(*members: tuple[tuple[int, ...], float]) -> TrainingGroup:
    return TrainingGroup(PROMPT, tuple(m[0] for m in members), tuple(m[1] for m in members))


def verdicts(policy: Policy, one: TrainingGroup, budget: SharedBudget | None = None) -> list[bool]:
    (found,) = plausible(policy, [one], budget or SharedBudget())
    assert all(verdict.throughout for verdict in found if verdict.in_the_mean)
    return [verdict.in_the_mean for verdict in found]


def test_each_completion_is_judged_by_itself(policy: Policy) -> None:
    """Nothing strange passes because its sibling looks familiar."""
    familiar, strange = continued(policy, likely=True), continued(policy, likely=False)
    assert surprise(policy, familiar) < MOST_SURPRISE < surprise(policy, strange)
    both = group((familiar, 1.0), (strange, -1.0))
    assert verdicts(policy, both) == [True, False]


def test_a_rare_word_among_likely_ones_may_be_learnt(policy: Policy) -> None:
    """The mean decides: what is rare and right is just what sharing is for."""
    likely = continued(policy, likely=True, length=40)
    with torch.inference_mode():
        rare = int(policy.causal_lm(torch.tensor([[*PROMPT, *likely]])).logits[0, -1].argmin())
    right = (*likely, rare)
    last = surprise(policy, right) * len(right) - surprise(policy, likely) * len(likely)
    assert last > 2 * MOST_SURPRISE
    assert verdicts(policy, group((right, 1.0), (likely, -1.0))) == [True, True]


def test_one_token_that_the_policy_would_not_say_is_told(policy: Policy) -> None:
    """However likely all others make the mean."""
    likely = continued(policy, likely=True, length=40)
    with torch.inference_mode():
        rare = int(policy.causal_lm(torch.tensor([[*PROMPT, *likely]])).logits[0, -1].argmin())
    one = group(((*likely, rare), 1.0), (likely, -1.0))
    assert plausible(policy, [one], SharedBudget(), 0.005) == [[(True, False), (True, True)]]


def test_the_memory_that_there_is_changes_nothing(policy: Policy) -> None:
    """All groups in one pass or a completion at a time: the same answers, in the same order."""
    rng = Random(5)
    little = SharedBudget(Budget(training_slots=4))
    groups = [
        group(
            *(
                (continued(policy, likely=rng.random() < 0.6, length=rng.randrange(1, 6)), 1.0)
                for _ in range(rng.randrange(1, 5))
            )
        )
        for _ in range(12)
    ]
    found = plausible(policy, groups, SharedBudget())
    assert found == plausible(policy, groups, little)
    alone = [verdicts(policy, one) for one in groups]
    assert [[verdict.in_the_mean for verdict in each] for each in found] == alone
    assert {True, False} == {verdict for each in alone for verdict in each}


def test_it_leaves_no_gradient(policy: Policy) -> None:
    """Only looking."""
    one = group((continued(policy, likely=True), 1.0))
    twice = replace(one, completions=one.completions * 2, advantages=(1.0, 1.0))
    verdicts(policy, twice, SharedBudget(Budget(training_slots=9)))
    assert all(factor.grad is None for factor in policy.adapter().values())


@contextmanager
def failing(policy: Policy, *errors: Exception) -> Iterator[None]:
    """Let the first passes end in ``errors``, one each."""
    coming = iter(errors)

    def fail(*_: object) -> None:
        if error := next(coming, None):
            raise error

    hook = policy.causal_lm.model.rotary_emb.register_forward_hook(fail)
    try:
        yield
    finally:
        hook.remove()


def short() -> Exception:
    return torch.OutOfMemoryError("CUDA out of memory.")


@pytest.mark.parametrize("likely", [True, False])
def test_where_memory_runs_out_it_is_read_again(policy: Policy, *, likely: bool) -> None:
    """With less at once, which both sides of the budget remember; the answer is the same."""
    budget = SharedBudget(Budget(training_slots=4 * LEAST_SLOTS))
    one = group((continued(policy, likely=likely), 1.0))
    with failing(policy, short(), short()):
        assert verdicts(policy, one, budget) == [likely]
    assert budget.current.training_slots == LEAST_SLOTS


def test_a_pass_that_would_not_fit_is_not_begun(
    policy: Policy, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Linux would grant the memory and kill the process that uses it; no way back is counted."""
    budget, fitting = SharedBudget(Budget(4 * LEAST_SLOTS)), Budget(LEAST_SLOTS)
    size = policy.dtype.itemsize
    free = update_bytes(policy.spec, size, replace(fitting, checkpointing=True))
    monkeypatch.setattr("core.models.memory.budget.free_memory", lambda: free)
    assert verdicts(policy, group((continued(policy, likely=True), 1.0)), budget) == [True]
    assert budget.current == fitting


def test_what_there_is_no_memory_for_is_not_plausible(policy: Policy) -> None:
    """One group less to learn from, and not the end of practice."""
    one = group((continued(policy, likely=True), 1.0))
    with failing(policy, *(short() for _ in range(50))):
        assert verdicts(policy, one) == [False]


def test_other_errors_are_no_lack_of_memory(policy: Policy) -> None:
    """A mistake surfaces at once."""
    one = group((continued(policy, likely=True), 1.0))
    with (
        failing(policy, RuntimeError("shapes do not match")),
        pytest.raises(RuntimeError, match="shapes"),
    ):
        verdicts(policy, one)
