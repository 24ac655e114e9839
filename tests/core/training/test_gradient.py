from pathlib import Path

import pytest
import torch
from torch import Tensor

from core.errors import MemoryShortError
from core.models.catalog.catalog import load_models
from core.models.memory.budget import LEAST_ROWS, LEAST_SLOTS, Budget, SharedBudget
from core.models.memory.compute import Compute
from core.models.memory.fit import update_bytes
from core.models.policy.loading import load_policy
from core.models.policy.policy import Policy
from core.training import gradient
from core.training.batch import TrainingGroup
from core.training.gradient import accumulate_gradient, forget_gradients, gradients
from tests.naive_update import naive_loss
from tests.tiny_models import disturb_adapter, load_tiny_policy
from tests.training_groups import uneven_groups

GROUPS = uneven_groups(1)


@pytest.fixture
def policy(tmp_path: Path) -> Policy:
    """A tiny policy whose adapter matters."""
    policy = load_tiny_policy(tmp_path)
    disturb_adapter(policy)
    return policy


def _run_short(policy: Policy, passes: set[int]) -> None:
    """Let memory run out in the given forward passes, counted from 1."""
    count = 0

    def fail(*_: object) -> None:
        nonlocal count
        count += 1
        if count in passes:
            raise torch.OutOfMemoryError("CUDA out of memory. Tried to allocate 2.00 GiB.")

    policy.causal_lm.model.rotary_emb.register_forward_hook(fail)


def _gradients(policy: Policy) -> list[Tensor]:
    return [gradient.clone() for gradient in gradients(policy)]


def _relative_error(values: list[Tensor], references: list[Tensor]) -> float:
    value, reference = (torch.cat([g.flatten() for g in x]) for x in (values, references))
    return float((value - reference).norm() / reference.norm())


@pytest.mark.parametrize("slots", [1, 100, 150, 10_000])
def test_any_split_gives_the_whole_gradient(policy: Policy, slots: int) -> None:
    """One denominator for the whole update: micro-batches add up to the naive gradient."""
    adapter = list(policy.adapter().values())
    loss = naive_loss(policy.causal_lm, GROUPS, policy.eos_id)
    naive = list(torch.autograd.grad(loss, adapter))
    accumulate_gradient(policy, GROUPS, SharedBudget(Budget(training_slots=slots)))
    assert _relative_error(_gradients(policy), naive) < 1e-5


def test_an_uneven_group_is_taken_in_parts(policy: Policy, monkeypatch: pytest.MonkeyPatch) -> None:
    """One long completion among short ones: several passes, and the gradient of the whole."""
    monkeypatch.setattr("core.models.memory.fit._FEW_SCORES", 0)  # as if it were a large model
    completions = (tuple(range(60)), *[(n,) for n in range(19)])
    group = TrainingGroup((1, 2, 3), completions, (1.0, *[-0.1] * 19))
    adapter = list(policy.adapter().values())
    loss = naive_loss(policy.causal_lm, [group], policy.eos_id)
    naive = list(torch.autograd.grad(loss, adapter))
    passes: list[object] = []
    policy.causal_lm.model.rotary_emb.register_forward_hook(lambda *seen: passes.append(seen))
    accumulate_gradient(policy, [group], SharedBudget(Budget(training_slots=300)))
    assert len(passes) > 1
    assert _relative_error(_gradients(policy), naive) < 1e-5


def test_what_was_left_of_another_update_is_dropped(policy: Policy) -> None:
    """Twice is the same as once."""
    accumulate_gradient(policy, GROUPS, SharedBudget())
    found = _gradients(policy)
    accumulate_gradient(policy, GROUPS, SharedBudget())
    assert all(torch.equal(a, b) for a, b in zip(_gradients(policy), found, strict=True))
    forget_gradients(policy)
    assert gradients(policy) == []


@pytest.mark.parametrize(
    ("slots", "passes"), [(LEAST_SLOTS, {1}), (4 * LEAST_SLOTS, {1, 2, 3}), (LEAST_SLOTS // 2, {2})]
)
def test_running_out_of_memory_costs_time_only(
    policy: Policy, slots: int, passes: set[int]
) -> None:
    """At the start or half-way: it begins again with less at once, and nothing counts twice."""
    accumulate_gradient(policy, GROUPS, SharedBudget())
    expected = _gradients(policy)
    _run_short(policy, passes)
    budget = SharedBudget(Budget(training_slots=slots))
    smaller = budget.current
    for _ in passes:
        smaller = smaller.smaller_update() or smaller
    accumulate_gradient(policy, GROUPS, budget)
    assert budget.current == smaller
    assert _relative_error(_gradients(policy), expected) < 1e-5


def test_a_pass_that_would_not_fit_is_not_begun(
    policy: Policy, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Linux would grant the memory and kill the process that uses it: so less is done at once."""
    accumulate_gradient(policy, GROUPS, SharedBudget())
    expected = _gradients(policy)
    fitting = Budget(training_slots=512)
    free = update_bytes(policy.spec, policy.dtype.itemsize, fitting)
    monkeypatch.setattr("core.models.memory.budget.free_memory", lambda: free)
    budget = SharedBudget(Budget(training_slots=2048))
    accumulate_gradient(policy, GROUPS, budget)
    assert budget.current == fitting
    assert _relative_error(_gradients(policy), expected) < 1e-5


def test_with_nothing_left_to_give_up_it_says_so(policy: Policy) -> None:
    """One sentence for a person, and no half gradient left behind."""
    _run_short(policy, set(range(1, 100)))
    budget = SharedBudget(Budget(LEAST_SLOTS, LEAST_ROWS))
    with pytest.raises(MemoryShortError, match=r"memory of this computer.* ran out while Tiny"):
        accumulate_gradient(policy, GROUPS, budget)
    assert budget.current.checkpointing
    assert _gradients(policy) == []


def test_other_errors_are_not_taken_for_a_lack_of_memory(policy: Policy) -> None:
    """A mistake surfaces at once."""

    def fail(*_: object) -> None:
        raise RuntimeError("shapes do not match")

    policy.causal_lm.model.rotary_emb.register_forward_hook(fail)
    with pytest.raises(RuntimeError, match="shapes"):
        accumulate_gradient(policy, GROUPS, SharedBudget())


def test_float16_gives_the_gradient_that_float32_gives() -> None:
    """Scaled up so that nothing is lost, and down again: within 8 % on a starter."""
    full, half = (_starter(dtype) for dtype in (torch.float32, torch.float16))
    for policy in (full, half):
        accumulate_gradient(policy, GROUPS, SharedBudget())
    assert _relative_error(_gradients(half), _gradients(full)) < 0.08


def test_gradients_that_overflow_are_scaled_down(monkeypatch: pytest.MonkeyPatch) -> None:
    """With a scale far too large for float16 the update is taken all the same."""
    half = _starter(torch.float16)
    accumulate_gradient(half, GROUPS, SharedBudget())
    expected = _gradients(half)
    monkeypatch.setattr(gradient, "LOSS_SCALE", 2.0**30)
    accumulate_gradient(half, GROUPS, SharedBudget())
    assert _relative_error(_gradients(half), expected) < 0.03


def _starter(dtype: torch.dtype) -> Policy:
    return load_policy(load_models().get("spark"), 1, Compute(torch.device("cpu"), dtype))
