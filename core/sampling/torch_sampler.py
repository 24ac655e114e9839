"""A sampler that draws from the policy itself: questions in, completions with their tokens out."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

import torch
from torch import Tensor

from core.models.memory.budget import SharedBudget, free_leftovers, is_out_of_memory
from core.models.memory.fit import memory_short
from core.models.policy.policy import Policy
from core.rollouts.types import Completion, Question
from core.sampling.asked import UNANSWERED, ask, completion_of
from core.sampling.drawing import Choose, argmax, draw
from core.sampling.lean_model import LeanModel
from core.sampling.lean_weights import merged_weights, side_weights

WORTH_LEAVING: Final = 1 / 8
"""Share of a batch that must have ended before the gaps are closed: that copies the cache."""


@dataclass(frozen=True, slots=True)
class SampledRows:
    """What was drawn; past the first end-of-sequence token a row means nothing."""

    ids: Tensor  # [row, step]
    logprobs: Tensor  # float32 [row, step]


def decode(
    model: LeanModel, prompts: Sequence[Sequence[int]], noise: Tensor, eos_id: int, choose: Choose
) -> SampledRows:
    """Complete every prompt; call it in inference mode.

    Args:
        model: what to draw from.
        prompts: token ids, none empty.
        noise: uniform float64 [prompt, member, step], on the processor; says how many members a
            group has and how many tokens a completion may have, and decides each of them.
        eos_id: the token that ends a completion.
        choose: ``draw`` or ``argmax``.

    Returns:
        The tokens of row ``prompt * members + member``, on the model's device.
    """
    _, members, budget = noise.shape
    noise = noise.flatten(0, 1)  # of the rows that are still in the batch
    ids = torch.full(noise.shape, eos_id, device=model.device)
    logprobs = torch.zeros(noise.shape, device=model.device)
    states, cache = model.read(*_joined(prompts, model.device), members, budget)
    rows = torch.arange(len(noise), device=model.device)  # where in the result each row goes
    going = torch.ones_like(rows, dtype=torch.bool)
    for step in range(budget):
        token, logprob = choose(model.logits(states), noise[:, step])
        ids[rows, step], logprobs[rows, step] = token, logprob
        going &= token != eos_id
        left = int(going.sum())
        if step + 1 == budget or left == 0:
            break
        if left <= len(rows) * (1 - WORTH_LEAVING):
            chosen = going.nonzero().squeeze(1)
            rows, token, going = rows[chosen], token[chosen], going[chosen]
            noise = noise[chosen.cpu()]
            cache.keep(chosen)
        states = model.step(token, cache)
    return SampledRows(ids, logprobs)


def _joined(prompts: Sequence[Sequence[int]], device: torch.device) -> tuple[Tensor, Tensor]:
    """Prompts one after another: ids [token] and lengths [prompt]."""
    ids = [i for prompt in prompts for i in prompt]
    lengths = [len(prompt) for prompt in prompts]
    return torch.tensor(ids, device=device), torch.tensor(lengths, device=device)


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
