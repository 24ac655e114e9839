"""Sampler and learner on a device that refuses to mix, and counts how often it is waited for."""

from pathlib import Path

import pytest
import torch
from torch import Tensor

from core.engine.ports import Progress
from core.models.export.gguf_export import write_adapter
from core.models.memory.budget import Budget, SharedBudget
from core.models.memory.compute import ON_CPU, Compute
from core.models.policy.loading import load_policy
from core.models.policy.policy import Policy
from core.rollouts.recipes import recipe_named
from core.rollouts.types import Completion
from core.sampling import torch_sampler
from core.sampling.drawing import draw
from core.sampling.lean_model import LeanModel
from core.sampling.lean_weights import merged_weights
from core.sampling.steps import RecordedSteps, Step
from core.sampling.torch_sampler import LOOK_EVERY, TorchSampler, decode
from core.training.batch import pack
from core.training.checkpoints import CheckpointStore
from core.training.encoding import accepted
from core.training.gradient import accumulate_gradient
from core.training.learner import GrpoLearner
from core.training.loss import counted_terms
from tests.stand_in_device import StandInTensor, counting, recording, stand_in
from tests.tiny_models import (
    FAMILIES,
    Family,
    answered,
    build_tiny_model,
    disturb_adapter,
    question,
    tiny_spec,
)
from tests.training_groups import uneven_groups

QUESTIONS = [
    question("Calculate 1 + 2."),
    question("A" * 20, index=1),
    question("Calculate 12345 + 2 and then answer with the number alone, please.", index=2),
]
GROUPS = [
    answered("Calculate 1 + 2.", {"3": 1.0, "4": 0.0, "12": 0.0}),
    answered("Calculate 5 + 2.", {"7": 1.0, "5": 0.0}),
]
TOKENS = 40
"""Of a completion: steps enough for several looks at the rows."""

Pair = tuple[Policy, Policy]


def _pair(folder: Path, family: Family, dtype: torch.dtype = torch.float32) -> Pair:
    """The same policy on the processor and on the device, its adapter at work."""
    spec = tiny_spec(build_tiny_model(folder, family), family, TOKENS)
    devices = (ON_CPU.device, stand_in())
    here, there = (load_policy(spec, 0, Compute(device, dtype)) for device in devices)
    disturb_adapter(here)
    for name, factor in there.adapter().items():
        factor.detach().copy_(here.adapter()[name].detach())
    there.learned()
    return here, there


