import itertools
import math
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest
import torch
from msgspec import structs
from safetensors.torch import load, save_file
from torch import Tensor

from core.engine.ports import Learner, Progress
from core.errors import CheckpointError
from core.models.memory.budget import Budget, SharedBudget
from core.models.policy.loading import load_policy
from core.models.policy.policy import Policy
from core.rollouts.types import Completion, SampledTokens, ScoredGroup
from core.training import learner as learning
from core.training.checkpoints import CheckpointStore
from core.training.learner import GrpoLearner, decayed
from core.training.policy_filter import MOST_SURPRISE
from tests.core.training.working import BARE, PROMPT, RIGHT, working_policy
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


def _learner(policy: Policy, folder: Path, recipe: str = "sapo") -> GrpoLearner:
    return GrpoLearner(policy, CheckpointStore(folder / "checkpoints"), recipe)


def _snapshot(policy: Policy) -> dict[str, Tensor]:
    return {name: parameter.detach().clone() for name, parameter in policy.adapter().items()}


def _equal(one: dict[str, Tensor], other: dict[str, Tensor]) -> bool:
    return one.keys() == other.keys() and all(torch.equal(one[n], other[n]) for n in one)


def _own(scored: ScoredGroup, policy: Policy) -> ScoredGroup:
    """The same group as if this node's sampler had drawn it, each token with probability 1/2."""

    def drawn(completion: Completion) -> Completion:
        ids = policy.encode_completion(completion.text, ended=completion.ended)
        return replace(completion, tokens=SampledTokens(tuple(ids), (-math.log(2),) * len(ids)))

    completions = tuple(map(drawn, scored.group.completions))
    return replace(scored, group=replace(scored.group, completions=completions))


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


def test_the_report_tells_what_was_trained(tmp_path: Path) -> None:
    """Groups, as they were given, and completion tokens in the loss; a flat group is in neither."""
    policy = load_tiny_policy(tmp_path)
    report = _learner(policy, tmp_path).update([GROUPS[0], FLAT, GROUPS[1]])
    tokens = sum(
        len(policy.encode_completion(completion.text, ended=True))
        for scored in GROUPS
        for completion in scored.group.completions
    )
    assert (report.trained, report.trained_tokens) == (tuple(GROUPS), tokens)
    assert report.grad_norm > 0


def test_many_groups_share_the_room_of_an_update(tmp_path: Path) -> None:
    """Where the recipe bounds it: with nine groups each has a pair left, with eight four."""
    learner = _learner(load_tiny_policy(tmp_path), tmp_path, "waggle-adaptive")
    wrong = {str(number): 0.0 for number in range(4, 8)}
    groups = [answered(f"{n} + 2", {"3": 1.0, **wrong}) for n in range(1, 10)]
    tokens = [learner.update(groups[:count]).trained_tokens for count in (8, 9)]
    assert tokens[1] / 9 == pytest.approx(tokens[0] / 8 / 2)


def test_a_lesson_is_learnt_in_full_beside_short_own_answers(tmp_path: Path) -> None:
    """The bound on groups of others is for strangers: without it the same is learnt."""
    spec = tiny_spec(build_tiny_model(tmp_path))
    lesson = replace(answered("4 + 4", {"3": 0.0, "1234567890": 1.0}), trusted=True)
    norms = []
    for recipe in ("waggle", "waggle-unbounded"):
        policy = load_policy(spec, seed=1)
        own = _own(answered("1 + 2", {"3": 1.0, "4": 0.0}), policy)
        norms.append(_learner(policy, tmp_path, recipe).update([own, lesson]).grad_norm)
    assert norms[0] == norms[1]


@pytest.mark.parametrize("recipe", ["waggle", "waggle-gspo"])
def test_what_was_tried_in_vain_makes_a_step_smaller(tmp_path: Path, recipe: str) -> None:
    """By as much as it is of all own tries, in tokens or, with a ratio for each answer, answers."""
    policy = load_policy(
        structs.replace(tiny_spec(build_tiny_model(tmp_path)), learning_rate=0.0), seed=1
    )
    learner = _learner(policy, tmp_path, recipe)
    told = _own(answered("1 + 2", {"3": 1.0, "4": 0.0}), policy)
    vain = _own(answered("7 + 8", {"5": 0.0, "6": 0.0}), policy)
    norms = []
    for tries in ([told], [told, vain, vain]):
        learner.observe(tries)
        norms.append(learner.update([told]).grad_norm)
    assert norms[0] == pytest.approx(3 * norms[1], rel=1e-4)


