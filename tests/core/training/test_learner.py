import subprocess
import sys
from pathlib import Path

import pytest
import torch
from msgspec import structs
from torch import Tensor

from core.engine.ports import Learner, Progress
from core.errors import CheckpointError
from core.models.loading import load_policy
from core.models.policy import Policy
from core.training import learner as learner_module
from core.training.checkpoints import CheckpointStore
from core.training.learner import GrpoLearner
from tests.naive_update import lone_logprobs
from tests.tiny_models import (
    FAMILIES,
    Family,
    answered,
    build_tiny_model,
    load_tiny_policy,
    tiny_spec,
)

ROOT = Path(__file__).parents[3]
ANSWERS = [
    ("Calculate 1 + 2.", {"3": 1.0, "4": 0.0, "number": 0.0}),
    ("Calculate 2 + 2 and answer with the number alone.", {"4": 1.0, "22": 0.0}),
]
GROUPS = [answered(prompt, answers) for prompt, answers in ANSWERS]
FLAT = answered("Calculate 5 + 5.", {"1": 0.0, "2": 0.0})


def _learner(policy: Policy, folder: Path) -> GrpoLearner:
    return GrpoLearner(policy, CheckpointStore(folder / "checkpoints"))


def _snapshot(policy: Policy) -> dict[str, Tensor]:
    return {name: parameter.detach().clone() for name, parameter in policy.adapter().items()}


def _equal(one: dict[str, Tensor], other: dict[str, Tensor]) -> bool:
    return one.keys() == other.keys() and all(torch.equal(one[n], other[n]) for n in one)


def _logprob(policy: Policy, prompt: str, text: str) -> float:
    with torch.no_grad():
        ids = policy.encode_completion(text, ended=True)
        return lone_logprobs(policy.causal_lm, policy.encode_prompt(prompt), ids).sum().item()


def test_the_learner_fits_the_engine(tmp_path: Path) -> None:
    """It has the shape of the port that the engine knows."""
    learner: Learner = _learner(load_tiny_policy(tmp_path), tmp_path)
    assert learner.resume() is None


@pytest.mark.parametrize("family", FAMILIES)
def test_the_good_completion_becomes_likelier(tmp_path: Path, family: Family) -> None:
    """After a few updates the rewarded answer gained and an unrewarded one lost."""
    policy = load_tiny_policy(tmp_path, family)
    learner = _learner(policy, tmp_path)
    prompt = "Calculate 1 + 2."
    good, bad = _logprob(policy, prompt, "3"), _logprob(policy, prompt, "4")
    for _ in range(5):
        learner.update(GROUPS)
    assert _logprob(policy, prompt, "3") > good + 0.5
    assert _logprob(policy, prompt, "4") < bad


def test_the_end_of_a_good_completion_becomes_likelier(tmp_path: Path) -> None:
    """The end token is part of what is learnt."""
    policy = load_tiny_policy(tmp_path, "qwen2")
    learner = _learner(policy, tmp_path)
    prompt = policy.encode_prompt("Calculate 1 + 2.")
    ids = policy.encode_completion("3", ended=True)

    def end() -> float:
        with torch.no_grad():
            return lone_logprobs(policy.causal_lm, prompt, ids)[-1].item()

    before = end()
    for _ in range(5):
        learner.update(GROUPS)
    assert end() > before


def test_the_report_counts_what_was_trained(tmp_path: Path) -> None:
    """Groups and completion tokens in the loss; a flat group is in neither."""
    policy = load_tiny_policy(tmp_path)
    report = _learner(policy, tmp_path).update([*GROUPS, FLAT])
    tokens = sum(
        len(policy.encode_completion(completion.text, ended=True))
        for scored in GROUPS
        for completion in scored.group.completions
    )
    assert (report.trained_groups, report.trained_tokens) == (2, tokens)
    assert report.grad_norm > 0


def test_a_flat_group_changes_nothing(tmp_path: Path) -> None:
    """The update with it is the update without it, bit for bit."""
    spec = tiny_spec(build_tiny_model(tmp_path))
    with_flat, without = load_policy(spec, seed=1), load_policy(spec, seed=1)
    _learner(with_flat, tmp_path).update([FLAT, *GROUPS])
    _learner(without, tmp_path).update(GROUPS)
    assert _equal(_snapshot(with_flat), _snapshot(without))


def test_nothing_to_learn_is_no_step(tmp_path: Path) -> None:
    """Not even Adam's momentum moves the adapter in a round that taught nothing."""
    policy = load_tiny_policy(tmp_path)
    learner = _learner(policy, tmp_path)
    learner.update(GROUPS)
    before = _snapshot(policy)
    assert learner.update([FLAT]).trained_groups == 0
    assert learner.update([]).trained_tokens == 0
    assert _equal(_snapshot(policy), before)


