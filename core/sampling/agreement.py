"""Whether two devices, or two precisions, draw the same: their likeliest answers side by side."""

import math
from collections.abc import Sequence
from dataclasses import dataclass

from core.models.policy.policy import Policy
from core.rollouts.types import Question, SampledTokens
from core.sampling.torch_sampler import TorchSampler


@dataclass(frozen=True, slots=True)
class Agreement:
    """How far two samplers that take the likeliest token go together."""

    tokens: int  # that both chose, of all answers together
    of: int  # that the first of them chose
    worst: float  # difference of a log-probability, in nats; infinite where one is no number


def likeliest(policy: Policy, asked: Sequence[Question], most_tokens: int) -> list[SampledTokens]:
    """The likeliest answer of ``policy`` to each question, token by token.

    Raises:
        ModelError: its scores are no numbers.
        MemoryShortError: there is not enough memory.
    """
    sampler = TorchSampler(policy, greedy=True)
    try:
        answers = sampler.complete(asked, 1, seed=0, most_tokens=most_tokens)
    finally:
        sampler.close()
    return [tokens for (answer,) in answers if (tokens := answer.tokens) is not None]


def compare(exact: Sequence[SampledTokens], others: Sequence[SampledTokens]) -> Agreement:
    """Hold ``others`` against ``exact``, answer by answer up to the first token that differs.

    There, too, log-probabilities are compared: of two tokens that are all but equally likely,
    rounding may choose either, and then they differ by no more than elsewhere. What follows
    answers different texts.
    """
    same, worst = 0, 0.0
    for one, other in zip(exact, others, strict=True):
        drawn = zip(one.ids, other.ids, one.logprobs, other.logprobs, strict=False)
        for mine, theirs, my_logprob, their_logprob in drawn:
            difference = abs(my_logprob - their_logprob)
            worst = max(worst, difference if math.isfinite(difference) else math.inf)
            if mine != theirs:
                break
            same += 1
    return Agreement(same, sum(len(one.ids) for one in exact), worst)
