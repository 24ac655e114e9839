"""A sampler that draws from the policy itself: questions in, completions with their tokens out."""

from collections.abc import Iterator, Sequence

import torch
from torch import Tensor

from core.models.memory.budget import SharedBudget, free_leftovers, is_out_of_memory
from core.models.memory.shortage import memory_short
from core.models.policy.policy import Policy
from core.rollouts.types import Completion, Question
from core.sampling.asked import UNANSWERED, ask, completion_of
from core.sampling.decoding import SampledRows, decode
from core.sampling.drawing import argmax, draw
from core.sampling.lean_model import LeanModel
from core.sampling.lean_weights import merged_weights, side_weights


class TorchSampler:
    """Draws at temperature 1 from the whole vocabulary; ``greedy`` takes the likeliest instead.

    It works on weights made for one version of the policy and makes them anew when that changes.
    ``budget`` says how many rows are decoded together; a group alone may be larger.
    """

    def __init__(
        self, policy: Policy, *, greedy: bool = False, budget: SharedBudget | None = None
    ) -> None:
        self._policy = policy
        self._choose = argmax if greedy else draw
        self._budget = budget or SharedBudget()
        self._model: LeanModel | None = None
        self._version = -1

    def complete(
        self,
        questions: Sequence[Question],
        group_size: int,
        seed: int,
        *,
        most_tokens: int | None = None,
    ) -> list[tuple[Completion, ...]]:
        """Draw ``group_size`` completions for each question, in order.

        A question too long for the model's context gets empty completions that did not end.
        ``seed`` is in [0, 2**63). ``most_tokens`` cuts the model's own budget for a completion.

        Raises:
            MemoryShortError: there is not enough memory, whatever is given up.
        """
        asked = ask(self._policy, questions, group_size, seed, most_tokens)
        answers = [(UNANSWERED,) * group_size for _ in questions]
        waiting = asked.fitting
        while waiting:
            chunk = waiting[: max(1, self._budget.current.sampler_rows // group_size)]
            drawn = self._decoded([asked.prompts[i] for i in chunk], asked.noise[chunk])
            if drawn is None:
                continue  # with fewer rows
            completions = self._read(drawn)
            for i in chunk:
                answers[i] = tuple(next(completions) for _ in range(group_size))
            waiting = waiting[len(chunk) :]
        return answers

    def close(self) -> None:
        """Free the weights made for sampling; the next ``complete`` makes them anew."""
        self._model, self._version = None, -1

    def _decoded(self, prompts: Sequence[Sequence[int]], noise: Tensor) -> SampledRows | None:
        """Decode one chunk; None after running out of memory and stepping the budget down."""
        try:
            with torch.inference_mode():
                return decode(self._fresh(), prompts, noise, self._policy.eos_id, self._choose)
        except Exception as error:
            if not is_out_of_memory(error):
                raise
            if not self._budget.shrink_sampling():
                raise memory_short(self._policy.spec) from error
        free_leftovers(self._policy.device)
        return None

    def _fresh(self) -> LeanModel:
        """The forward pass on the policy's weights as they are now."""
        if self._model is None or self._version != self._policy.version:
            self.close()  # before the new ones are made: never two copies
            weigh = merged_weights if self._policy.spec.is_small else side_weights
            weights = weigh(self._policy)
            self._model, self._version = LeanModel(weights), self._policy.version
        return self._model

    def _read(self, drawn: SampledRows) -> Iterator[Completion]:
        eos = self._policy.eos_id
        for ids, logprobs in zip(drawn.ids.tolist(), drawn.logprobs.tolist(), strict=True):
            length = ids.index(eos) + 1 if eos in ids else len(ids)
            yield completion_of(self._policy, ids[:length], logprobs[:length])