def test_a_gradient_that_is_no_number_is_not_learnt(tmp_path: Path) -> None:
    """An overflow costs one round and never the adapter."""
    policy = load_tiny_policy(tmp_path)
    learner = _learner(policy, tmp_path)
    with torch.no_grad():
        weight = policy.causal_lm.model.norm.weight
        original = weight.clone()
        weight.fill_(torch.nan)
    before = _snapshot(policy)
    assert learner.update(GROUPS).trained_groups == 0
    assert _equal(_snapshot(policy), before)
    with torch.no_grad():
        weight.copy_(original)
    assert learner.update(GROUPS).trained_groups == 2
    assert all(tensor.isfinite().all() for tensor in _snapshot(policy).values())


def test_memory_bounds_do_not_change_what_is_learnt(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """One group at a time learns what all groups together learn."""
    spec = tiny_spec(build_tiny_model(tmp_path))
    whole, split = load_policy(spec, seed=1), load_policy(spec, seed=1)
    reference = _learner(whole, tmp_path).update(GROUPS)
    monkeypatch.setattr(learner_module, "MAX_SLOTS", 1)
    report = _learner(split, tmp_path).update(GROUPS)
    assert report.grad_norm == pytest.approx(reference.grad_norm, rel=1e-4)
    assert report.loss == pytest.approx(reference.loss, abs=1e-6)


@pytest.mark.parametrize("family", FAMILIES)
@pytest.mark.parametrize("rounds", [0, 3])
def test_resume_is_exact(tmp_path: Path, family: Family, rounds: int) -> None:
    """Save, forget everything, resume: the next updates give the same bits."""
    spec = tiny_spec(build_tiny_model(tmp_path, family), family)
    policy = load_policy(spec, seed=1)
    learner = _learner(policy, tmp_path)
    for _ in range(rounds):
        learner.update(GROUPS)
    progress = Progress(seed=7, round=rounds, recipe="sapo")
    learner.save(progress)
    learner.update(GROUPS)
    learner.update(GROUPS[:1])

    torch.manual_seed(123)
    fresh_policy = load_policy(spec, seed=99)
    fresh = _learner(fresh_policy, tmp_path)
    assert fresh.resume() == progress
    fresh.update(GROUPS)
    fresh.update(GROUPS[:1])
    assert _equal(_snapshot(fresh_policy), _snapshot(policy))


def test_a_killed_process_is_continued_exactly(tmp_path: Path) -> None:
    """Another process learns, saves, and dies by SIGKILL; this one goes on as if it had not."""
    spec = tiny_spec(build_tiny_model(tmp_path))
    child = f"""
import os, signal, sys
from pathlib import Path
import torch
from msgspec import structs
from core.engine.ports import Progress
from core.models.loading import load_policy
from core.training.checkpoints import CheckpointStore
from core.training.learner import GrpoLearner
from tests.tiny_models import answered, tiny_spec
GROUPS = [answered(prompt, answers) for prompt, answers in {ANSWERS!r}]
torch.set_num_threads({torch.get_num_threads()})
learner = GrpoLearner(
    load_policy(tiny_spec(Path({str(tmp_path)!r})), seed=1),
    CheckpointStore(Path({str(tmp_path / "checkpoints")!r})),
)
for round in (1, 2, 3):
    learner.update(GROUPS)
    learner.save(Progress(7, round, "sapo"))
learner.update(GROUPS)
os.kill(os.getpid(), signal.SIGKILL)
"""
    assert subprocess.call([sys.executable, "-c", child], cwd=ROOT) == -9  # noqa: S603 - as above
    resumed_policy, whole_policy = load_policy(spec, seed=1), load_policy(spec, seed=1)
    resumed = _learner(resumed_policy, tmp_path)
    assert resumed.resume() == Progress(7, 3, "sapo")
    resumed.update(GROUPS)
    whole = _learner(whole_policy, tmp_path)
    for _ in range(4):
        whole.update(GROUPS)
    assert _equal(_snapshot(resumed_policy), _snapshot(whole_policy))


@pytest.mark.parametrize("change", ["model", "base", "rank"])
def test_the_checkpoint_of_another_model_is_refused(tmp_path: Path, change: str) -> None:
    """Another name, other base weights or another rank: said in words, and nothing is loaded."""
    folder = build_tiny_model(tmp_path / "a")
    _learner(load_policy(tiny_spec(folder), seed=1), tmp_path).save(Progress(7, 1, "sapo"))
    spec = tiny_spec(folder)
    if change == "model":
        spec = tiny_spec(build_tiny_model(tmp_path / "b", "qwen2"), "qwen2")
    elif change == "rank":
        spec = structs.replace(spec, lora_rank=8)
    policy = load_policy(spec, seed=1)
    if change == "base":
        policy.causal_lm.model.norm.weight.detach().add_(0.01)
    before = _snapshot(policy)
    with pytest.raises(CheckpointError, match="another version of the model Tiny"):
        _learner(policy, tmp_path).resume()
    assert _equal(_snapshot(policy), before)
