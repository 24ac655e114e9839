"""A sampler that draws from the policy itself: questions in, completions with their tokens out."""

from collections.abc import Iterator, Sequence

import torch

from core.models.policy import Policy
from core.rollouts.types import Completion, Question, SampledTokens
from core.sampling.decoding import Drawn, decode, draw, most_likely

MAX_ROWS = 128
"""Rows decoded together, unless one group alone is larger: bounds the memory of the cache."""

_UNANSWERED = Completion("", ended=False, tokens=SampledTokens((), ()))


class TorchSampler:
    """Draws at temperature 1 from the whole vocabulary; ``greedy`` takes the likeliest instead."""

    def __init__(self, policy: Policy, *, greedy: bool = False) -> None:
        self._policy = policy
        self._choose = most_likely if greedy else draw

    def complete(
        self, questions: Sequence[Question], group_size: int, seed: int
    ) -> list[tuple[Completion, ...]]:
        """Draw ``group_size`` completions for each question, in order.

        A question too long for the model's context gets empty completions that did not end.
        ``seed`` is in [0, 2**63).
        """
        spec = self._policy.spec
        prompts = [self._policy.encode_prompt(question.prompt) for question in questions]
        # One number for each token to come, drawn ahead: a completion then depends neither on
        # what else is in its batch nor on when others end.
        noise = torch.rand(
            (len(prompts), group_size, spec.completion_tokens),
            dtype=torch.float64,
            generator=torch.Generator().manual_seed(seed),
        )
        answers = [(_UNANSWERED,) * group_size for _ in prompts]
        fitting = [i for i, prompt in enumerate(prompts) if len(prompt) <= spec.prompt_tokens]
        fitting.sort(key=lambda i: len(prompts[i]))  # what is decoded together is padded alike
        with self._policy.merged(), torch.inference_mode():
            for chunk in _chunks(fitting, max(1, MAX_ROWS // group_size)):
                drawn = decode(
                    self._policy, [prompts[i] for i in chunk], noise[chunk], self._choose
                )
                completions = self._read(drawn)
                for i in chunk:
                    answers[i] = tuple(next(completions) for _ in range(group_size))
        return answers

    def _read(self, drawn: Drawn) -> Iterator[Completion]:
        eos = self._policy.eos_id
        for ids, logprobs in zip(drawn.ids.tolist(), drawn.logprobs.tolist(), strict=True):
            ended = eos in ids
            length = ids.index(eos) + 1 if ended else len(ids)
            tokens = SampledTokens(tuple(ids[:length]), tuple(logprobs[:length]))
            yield Completion(self._policy.decode(tokens.ids), ended, tokens)


def _chunks(items: Sequence[int], size: int) -> Iterator[list[int]]:
    for start in range(0, len(items), size):
        yield list(items[start : start + size])
