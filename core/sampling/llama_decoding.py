"""The decoding loop on llama.cpp: prompts in, drawn tokens out.

A prompt is read once, and the other members of its group copy its keys and values. Rows that end
make room for the next group at once; the rows in use are always the first ones without a gap, since
llama.cpp makes one more pass over all weights for every gap.
"""

from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from core.sampling.drawing import Choose, no_numbers
from core.sampling.llama_library import Ids
from core.sampling.llama_runtime import LlamaRuntime


@dataclass(frozen=True, slots=True)
class DecodingTask:
    """Prompts to complete, with the noise that decides every token."""

    prompts: Sequence[Sequence[int]]  # none empty; the shortest first, or passes are wasted
    noise: Tensor  # uniform float64 [prompt, member, step]
    end: int  # the end-of-sequence token
    choose: Choose


@dataclass(frozen=True, slots=True)
class LlamaRows:
    """Tokens drawn; row ``prompt * members + member`` has ``lengths[row]`` tokens."""

    ids: Ids  # [row, step]
    logprobs: NDArray[np.float32]  # [row, step]
    lengths: Ids  # [row]


@dataclass(frozen=True, slots=True)
class _Part:
    """Members of one group that are admitted together; all of them, where there is room."""

    prompt: int
    results: range  # their rows in the result


@dataclass(slots=True)
class _Open:
    """The rows in use, in the order in which llama.cpp has them."""

    result: Ids  # [row]: where in the result it goes
    step: Ids  # [row]: tokens drawn
    position: Ids  # [row]: where its last token stands
    token: Ids  # [row]: its last token, which llama.cpp has not seen yet

    def __len__(self) -> int:
        return len(self.result)

    def join(self, result: Ids, position: Ids) -> None:
        """Append rows that have read their prompt and drawn nothing; ``position`` is their next."""
        nothing = np.zeros_like(result)
        self.result = np.concatenate([self.result, result])
        self.step = np.concatenate([self.step, nothing])
        self.position = np.concatenate([self.position, position])
        self.token = np.concatenate([self.token, nothing])

    def pick(self, rows: NDArray[np.intp]) -> None:
        """Keep these rows in this order."""
        self.result, self.step = self.result[rows], self.step[rows]
        self.position, self.token = self.position[rows], self.token[rows]


def decode(runtime: LlamaRuntime, task: DecodingTask, rows: int) -> LlamaRows:
    """Complete every prompt, at most ``rows`` sequences at a time; call it in inference mode.

    Raises:
        MemoryError: there is not enough for so many rows.
        ModelError: the model's scores are no numbers.
    """
    longest = max(map(len, task.prompts))
    prompts, members, budget = task.noise.shape
    runtime.open_context(min(rows, prompts * members), longest + budget)
    return _Loop(runtime, task, rows).run()


class _Loop:
    """State of one call of ``decode``."""

    def __init__(self, runtime: LlamaRuntime, task: DecodingTask, rows: int) -> None:
        prompts, members, budget = task.noise.shape
        self._runtime = runtime
        self._task = task
        self._limit = rows
        self._noise = task.noise.flatten(0, 1)
        self._drawn = LlamaRows(
            ids=np.zeros((prompts * members, budget), np.int32),
            logprobs=np.zeros((prompts * members, budget), np.float32),
            lengths=np.zeros(prompts * members, np.int32),
        )
        self._waiting = deque(
            _Part(prompt, range(first, min(first + rows, (prompt + 1) * members)))
            for prompt in range(prompts)
            for first in range(prompt * members, (prompt + 1) * members, rows)
        )
        empty = np.zeros(0, np.int32)
        self._open = _Open(empty, empty, empty, empty)

    def run(self) -> LlamaRows:
        """Go on until everything is complete."""
        while True:
            if parts := self._admissible():
                self._admit(parts)
            elif len(self._open):
                self._advance()
            else:
                return self._drawn

    def _admissible(self) -> list[_Part]:
        """The next parts for which there is room, taken from those that wait."""
        parts: list[_Part] = []
        rows, tokens = self._limit - len(self._open), self._runtime.tokens_at_once
        while self._waiting:
            rows -= len(self._waiting[0].results)
            tokens -= len(self._task.prompts[self._waiting[0].prompt])
            if rows < 0 or tokens < 0:
                break
            parts.append(self._waiting.popleft())
        return parts

    def _admit(self, parts: Sequence[_Part]) -> None:
        """Read the prompts of ``parts`` and draw the first token of each member.

        The first members come first, next to each other, so that their prompts are read together.
        """
        prompts = [self._task.prompts[part.prompt] for part in parts]
        lengths = np.array([len(prompt) for prompt in prompts], np.int32)
        others = np.repeat(np.arange(len(parts)), [len(part.results) - 1 for part in parts])
        source = np.concatenate([np.arange(len(parts)), others])  # [newcomer]: its part
        firsts = [part.results[0] for part in parts]
        rest = [result for part in parts for result in part.results[1:]]
        start = len(self._open)
        logits = self._runtime.decode(
            np.concatenate([np.asarray(prompt, np.int32) for prompt in prompts]),
            np.concatenate([np.arange(length, dtype=np.int32) for length in lengths]),
            np.repeat(np.arange(start, start + len(parts), dtype=np.int32), lengths),
            np.isin(np.arange(1, lengths.sum() + 1), lengths.cumsum()),  # the last of each
        )
        for row, part in enumerate(others, start=start + len(parts)):
            self._runtime.copy(start + int(part), row)
        self._open.join(np.array(firsts + rest, np.int32), lengths[source])
        self._draw(torch.from_numpy(logits)[torch.from_numpy(source)], start)

    def _advance(self) -> None:
        """Let every open row grow by one token."""
        rows = np.arange(len(self._open), dtype=np.int32)
        every = np.ones(len(rows), np.bool_)
        logits = self._runtime.decode(self._open.token, self._open.position, rows, every)
        self._open.position += 1
        self._draw(torch.from_numpy(logits), 0)

    def _draw(self, logits: Tensor, start: int) -> None:
        """Draw a token for each row from ``start`` on, and close those that are complete."""
        now = self._open
        result, step = now.result[start:], now.step[start:]
        noise = self._noise[torch.from_numpy(result), torch.from_numpy(step)]
        token, logprob = self._task.choose(logits, noise)
        if logprob.isnan().any():
            raise no_numbers()
        now.token[start:] = token.numpy()
        self._drawn.ids[result, step] = token.numpy()
        self._drawn.logprobs[result, step] = logprob.numpy()
        step += 1
        self._drawn.lengths[result] = step
        done = (now.token == self._task.end) | (now.step == self._drawn.ids.shape[1])
        if done[start:].any():
            self._close(done)

    def _close(self, done: NDArray[np.bool_]) -> None:
        """Let complete rows go; the last open ones move into their places."""
        count, left = len(done), int((~done).sum())
        order = np.arange(left)
        holes = np.flatnonzero(done[:left])
        movers = left + np.flatnonzero(~done[left:])
        for hole, mover in zip(holes.tolist(), movers.tolist(), strict=True):
            self._runtime.copy(mover, hole)
        for row in range(left, count):
            self._runtime.forget(row)
        order[holes] = movers
        self._open.pick(order)
