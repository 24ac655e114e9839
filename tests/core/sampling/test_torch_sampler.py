from collections.abc import Sequence
from pathlib import Path
from typing import Any
from weakref import WeakSet

import pytest
import torch
from msgspec import structs
from torch import Tensor

from core.errors import MemoryShortError, ModelError
from core.models.catalog.catalog import SMALL_MODEL
from core.models.memory.budget import Budget, SharedBudget
from core.models.memory.fit import Rounds, sampler_bytes
from core.models.policy.policy import Policy
from core.rollouts.types import Completion, SampledTokens
from core.sampling import torch_sampler
from core.sampling.drawing import Choose, argmax, draw
from core.sampling.lean_model import LeanModel
from core.sampling.lean_weights import LeanWeights, merged_weights
from core.sampling.torch_sampler import SampledRows, TorchSampler, decode
from tests.naive_decoding import plain_argmax, plain_decode, plain_draw
from tests.naive_policy import hidden_states, logits
from tests.naive_update import lone_logprobs
from tests.tiny_models import FAMILIES, disturb_adapter, load_tiny_policy, question

every_family = pytest.mark.parametrize("policy", FAMILIES, indirect=True)

QUESTIONS = [
    question("Calculate 1 + 2."),
    question("A" * 20, index=1),
    question("Calculate 12345 + 2 and then answer with the number alone, please.", index=2),
]