def test_what_working_brings_is_learnt_from_own_tries_and_kept(tmp_path: Path) -> None:
    """Others' groups teach by it then, and after a checkpoint just the same."""
    spec = tiny_spec(build_tiny_model(tmp_path))
    policies = [load_policy(spec, seed=1) for _ in range(2)]
    theirs = answered(PROMPT, {RIGHT: 1.0, BARE: 0.0})
    learner, resumed = (_learner(policy, tmp_path, "waggle-adaptive") for policy in policies)
    assert learner.update([theirs]).trained == ()
    learner.observe([_own(theirs, policies[0])])
    learner.save(Progress(1, 1, "waggle-adaptive"))
    resumed.resume()
    assert [one.update([theirs]).trained for one in (learner, resumed)] == [(theirs,)] * 2
    assert _equal(*map(_snapshot, policies))


def test_what_teaches_nothing_any_more_is_not_told_as_trained(tmp_path: Path) -> None:
    """It may have been accepted rounds ago, when working was found to bring something."""
    policy = load_tiny_policy(tmp_path)
    theirs, own = answered(PROMPT, {RIGHT: 1.0, BARE: 0.0}), _own(GROUPS[0], policy)
    report = _learner(policy, tmp_path, "waggle-adaptive").update([theirs, own])
    assert report.trained == (own,)


def test_a_round_that_is_short_of_time_learns_from_fewer_answers(tmp_path: Path) -> None:
    """Of each group as many as are asked for, one that is right and one that is wrong at least."""
    policy = load_tiny_policy(tmp_path)
    learner = _learner(policy, tmp_path)
    whole = learner.update(GROUPS)
    short = [learner.update(GROUPS, most) for most in (2, 1)]
    assert [one.trained for one in short] == [whole.trained] * 2
    pair = sum(len(policy.encode_completion(text, ended=True)) for text in ("3", "4", "4", "22"))
    assert [one.trained_tokens for one in short] == [pair, pair] != [whole.trained_tokens] * 2


def test_others_are_accepted_where_they_are_plausible(tmp_path: Path) -> None:
    """An untrained policy finds everything as likely as a guess; one with opinions does not."""
    policy = load_tiny_policy(tmp_path)
    learner = _learner(policy, tmp_path, "waggle")
    group = answered("1 + 2", {"12": 1.0, "7": 0.0})
    assert math.log(policy.causal_lm.config.vocab_size) > MOST_SURPRISE
    with torch.no_grad():
        policy.causal_lm.lm_head.weight.mul_(0)
    assert learner.accept([group]) == []
    assert _learner(policy, tmp_path, "waggle-trusting").accept([group]) == [group]


def test_what_working_brings_is_heard_from_five_others(tmp_path: Path) -> None:
    """Until then groups that only tell by it are refused."""
    learner = _learner(working_policy(tmp_path), tmp_path, "waggle-adaptive")
    scored = answered(PROMPT, {RIGHT: 1.0, BARE: 0.0})
    groups = [replace(scored, group=replace(scored.group, site=name)) for name in "abcde"]
    heard = groups[:4] * 2
    assert learner.accept(heard) == []
    assert learner.accept(groups[4:] * 2) == groups[4:] * 2


@pytest.mark.parametrize("recipe", ["sapo", "waggle"])
def test_what_does_not_fit_is_not_accepted(tmp_path: Path, recipe: str) -> None:
    """It would take the place of something that can be learnt."""
    learner = _learner(load_tiny_policy(tmp_path), tmp_path, recipe)
    assert learner.accept([answered("1 + 2", {"9" * 500: 1.0, "7": 0.0})]) == []


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
    assert learner.update([FLAT]).trained == ()
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
    assert learner.update(GROUPS).trained == ()
    assert _equal(_snapshot(policy), before)
    with torch.no_grad():
        weight.copy_(original)
    assert learner.update(GROUPS).trained == tuple(GROUPS)
    assert all(tensor.isfinite().all() for tensor in _snapshot(policy).values())


def test_memory_bounds_do_not_change_what_is_learnt(tmp_path: Path) -> None:
    """One group at a time learns what all groups together learn."""
    spec = tiny_spec(build_tiny_model(tmp_path))
    whole, split = load_policy(spec, seed=1), load_policy(spec, seed=1)
    store = CheckpointStore(tmp_path / "checkpoints")
    reference = GrpoLearner(whole, store).update(GROUPS)
    budget = SharedBudget(Budget(training_slots=1, checkpointing=True))
    report = GrpoLearner(split, store, budget=budget).update(GROUPS)
    assert report.grad_norm == pytest.approx(reference.grad_norm, rel=1e-4)


