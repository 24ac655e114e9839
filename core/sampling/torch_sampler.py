"""A sampler that draws from the policy itself: questions in, completions with their tokens out."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

import torch
from torch import Tensor

from core.models.memory.budget import (
    SharedBudget,
    free_leftovers,
    is_out_of_memory,
    require_memory,
)
from core.models.memory.fit import PROMPT_TOKENS, Rounds, sampler_bytes
from core.models.memory.shortage import memory_short
from core.models.policy.policy import Policy
from core.rollouts.types import Completion, Question
from core.sampling.asked import UNANSWERED, ask, completion_of
from core.sampling.drawing import Choose, argmax, draw, no_numbers, noise_home
from core.sampling.lean_model import LeanModel
from core.sampling.lean_weights import merged_weights, side_weights
from core.sampling.steps import steps_on

WORTH_LEAVING: Final = 1 / 8
"""Share of a batch that must have ended before the gaps are closed: that copies the cache."""

LOOK_EVERY: Final = 16
"""Steps that a device is given before it is asked which rows go on, which makes the host wait.

A processor is asked after each: there it costs nothing.
"""


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

    Raises:
        ModelError: the model's scores are no numbers.
    """
    batch = _Batch(model, prompts, noise, DrawingRule(choose, eos_id))
    steps = steps_on(model.device, batch.step)
    every = 1 if model.device.type == "cpu" else LOOK_EVERY
    budget, done = noise.shape[2], 1
    while (going := batch.going()) and done < budget:
        if len(going) <= batch.rows * (1 - WORTH_LEAVING):
            batch.keep(going)
            steps.reshape()
        if batch.room(done) == 0:
            batch.cache.open()
            steps.reshape()
        times = min(every, budget - done, batch.room(done))
        steps.run(times)
        done += times
    return batch.drawn


@dataclass(frozen=True, slots=True)
class DrawingRule:
    """How a token is chosen, and which one ends a completion."""

    choose: Choose
    eos_id: int


class _Batch:
    """Rows that are drawn together, all on one device.

    A step asks it nothing, sends it nothing, and writes its results where those of the step before
    are: so it can be recorded.
    """

    def __init__(
        self, model: LeanModel, prompts: Sequence[Sequence[int]], noise: Tensor, rule: DrawingRule
    ) -> None:
        """Read the prompts and draw the first token of every row."""
        _, members, budget = noise.shape
        noise, device = noise.flatten(0, 1), model.device
        self._model, self._rule = model, rule
        self._noise = noise.to(noise_home(device), non_blocking=True)  # of the rows still here
        states, self.cache = model.read(prompts, members, budget - 1)
        self._places = torch.arange(len(noise), device=device)  # in the result, of each row
        self._token = torch.empty_like(self._places)
        self._going = torch.ones_like(self._places, dtype=torch.bool)
        self.drawn = SampledRows(
            ids=torch.full(noise.shape, rule.eos_id, device=device),
            logprobs=torch.zeros(noise.shape, device=device),
        )
        self._draw(states)

    @property
    def rows(self) -> int:
        """How many are still here, those included that have ended."""
        return len(self._places)

    def room(self, drawn: int) -> int:
        """Steps for which there is room, once every row has ``drawn`` tokens."""
        return self.cache.opened - (drawn - 1)  # the newest of them is not in the cache yet

    def step(self) -> None:
        """Draw one more token in every row."""
        self._draw(self._model.step(self._token, self.cache))

    def going(self) -> list[int]:
        """Wait for the device, and learn which rows have not ended, by number.

        Raises:
            ModelError: the scores of one are no numbers.
        """
        broken = self.drawn.logprobs.isnan().any()
        *going, is_broken = torch.cat((self._going, broken[None])).tolist()
        if is_broken:
            raise no_numbers()
        return [row for row, goes in enumerate(going) if goes]

    def keep(self, chosen: Sequence[int]) -> None:
        """Let all rows but ``chosen`` leave."""
        self.cache.keep(chosen)
        stays = torch.tensor(chosen).to(self._places.device, non_blocking=True)
        self._places, self._token = self._places[stays], self._token[stays]
        self._going = self._going[stays]
        self._noise = self._noise[stays.to(self._noise.device)]

    def _draw(self, states: Tensor) -> None:
        """Choose each row's next token after ``states`` [row, hidden]."""
        number = self.cache.drawn
        noise = self._noise.index_select(1, number.to(self._noise.device)).squeeze(1)
        token, logprob = self._rule.choose(self._model.logits(states), noise)
        self.drawn.ids.index_put_((self._places, number), token)
        self.drawn.logprobs.index_put_((self._places, number), logprob)
        self._token.copy_(token)
        self._going &= token != self._rule.eos_id


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
            chunk = self._chunk(waiting, asked.prompts, group_size)
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

    def _chunk(
        self, waiting: Sequence[int], prompts: Sequence[Sequence[int]], group_size: int
    ) -> Sequence[int]:
        """The first of ``waiting``, the shortest first, that are decoded together.

        The keys and values of all take the room of the longest: long prompts come a few at a time.
        """
        most = max(1, self._budget.current.sampler_rows // group_size)
        chunk = waiting[:most]
        while len(chunk) > 1 and len(chunk) * len(prompts[chunk[-1]]) > most * PROMPT_TOKENS:
            chunk = chunk[:-1]
        return chunk

    def _decoded(self, prompts: Sequence[Sequence[int]], noise: Tensor) -> SampledRows | None:
        """Decode one chunk; None after running out of memory and stepping the budget down."""
        try:
            self._require_memory(Rounds(*noise.shape[:2]), max(map(len, prompts)))
            with torch.inference_mode():
                return decode(self._fresh(), prompts, noise, self._policy.eos_id, self._choose)
        except Exception as error:
            if not is_out_of_memory(error):
                raise
            if not self._budget.shrink_sampling():
                raise memory_short(self._policy.spec) from error
        free_leftovers(self._policy.device)
        return None

    def _require_memory(self, chunk: Rounds, longest: int) -> None:
        policy, budget = self._policy, self._budget.current
        need = sampler_bytes(policy.spec, policy.dtype.itemsize, budget, chunk, longest)
        require_memory(policy.device, need)

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