@pytest.fixture(scope="module", params=FAMILIES[:1])
def policy(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Policy:
    """A tiny policy whose adapter matters; of another family where a test says so."""
    policy = load_tiny_policy(tmp_path_factory.mktemp("tiny"), request.param)
    disturb_adapter(policy)
    return policy


def _tokens(completion: Completion) -> SampledTokens:
    assert completion.tokens is not None
    return completion.tokens


def _all(groups: Sequence[tuple[Completion, ...]]) -> list[Completion]:
    return [completion for group in groups for completion in group]


def test_groups_come_in_order_and_full(policy: Policy) -> None:
    """One group a question, each of the size asked for."""
    groups = TorchSampler(policy).complete(QUESTIONS, 5, seed=1)
    assert [len(group) for group in groups] == [5, 5, 5]


def test_nothing_to_answer_is_answered_with_nothing(policy: Policy) -> None:
    """A round without questions is no error."""
    assert TorchSampler(policy).complete([], 5, seed=1) == []


@every_family
def test_recorded_logprobs_equal_a_lone_forward(policy: Policy) -> None:
    """Padding, shared prefills and the cache change no log-probability by more than 1e-4."""
    groups = TorchSampler(policy).complete(QUESTIONS, 8, seed=2)
    for asked, group in zip(QUESTIONS, groups, strict=True):
        prompt = policy.encode_prompt(asked.prompt)
        for completion in group:
            tokens = _tokens(completion)
            with torch.no_grad():
                expected = lone_logprobs(policy.causal_lm, prompt, tokens.ids)
            assert torch.allclose(torch.tensor(tokens.logprobs), expected, atol=1e-4)


def test_some_end_and_some_run_out(policy: Policy) -> None:
    """An ended completion has the end token last and only there; the others fill the budget."""
    completions = _all(TorchSampler(policy).complete(QUESTIONS, 16, seed=3))
    assert {completion.ended for completion in completions} == {True, False}
    for completion in completions:
        ids = _tokens(completion).ids
        assert completion.ended == (ids[-1] == policy.eos_id)
        assert policy.eos_id not in ids[:-1]
        assert completion.ended or len(ids) == policy.spec.completion_tokens
        assert len(_tokens(completion).logprobs) == len(ids)
        assert completion.text == policy.decode(ids)


def test_the_seed_alone_decides(policy: Policy) -> None:
    """Same seed, same completions, whatever was drawn in between; another seed, others."""
    sampler = TorchSampler(policy)
    first = sampler.complete(QUESTIONS, 6, seed=4)
    other = sampler.complete(QUESTIONS, 6, seed=5)
    torch.manual_seed(99)
    torch.rand(3)
    assert sampler.complete(QUESTIONS, 6, seed=4) == first
    assert other != first


def test_the_members_of_a_group_differ(policy: Policy) -> None:
    """A group is a sample, not one answer repeated."""
    group = TorchSampler(policy).complete(QUESTIONS[2:], 8, seed=6)[0]
    assert len({completion.text for completion in group}) > 4


def test_company_does_not_matter(policy: Policy) -> None:
    """A question gets the same answers alone, in company, and in whatever batches."""
    in_company = TorchSampler(policy).complete(QUESTIONS, 4, seed=7)
    alone = TorchSampler(policy).complete(QUESTIONS[:1], 4, seed=7)
    few = SharedBudget(Budget(sampler_rows=4))
    one_by_one = TorchSampler(policy, budget=few).complete(QUESTIONS, 4, seed=7)
    assert [c.text for c in alone[0]] == [c.text for c in in_company[0]]
    assert [c.text for c in _all(one_by_one)] == [c.text for c in _all(in_company)]


def test_a_question_beyond_the_context_gets_empty_answers(policy: Policy) -> None:
    """It is not cut and not answered blindly, and its neighbours are answered as ever."""
    long = question("word " * 500)
    sampler = TorchSampler(policy)
    groups = sampler.complete([QUESTIONS[0], long], 3, seed=8)
    assert groups[1] == (Completion("", ended=False, tokens=SampledTokens((), ())),) * 3
    assert groups[0] == sampler.complete([QUESTIONS[0]], 3, seed=8)[0]


def test_the_longest_question_that_fits_is_answered(policy: Policy) -> None:
    """A prompt may fill all of the context but the completion's budget."""
    digits = "1" * (policy.spec.prompt_tokens - 1)
    assert len(policy.encode_prompt(digits)) == policy.spec.prompt_tokens
    assert _tokens(TorchSampler(policy).complete([question(digits)], 1, seed=9)[0][0]).ids


@every_family
def test_greedy_equals_transformers_generate(policy: Policy) -> None:
    """Without chance, the tokens are those that transformers generates, one prompt at a time."""
    answers = _all(TorchSampler(policy, greedy=True).complete(QUESTIONS, 1, seed=0))
    for asked, answer in zip(QUESTIONS, answers, strict=True):
        prompt = torch.tensor([policy.encode_prompt(asked.prompt)])
        model: Any = policy.causal_lm  # generate's annotations fit no class of its own library
        expected = model.generate(
            prompt,
            attention_mask=torch.ones_like(prompt),
            do_sample=False,
            eos_token_id=policy.eos_id,
            pad_token_id=policy.eos_id,
            max_new_tokens=policy.spec.completion_tokens,
        )
        assert list(_tokens(answer).ids) == expected[0, prompt.shape[1] :].tolist()


def test_the_base_can_be_examined(policy: Policy, tmp_path: Path) -> None:
    """Inside ``policy.base`` the sampler lets the untrained model answer."""
    untrained = load_tiny_policy(tmp_path, policy.spec.family)
    expected = TorchSampler(untrained).complete(QUESTIONS, 4, seed=10)
    with policy.base():
        assert TorchSampler(policy).complete(QUESTIONS, 4, seed=10) == expected
    assert TorchSampler(policy).complete(QUESTIONS, 4, seed=10) != expected


def test_sampling_leaves_the_policy_ready_to_learn(policy: Policy) -> None:
    """After inference the adapter still takes gradients."""
    TorchSampler(policy).complete(QUESTIONS[:1], 2, seed=11)
    scores = logits(policy, hidden_states(policy, torch.tensor([[5, 6, 7]])))
    scores.sum().backward()
    gradients = [parameter.grad for parameter in policy.adapter().values()]
    assert all(gradient is not None for gradient in gradients)
    for parameter in policy.adapter().values():
        parameter.grad = None


def test_what_was_learnt_is_sampled_from_at_once(tmp_path: Path) -> None:
    """A change of the adapter changes the next completions; undoing it brings them back."""
    policy = load_tiny_policy(tmp_path)
    sampler = TorchSampler(policy)
    before = sampler.complete(QUESTIONS, 4, seed=12)
    kept = {name: parameter.detach().clone() for name, parameter in policy.adapter().items()}
    disturb_adapter(policy)
    assert sampler.complete(QUESTIONS, 4, seed=12) != before
    for name, parameter in policy.adapter().items():
        parameter.detach().copy_(kept[name])
    policy.learned()
    assert [c.text for c in _all(sampler.complete(QUESTIONS, 4, seed=12))] == [
        c.text for c in _all(before)
    ]


def test_a_large_model_answers_like_a_small_one(policy: Policy, tmp_path: Path) -> None:
    """Beyond the small models the adapter goes beside the weights, with the same completions."""
    large = load_tiny_policy(tmp_path, policy.spec.family)
    large.spec = structs.replace(large.spec, parameters=SMALL_MODEL)
    disturb_adapter(large)
    expected = _all(TorchSampler(policy).complete(QUESTIONS, 4, seed=13))
    answers = _all(TorchSampler(large).complete(QUESTIONS, 4, seed=13))
    assert [c.text for c in answers] == [c.text for c in expected]


def test_a_closed_sampler_holds_no_weights(policy: Policy, monkeypatch: pytest.MonkeyPatch) -> None:
    """What was made for sampling is freed, twice is no error, and it can be made again."""
    alive: WeakSet[LeanModel] = WeakSet()

    class Noted(LeanModel):
        def __init__(self, weights: LeanWeights) -> None:
            super().__init__(weights)
            alive.add(self)

    monkeypatch.setattr(torch_sampler, "LeanModel", Noted)
    sampler = TorchSampler(policy)
    expected = sampler.complete(QUESTIONS, 2, seed=14)
    assert len(alive) == 1
    sampler.close()
    sampler.close()
    assert len(alive) == 0
    assert sampler.complete(QUESTIONS, 2, seed=14) == expected


class _ShortOfMemory:
    """Draws like ``draw``, on a machine that cannot hold more than ``most`` rows."""

    def __init__(self, most: int) -> None:
        self.most = most

    def __call__(self, logits: Tensor, noise: Tensor) -> tuple[Tensor, Tensor]:
        if len(noise) > self.most:
            raise torch.OutOfMemoryError("CUDA out of memory.")
        return draw(logits, noise)


def test_out_of_memory_costs_time_only(policy: Policy, monkeypatch: pytest.MonkeyPatch) -> None:
    """Fewer rows at once bring the very same completions, and the sampler keeps to fewer."""
    questions = [question(f"Calculate {n} + 2.", index=n) for n in range(10)]
    expected = _all(TorchSampler(policy).complete(questions, 4, seed=15))
    monkeypatch.setattr(torch_sampler, "draw", _ShortOfMemory(16))
    budget = SharedBudget()
    answers = _all(TorchSampler(policy, budget=budget).complete(questions, 4, seed=15))
    assert [c.text for c in answers] == [c.text for c in expected]
    assert budget.current.sampler_rows <= 16


def test_rows_that_would_not_fit_are_not_begun(
    policy: Policy, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Linux would grant the memory and kill who uses it: so fewer are drawn at once."""
    questions = [question(f"Calculate {n} + 2.", index=n) for n in range(10)]
    expected = _all(TorchSampler(policy).complete(questions, 4, seed=15))
    fitting = Budget(sampler_rows=16)
    longest = max(len(policy.encode_prompt(asked.prompt)) for asked in questions)
    free = sampler_bytes(policy.spec, policy.dtype.itemsize, fitting, Rounds(4, 4), longest)
    monkeypatch.setattr("core.models.memory.budget.free_memory", lambda: free)
    budget = SharedBudget()
    answers = _all(TorchSampler(policy, budget=budget).complete(questions, 4, seed=15))
    assert [c.text for c in answers] == [c.text for c in expected]
    assert budget.current == fitting


def test_long_questions_are_drawn_a_few_at_a_time(
    policy: Policy, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Their keys take no more room than those of usual ones; short ones go together as ever."""
    questions = [question("7" * digits, index=digits) for digits in (1, 30, 2, 31, 90, 3)]
    expected = _all(TorchSampler(policy).complete(questions, 2, seed=18))
    together: list[list[int]] = []

    def noted(
        model: LeanModel, prompts: Sequence[Sequence[int]], noise: Tensor, eos: int, rule: Choose
    ) -> SampledRows:
        together.append([len(prompt) for prompt in prompts])
        return decode(model, prompts, noise, eos, rule)

    monkeypatch.setattr(torch_sampler, "decode", noted)
    monkeypatch.setattr(torch_sampler, "PROMPT_TOKENS", 20)
    few = SharedBudget(Budget(sampler_rows=8))
    answers = _all(TorchSampler(policy, budget=few).complete(questions, 2, seed=18))
    assert [c.text for c in answers] == [c.text for c in expected]
    assert [len(chunk) for chunk in together] == [3, 2, 1]
    assert all(len(chunk) == 1 or len(chunk) * max(chunk) <= 4 * 20 for chunk in together)


def test_a_long_question_is_not_begun_where_only_usual_ones_fit(
    policy: Policy, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It takes more than the estimate, and Linux would kill who uses what it granted."""
    monkeypatch.setattr(policy, "spec", structs.replace(policy.spec, context=500))
    width, least = policy.dtype.itemsize, Budget(sampler_rows=8)
    free = sampler_bytes(policy.spec, width, least, Rounds(1, 2))
    monkeypatch.setattr("core.models.memory.budget.free_memory", lambda: free)
    sampler = TorchSampler(policy, budget=SharedBudget(least))
    assert _tokens(sampler.complete([question("7" * 300)], 2, seed=19)[0][0]).ids
    with pytest.raises(MemoryShortError):
        sampler.complete([question("7" * 450)], 2, seed=19)


def test_too_little_memory_for_anything_is_said(
    policy: Policy, monkeypatch: pytest.MonkeyPatch
) -> None:
    """At the end of the ladder stands one sentence, not an endless loop."""
    monkeypatch.setattr(torch_sampler, "draw", _ShortOfMemory(0))
    with pytest.raises(MemoryShortError, match=r"memory of this computer.* ran out"):
        TorchSampler(policy).complete(QUESTIONS, 4, seed=16)


def test_another_error_is_not_taken_for_a_shortage(
    policy: Policy, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A mistake of ours is raised at once and costs no rows."""

    def fail(logits: Tensor, noise: Tensor) -> tuple[Tensor, Tensor]:
        raise RuntimeError(f"a mistake with {logits.shape} and {noise.shape}")

    monkeypatch.setattr(torch_sampler, "draw", fail)
    budget = SharedBudget()
    with pytest.raises(RuntimeError, match="a mistake"):
        TorchSampler(policy, budget=budget).complete(QUESTIONS, 4, seed=17)
    assert budget.current == Budget()


PROMPTS = [[5, 6, 7], list(range(20, 60)), [9], [30] * 17]
MEMBERS, BUDGET = 5, 16


@pytest.fixture(scope="module")
def model(policy: Policy) -> LeanModel:
    """The lean forward pass on that policy."""
    return LeanModel(merged_weights(policy))


def _noise(prompts: int = len(PROMPTS), budget: int = BUDGET) -> Tensor:
    generator = torch.Generator().manual_seed(1)
    return torch.rand((prompts, MEMBERS, budget), dtype=torch.float64, generator=generator)


def _own(ids: Tensor, eos_id: int) -> Tensor:
    """True [row, step] for the tokens up to the first end-of-sequence token, itself included."""
    ended = (ids == eos_id).cumsum(1)
    return (ended == 0) | ((ended == 1) & (ids == eos_id))


@every_family
@torch.inference_mode()
def test_it_draws_what_the_plain_loop_draws(policy: Policy, model: LeanModel) -> None:
    """Same noise, same tokens, same log-probabilities as transformers' forward and a full sum."""
    drawn = decode(model, PROMPTS, _noise(), policy.eos_id, draw)
    ids, logprobs = plain_decode(policy, PROMPTS, _noise(), plain_draw)
    own = _own(ids, policy.eos_id)
    assert own.sum() < own.numel()  # some rows have left on the way
    assert torch.equal(_own(drawn.ids, policy.eos_id), own)
    assert torch.equal(drawn.ids[own], ids[own])
    assert torch.allclose(drawn.logprobs[own], logprobs[own], atol=1e-4)


@torch.inference_mode()
def test_the_likeliest_tokens_are_those_of_the_plain_loop(policy: Policy, model: LeanModel) -> None:
    """Greedy decoding agrees token for token."""
    drawn = decode(model, PROMPTS, _noise(), policy.eos_id, argmax)
    ids, _ = plain_decode(policy, PROMPTS, _noise(), plain_argmax)
    own = _own(ids, policy.eos_id)
    assert torch.equal(drawn.ids[own], ids[own])


@torch.inference_mode()
@pytest.mark.parametrize("share", [0.0, 1 / 20, 0.9])
def test_when_rows_leave_changes_nothing(
    policy: Policy, model: LeanModel, monkeypatch: pytest.MonkeyPatch, share: float
) -> None:
    """At once, one by one or hardly ever: the rows that go on draw what they would have drawn."""
    expected = decode(model, PROMPTS, _noise(), policy.eos_id, draw)
    monkeypatch.setattr(torch_sampler, "WORTH_LEAVING", share)
    drawn = decode(model, PROMPTS, _noise(), policy.eos_id, draw)
    own = _own(expected.ids, policy.eos_id)
    assert torch.equal(drawn.ids[own], expected.ids[own])
    assert torch.allclose(drawn.logprobs[own], expected.logprobs[own], atol=1e-4)


@torch.inference_mode()
def test_a_budget_of_one_token_is_kept(policy: Policy, model: LeanModel) -> None:
    """The shortest completion there can be needs no step after the prompt."""
    noise = _noise(budget=1)
    drawn = decode(model, PROMPTS, noise, policy.eos_id, draw)
    ids, _ = plain_decode(policy, PROMPTS, noise, plain_draw)
    assert torch.equal(drawn.ids, ids)


@torch.inference_mode()
def test_a_batch_that_ends_at_once_stops(tmp_path: Path) -> None:
    """Where every row ends with its first token, nothing is drawn behind it."""
    policy = load_tiny_policy(tmp_path)
    model = LeanModel(merged_weights(policy))

    def end(logits: Tensor, noise: Tensor) -> tuple[Tensor, Tensor]:
        return torch.full((len(noise),), policy.eos_id), logits[:, 0]

    drawn = decode(model, PROMPTS, _noise(), policy.eos_id, end)
    assert (drawn.ids == policy.eos_id).all()
    assert (drawn.logprobs[:, 1:] == 0).all()


@torch.inference_mode()
def test_scores_that_are_no_numbers_are_said(policy: Policy, model: LeanModel) -> None:
    """What was drawn from them is not handed out."""

    def spoil(logits: Tensor, noise: Tensor) -> tuple[Tensor, Tensor]:
        token, logprob = draw(logits, noise)
        return token, logprob.masked_fill(noise > 0.9, torch.nan)

    with pytest.raises(ModelError, match="no numbers any more"):
        decode(model, PROMPTS, _noise(), policy.eos_id, spoil)