@pytest.fixture(scope="module", params=FAMILIES)
def pair(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Pair:
    """A policy of each family in float32."""
    return _pair(tmp_path_factory.mktemp("pair"), request.param)


def _ids(groups: list[tuple[Completion, ...]]) -> list[tuple[int, ...]]:
    return [c.tokens.ids for group in groups for c in group if c.tokens is not None]


def _logprobs(groups: list[tuple[Completion, ...]]) -> Tensor:
    tokens = [c.tokens for group in groups for c in group if c.tokens is not None]
    return torch.tensor([one for each in tokens for one in each.logprobs])


@pytest.mark.parametrize("greedy", [False, True])
def test_completions_are_those_of_the_processor(pair: Pair, greedy: bool) -> None:  # noqa: FBT001 - a parameter
    """Prompts of uneven length, rows that leave, chance or none: the same tokens."""
    here, there = (
        TorchSampler(policy, greedy=greedy).complete(QUESTIONS, 6, seed=3) for policy in pair
    )
    assert greedy or len(set(map(len, _ids(here)))) > 2
    assert _ids(here) == _ids(there)
    assert torch.allclose(_logprobs(here), _logprobs(there), atol=1e-4)


@pytest.mark.parametrize("dtype", [torch.bfloat16, torch.float16])
def test_half_precision_mixes_nothing_either(tmp_path: Path, dtype: torch.dtype) -> None:
    """Rounding decides some draws there; the likeliest first tokens agree."""
    pair = _pair(tmp_path, "qwen2", dtype)
    assert len(_ids(TorchSampler(pair[1]).complete(QUESTIONS, 4, seed=3))) == 12
    here, there = (
        TorchSampler(policy, greedy=True).complete(QUESTIONS, 1, seed=3, most_tokens=1)
        for policy in pair
    )
    assert _ids(here) == _ids(there)
    assert torch.allclose(_logprobs(here), _logprobs(there), atol=0.2)


def test_a_step_waits_for_nothing(pair: Pair) -> None:
    """The host is held up by each look at the rows, and by the result, however many steps."""
    _, there = pair
    prompts = [there.encode_prompt(one.prompt) for one in QUESTIONS]
    noise = torch.rand(
        3, 4, TOKENS, dtype=torch.float64, generator=torch.Generator().manual_seed(1)
    )
    waits = []
    with torch.inference_mode():
        model = LeanModel(merged_weights(there))
        for budget in (1, 2, LOOK_EVERY + 1, TOKENS):
            with counting() as found:
                decode(model, prompts, noise[..., :budget], -1, draw)
            waits.append(found.count)
    assert waits == [1, 2, 2, 4]  # one before the first step, and one after every sixteen


def _record(step: Step) -> Step:
    """As CUDA does: what is recorded asks nothing and sends nothing."""
    with counting() as found, recording() as calls:
        step()
    assert (found.count, found.sent) == (0, 0)
    recorded = list(calls)
    first = [True]

    def replay() -> None:
        if first.pop() if first else False:
            return  # it was done as it was recorded
        for call in recorded:
            call()

    return replay


def test_a_recorded_step_draws_what_launched_ones_do(
    pair: Pair, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The same operations in the same memory, again and again, while rows leave in between."""

    def steps_on(device: torch.device, step: Step) -> RecordedSteps:
        assert device == stand_in()
        return RecordedSteps(step, _record)

    here, there = pair
    expected = TorchSampler(here).complete(QUESTIONS, 6, seed=3)
    monkeypatch.setattr(torch_sampler, "steps_on", steps_on)
    found = TorchSampler(there).complete(QUESTIONS, 6, seed=3)
    assert _ids(found) == _ids(expected)


@pytest.mark.parametrize(
    ("family", "dtype", "checkpointing"),
    [
        *((family, torch.float32, False) for family in FAMILIES),
        ("qwen2", torch.float32, True),  # of folded weights
        ("qwen2", torch.bfloat16, False),
        ("qwen3", torch.float16, False),
        ("llama", torch.float16, True),
    ],
)
def test_gradients_are_those_of_the_processor(
    tmp_path: Path,
    family: Family,
    dtype: torch.dtype,
    checkpointing: bool,  # noqa: FBT001 - a parameter
) -> None:
    """Of several packed batches, activations kept or computed again, and scaled for float16."""
    here, there = _pair(tmp_path, family, dtype)
    budget = Budget(training_slots=64, checkpointing=checkpointing)
    groups = uneven_groups(1)
    for each in (here, there):
        accumulate_gradient(each, groups, SharedBudget(budget))
    exact = dtype == torch.float32
    for name, factor in here.adapter().items():
        other = there.adapter()[name].grad
        assert isinstance(other, StandInTensor)
        assert factor.grad is not None
        gap = (factor.grad - other.cpu()).norm() / factor.grad.norm()
        assert gap < (1e-4 if exact else 0.1)


def test_a_batch_is_sent_in_one_copy() -> None:
    """And arrives as it was laid out."""
    groups = uneven_groups(2)
    with counting() as found:
        there = pack(groups, stand_in())
    assert (found.sent, found.count) == (1, 0)
    here = pack(groups)
    assert torch.equal(there.rectangles.completions.cpu(), here.rectangles.completions)
    assert torch.equal(there.targets.cpu(), here.targets)
    assert torch.equal(there.advantages.cpu(), here.advantages)


def test_a_gradient_is_waited_for_by_nobody(pair: Pair) -> None:
    """However many batches there are: an update asks once, for its norm."""
    _, there = pair
    groups = uneven_groups(3)
    assert counted_terms(groups) > 0
    waits = []
    for slots in (32, 1024):
        with counting() as found:
            accumulate_gradient(there, groups, SharedBudget(Budget(training_slots=slots)))
        waits.append(found.count)
    assert waits == [0, 0]


def test_a_learner_goes_on_from_what_the_processor_saved(tmp_path: Path) -> None:
    """Saved here and resumed there, it learns the same and saves the same; so does its filter."""
    here, there = _pair(tmp_path / "pair", "qwen3")
    store = CheckpointStore(tmp_path / "checkpoints")
    learner, other = (GrpoLearner(policy, store) for policy in (here, there))
    learner.update(GROUPS)
    learner.save(Progress(7, 1, "sapo"))
    assert other.resume() == Progress(7, 1, "sapo")
    reports = [one.update(GROUPS) for one in (learner, other)]
    assert reports[0].grad_norm == pytest.approx(reports[1].grad_norm, rel=1e-4)
    other.save(Progress(7, 2, "sapo"))
    saved = store.newest()
    assert saved is not None
    for name, factor in here.adapter().items():
        assert torch.allclose(saved.tensors[f"adapter/{name}"], factor.detach(), atol=1e-4)
    recipe = recipe_named("waggle")
    kept = [accepted(policy, GROUPS, recipe, SharedBudget()) for policy in (here, there)]
    assert [one.group for one in kept[0]] == [one.group for one in kept[1]]


def test_an_adapter_is_exported_from_where_it_is(pair: Pair, tmp_path: Path) -> None:
    """llama.cpp reads the same file from either."""
    for name, policy in zip(("here", "there"), pair, strict=True):
        write_adapter(policy, tmp_path / name)
    assert (tmp_path / "here").read_bytes() == (tmp_path / "there").read_bytes()
