"""A forward pass of our own for the Llama block, with as few operations as it can be had.

Llama, Qwen2 and Qwen3 differ in a bias and in a norm of their heads. Decoding a small model is all
overhead and decoding a large one all memory traffic, and transformers' forward has much of both.

Nothing is padded but for attention: whatever looks at one token at a time, which is nearly all of
the work, sees the prompts of a batch as one list.
"""

from collections.abc import Callable

import torch
from torch import Tensor
from torch.nn import functional

from core.sampling.lean_cache import LeanCache
from core.sampling.lean_weights import LeanLayer, LeanShape, LeanWeights

Attend = Callable[[int, Tensor, Tensor, Tensor], Tensor]
"""(layer, query, key, value, each [row, head, head_dim]) -> [row, query heads x head_dim]."""


class LeanModel:
    """The forward pass on one version of the weights; call it in inference mode."""

    def __init__(self, weights: LeanWeights) -> None:
        self._weights = weights

    @property
    def device(self) -> torch.device:
        """Where the weights are."""
        return self._weights.embedding.device

    def read(
        self, ids: Tensor, lengths: Tensor, members: int, room: int
    ) -> tuple[Tensor, LeanCache]:
        """Read the prompts, each once.

        Args:
            ids: [token], of all prompts one after another.
            lengths: [prompt], tokens of each.
            members: how many rows go on from each prompt.
            room: how many tokens may be drawn in each row.

        Returns:
            The states [prompt x members, hidden] of the last tokens, and the rows' cache.
        """
        cache = LeanCache(self._weights, lengths, members, room)
        prompts, width = len(lengths), int(lengths.max())
        owner = torch.arange(prompts, device=ids.device).repeat_interleave(lengths)
        ends = lengths.cumsum(0)
        positions = torch.arange(len(ids), device=ids.device) - (ends - lengths)[owner]
        places = owner * width + positions

        def square(x: Tensor) -> Tensor:
            """[token, head, head_dim] -> [prompt, token, head, head_dim], padded on the right."""
            padded = x.new_zeros(prompts * width, *x.shape[1:])
            return padded.index_copy_(0, places, x).view(prompts, width, *x.shape[1:])

        def attend(number: int, query: Tensor, key: Tensor, value: Tensor) -> Tensor:
            query, key, value = square(query), square(key), square(value)
            cache.fill(number, key, value)
            return _causal(query, key, value).flatten(0, 1)[places].flatten(1)

        states = self._body(ids, positions, attend)
        return states[ends - 1].repeat_interleave(members, 0), cache

    def step(self, token: Tensor, cache: LeanCache) -> Tensor:
        """Take one token further in every row: [row] -> states [row, hidden]."""
        states = self._body(token, cache.start + cache.drawn, cache.attend)
        cache.drawn += 1
        return states

    def logits(self, states: Tensor) -> Tensor:
        """Scores over the vocabulary: [row, hidden] -> [row, vocabulary], in the policy's type."""
        weights = self._weights
        return weights.head(_normed(states, weights.norm, weights.shape.epsilon))

    def _body(self, ids: Tensor, positions: Tensor, attend: Attend) -> Tensor:
        """All blocks: tokens and positions [row] -> states [row, hidden]."""
        weights, shape = self._weights, self._weights.shape
        cosine, sine = weights.cosine[positions, None], weights.sine[positions, None]
        turning = shape.heads + shape.kv_heads
        x = weights.embedding[ids]
        for number, layer in enumerate(weights.layers):
            y = layer.qkv(_normed(x, layer.attention_norm, shape.epsilon))
            heads = y.view(len(y), -1, shape.head_dim)
            turned = heads[:, :turning]
            if layer.head_norm is not None:
                turned = _normed(turned, layer.head_norm, shape.epsilon)
            turned = _rotated(turned, cosine, sine).to(x.dtype)
            query, key = turned[:, : shape.heads], turned[:, shape.heads :]
            x = layer.output.onto(x, attend(number, query, key, heads[:, turning:]))
            x = _mlp(x, layer, shape)
        return x


def _causal(query: Tensor, key: Tensor, value: Tensor) -> Tensor:
    """Attention of each prompt to itself; all are [prompt, token, head, head_dim]."""
    q, k, v = (x.transpose(1, 2) for x in (query, key, value))
    mask = None
    if query.device.type == "mps":  # there half precision was seen to look ahead without a mask
        q, k, v = q.contiguous(), k.contiguous(), v.contiguous()
        mask = torch.ones(q.shape[2], q.shape[2], dtype=torch.bool, device=q.device).tril()
    seen = functional.scaled_dot_product_attention(
        q, k, v, attn_mask=mask, is_causal=mask is None, enable_gqa=q.shape[1] != k.shape[1]
    )
    return seen.transpose(1, 2)


def _mlp(x: Tensor, layer: LeanLayer, shape: LeanShape) -> Tensor:
    gate, up = layer.gate_up(_normed(x, layer.mlp_norm, shape.epsilon)).chunk(2, -1)
    return layer.down.onto(x, shape.activation(gate).mul_(up))


def _normed(x: Tensor, weight: Tensor | None, epsilon: float) -> Tensor:
    """Divide by the root mean square over the last dimension, in float32 as transformers does."""
    wide = x.float()
    wide = wide * (wide * wide).mean(-1, keepdim=True).add_(epsilon).rsqrt_()
    return wide.to(x.dtype) if weight is None else wide.to(x.dtype).mul_(weight)


def _rotated(heads: Tensor, cosine: Tensor, sine: Tensor) -> Tensor:
    """Turn each pair (i, i + half) of [row, head, head_dim] by its position's angle."""
    half = heads.shape[-1] // 2
    swapped = torch.cat((heads[..., half:], heads[..., :half]), -1)
    return torch.addcmul(heads * cosine, swapped, sine)
