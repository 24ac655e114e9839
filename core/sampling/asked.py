"""Questions as tokens, for every sampler, and its tokens as completions."""

import sys
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import torch
from torch import Tensor

from core.models.policy.policy import Policy
from core.rollouts.types import Completion, Question, SampledTokens

UNANSWERED: Final = Completion("", ended=False, tokens=SampledTokens((), ()))
"""The answer to a question that is too long for the model's context."""


@dataclass(frozen=True, slots=True)
class Asked:
    """Questions in tokens, with the chance that decides every completion."""

    prompts: list[list[int]]  # of every question, in order
    fitting: list[int]  # the questions that leave room for an answer, the shortest first
    noise: Tensor
    """Uniform float64 [question, member, step]: one number for each token to come, drawn ahead, so
    that a completion depends neither on what else is in its batch nor on when others end."""


def ask(
    policy: Policy,
    questions: Sequence[Question],
    group_size: int,
    seed: int,
    most_tokens: int | None,
) -> Asked:
    """Prepare ``group_size`` completions of each question; see ``TorchSampler.complete``."""
    spec = policy.spec
    prompts = [policy.encode_prompt(question.prompt) for question in questions]
    noise = torch.rand(
        (len(prompts), group_size, min(spec.completion_tokens, most_tokens or sys.maxsize)),
        dtype=torch.float64,
        generator=torch.Generator().manual_seed(seed),
    )
    fitting = [i for i, prompt in enumerate(prompts) if len(prompt) <= spec.prompt_tokens]
    return Asked(prompts, sorted(fitting, key=lambda i: len(prompts[i])), noise)


def completion_of(policy: Policy, ids: Sequence[int], logprobs: Sequence[float]) -> Completion:
    """The completion of at least one token that was drawn; its end, if it came to one, is last."""
    tokens = SampledTokens(tuple(ids), tuple(logprobs))
    return Completion(policy.decode(ids), ids[-1] == policy.eos_id, tokens)