def test_a_round_survives_a_lack_of_memory(tmp_path: Path) -> None:
    """The update is done again with less at once, and teaches what it would have taught."""
    spec = tiny_spec(build_tiny_model(tmp_path))
    short, ample = load_policy(spec, seed=1), load_policy(spec, seed=1)
    failures = iter([True])

    def fail_once(*_: object) -> None:
        if next(failures, False):
            raise torch.OutOfMemoryError("CUDA out of memory.")

    short.causal_lm.model.rotary_emb.register_forward_hook(fail_once)
    budget = SharedBudget(Budget(training_slots=4096))
    store = CheckpointStore(tmp_path / "checkpoints")
    GrpoLearner(short, store, budget=budget).update(GROUPS)
    GrpoLearner(ample, store).update(GROUPS)
    assert budget.current == Budget(training_slots=2048)
    assert _equal(_snapshot(short), _snapshot(ample))


@pytest.mark.parametrize(("steps", "rate"), [(0, 8.0), (300, 4.0), (10**9, 0.8)])
def test_the_rate_falls_with_the_root_of_the_steps(steps: int, rate: float) -> None:
    """Half of the peak after 300 steps, and never less than a tenth."""
    assert decayed(8.0, steps) == rate


def test_later_updates_move_less(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The rate that an update takes is the one of the steps before it."""
    monkeypatch.setattr(learning, "DECAY_STEPS", 1e-9)
    monkeypatch.setattr(learning, "LEAST_RATE", 0.0)
    policy = load_tiny_policy(tmp_path)
    learner = _learner(policy, tmp_path)
    states = [_snapshot(policy)]
    for _ in range(2):
        learner.update(GROUPS)
        states.append(_snapshot(policy))
    first, second = (
        max(float((after[name] - before[name]).abs().max()) for name in before)
        for before, after in itertools.pairwise(states)
    )
    assert 0 < second < first / 1_000


def test_samplers_are_told_of_every_change(tmp_path: Path) -> None:
    """The policy's version rises with a step and with a resume, and with nothing else."""
    policy = load_tiny_policy(tmp_path)
    learner = _learner(policy, tmp_path)
    versions = [policy.version]
    learner.update([FLAT])
    versions.append(policy.version)
    learner.update(GROUPS)
    versions.append(policy.version)
    learner.save(Progress(7, 1, "sapo"))
    learner.resume()
    versions.append(policy.version)
    assert versions == [0, 0, 1, 2]


def test_resume_goes_on_with_the_recipe_of_the_checkpoint(tmp_path: Path) -> None:
    """Whatever recipe the learner was made with, one run is one experiment."""
    spec = tiny_spec(build_tiny_model(tmp_path))
    resumed, given = load_policy(spec, seed=1), load_policy(spec, seed=1)
    store = CheckpointStore(tmp_path / "checkpoints")
    first = GrpoLearner(given, store, "waggle")
    first.save(Progress(7, 1, "waggle"))
    second = GrpoLearner(resumed, store, "sapo")
    assert second.resume() == Progress(7, 1, "waggle")
    own = _own(GROUPS[0], given)
    assert first.update([own]) == second.update([own])
    assert _equal(_snapshot(given), _snapshot(resumed))


def test_the_recipe_matters(tmp_path: Path) -> None:
    """The same own group teaches differently by the one and by the other."""
    spec = tiny_spec(build_tiny_model(tmp_path))
    one, other = load_policy(spec, seed=1), load_policy(spec, seed=1)
    store = CheckpointStore(tmp_path / "checkpoints")
    own = _own(GROUPS[0], one)
    sapo = GrpoLearner(one, store, "sapo").update([own])
    waggle = GrpoLearner(other, store, "waggle").update([own])
    assert sapo.grad_norm != pytest.approx(waggle.grad_norm, rel=0.05)


def test_a_checkpoint_of_an_unknown_recipe_is_refused(tmp_path: Path) -> None:
    """Nothing is loaded from it."""
    learner = _learner(load_tiny_policy(tmp_path), tmp_path)
    learner.save(Progress(7, 1, "nectar"))
    with pytest.raises(CheckpointError, match="nectar"):
        learner.resume()


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
    """Another process learns, saves, and is killed; this one goes on as if it had not."""
    spec = tiny_spec(build_tiny_model(tmp_path))
    child = f"""
import sys
from pathlib import Path
import psutil
import torch
from msgspec import structs
from core.engine.ports import Progress
from core.models.policy.loading import load_policy
from core.training.checkpoints import CheckpointStore
from core.training import learner as learning
from core.training.learner import GrpoLearner, decayed
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
psutil.Process().kill()
"""
    assert subprocess.call([sys.executable, "-c", child], cwd=ROOT) != 0  # noqa: S603 - as above
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
    if change == "base":
        file = folder / "model.safetensors"
        weights = load(file.read_bytes())  # Windows writes to no file that is mapped
        weights["model.norm.weight"] += 0.01
        save_file(weights, file, {"format": "pt"})
    policy = load_policy(spec, seed=1)
    before = _snapshot(policy)
    with pytest.raises(CheckpointError, match="another version of the model Tiny"):
        _learner(policy, tmp_path).resume()
    assert _equal(_snapshot(policy), before)
