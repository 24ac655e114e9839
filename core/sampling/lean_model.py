"""A forward pass of our own for the Llama block, with as few operations as it can be had.

Llama, Qwen2 and Qwen3 differ in a bias and in a norm of their heads. Decoding a small model is all
overhead and decoding a large one all memory traffic, and transformers' forward has much of both.

Nothing is padded but for attention: whatever looks at one token at a time, which is nearly all of
the work, sees the prompts of a batch as one list.
"""

from collections.abc import Callable, Iterator, Sequence

import torch
from torch import Tensor
from torch.nn import functional

from core.models.memory.budget import READ_TOKENS
from core.sampling.lean_cache import LeanCache
from core.sampling.lean_weights import LeanLayer, LeanShape, LeanWeights

Attend = Callable[[int, Tensor], Tensor]
"""(layer, heads [row, query, key and value heads, head_dim], queries scaled)
-> [row, query heads x head_dim]."""


class LeanModel:
    """The forward pass on one version of the weights; call it in inference mode."""

    def __init__(self, weights: LeanWeights) -> None:
        shape = weights.shape
        self._weights = weights
        # Queries are scaled as they are turned: after the product half precision might overflow.
        self._scale = weights.cosine.new_ones(shape.heads + shape.kv_heads, 1)
        self._scale[: shape.heads] = shape.head_dim**-0.5

    @property
    def device(self) -> torch.device:
        """The device that holds the weights."""
        return self._weights.embedding.device

    def read(
        self, prompts: Sequence[Sequence[int]], members: int, room: int
    ) -> tuple[Tensor, LeanCache]:
        """Read the prompts, each once, and a few at a time where they are long.

        Args:
            prompts: token ids, none empty.
            members: how many rows go on from each prompt.
            room: how many tokens may be drawn in each row.

        Returns:
            The states [prompt x members, hidden] of the last tokens, and the rows' cache.
        """
        lengths = [len(prompt) for prompt in prompts]
        cache = LeanCache(self._weights, lengths, members, room)
        last = [self._last_states(prompts[part], part.start, cache) for part in _parts(lengths)]
        return torch.cat(last).repeat_interleave(members, 0), cache

    def _last_states(
        self, prompts: Sequence[Sequence[int]], first: int, cache: LeanCache
    ) -> Tensor:
        """Read ``prompts``, in ``cache`` from the place ``first`` on, at once: [prompt, hidden]."""
        lengths = [len(prompt) for prompt in prompts]
        ids, positions = _one_after_another(prompts, self.device)
        queries, keys = self._weights.shape.heads, self._weights.shape.kv_heads

        def attend(layer: int, heads: Tensor) -> Tensor:
            seen = []
            for prompt, part in enumerate(heads.contiguous().split(lengths), start=first):
                q, k, v = part.transpose(0, 1).split((queries, keys, keys))
                cache.fill(layer, prompt, k, v)
                seen.append(_causal(q, k, v).transpose(0, 1).flatten(1))
            return torch.cat(seen)

        states = self._body(ids, positions, attend)
        return torch.stack([part[-1] for part in states.split(lengths)])

    def step(self, token: Tensor, cache: LeanCache) -> Tensor:
        """Take one token further in every row: [row] -> states [row, hidden]."""
        cache.show()
        states = self._body(token, cache.positions, cache.attend)
        cache.drawn += 1
        return states

    def logits(self, states: Tensor) -> Tensor:
        """Scores over the vocabulary: [row, hidden] -> [row, vocabulary], in the policy's type."""
        weights = self._weights
        return weights.head(_normed(states, weights.norm, weights.shape.epsilon))

    def _body(self, ids: Tensor, positions: Tensor, attend: Attend) -> Tensor:
        """All blocks: tokens and positions [row] -> states [row, hidden]."""
        weights, shape = self._weights, self._weights.shape
        cosine, sine = (
            table.index_select(0, positions)[:, None] * self._scale
            for table in (weights.cosine, weights.sine)
        )
        x = weights.embedding.index_select(0, ids)
        for number, layer in enumerate(weights.layers):
            y = layer.qkv(_normed(x, layer.attention_norm, shape.epsilon))
            heads = y.view(len(y), -1, shape.head_dim)
            _turn(heads[:, : cosine.shape[1]], layer.head_norm, cosine, sine, shape.epsilon)
            x = layer.output.onto(x, attend(number, heads))
            x = _mlp(x, layer, shape)
        return x


def _parts(lengths: Sequence[int]) -> Iterator[slice]:
    """Neighbouring prompts of ``lengths`` tokens that are read at once."""
    first = tokens = 0
    for number, length in enumerate(lengths):
        if number > first and tokens + length > READ_TOKENS:
            yield slice(first, number)
            first, tokens = number, 0
        tokens += length
    yield slice(first, len(lengths))


def _one_after_another(
    prompts: Sequence[Sequence[int]], device: torch.device
) -> tuple[Tensor, Tensor]:
    """Tokens of all prompts and the position of each, both [token], in one copy."""
    ids = [i for prompt in prompts for i in prompt]
    positions = [place for prompt in prompts for place in range(len(prompt))]
    both = torch.tensor([ids, positions]).to(device, non_blocking=True)
    return both[0], both[1]


def _causal(query: Tensor, key: Tensor, value: Tensor) -> Tensor:
    """Attention of a prompt to itself; all are [head, token, head_dim], queries scaled."""
    mask = None
    if query.device.type == "mps":  # there half precision was seen to look ahead without a mask
        query, key, value = query.contiguous(), key.contiguous(), value.contiguous()
        mask = torch.ones(
            query.shape[1], key.shape[1], dtype=torch.bool, device=query.device
        ).tril()
    seen = functional.scaled_dot_product_attention(
        query[None],
        key[None],
        value[None],
        attn_mask=mask,
        is_causal=mask is None,
        scale=1.0,
        enable_gqa=len(query) != len(key),
    )
    return seen[0]


def _mlp(x: Tensor, layer: LeanLayer, shape: LeanShape) -> Tensor:
    gate, up = layer.gate_up(_normed(x, layer.mlp_norm, shape.epsilon)).chunk(2, -1)
    return layer.down.onto(x, shape.activation(gate).mul_(up))


def _normed(x: Tensor, weight: Tensor | None, epsilon: float) -> Tensor:
    """Divide by the root mean square over the last dimension, in float32 as transformers does."""
    normed = functional.rms_norm(x, x.shape[-1:], None, epsilon)
    return normed if weight is None else normed.mul_(weight)


def _turn(heads: Tensor, norm: Tensor | None, cosine: Tensor, sine: Tensor, epsilon: float) -> None:
    """Turn each pair (i, i + half) of [row, head, head_dim] by its angle, in place and in float32.

    Heads that have a ``norm`` are divided by their size before.
    """
    wide = heads.float() if norm is None else _normed(heads, norm, epsilon).float()
    swapped = wide.roll(wide.shape[2] // 2, 2)
    wide.mul_(cosine).addcmul_(swapped, sine)
    if wide is not heads:
        heads.copy_(wide)
