"""A forward pass of our own for the Llama block, with as few operations as it can be had.

Llama, Qwen2 and Qwen3 differ in a bias and in a norm of their heads. Decoding a small model is all
overhead and decoding a large one all memory traffic, and transformers' forward has much of both.

Nothing is padded but for attention: whatever looks at one token at a time, which is nearly all of
the work, sees the prompts of a batch as one list.
"""

from collections.abc import Callable
from typing import Final

import torch
from torch import Tensor
from torch.nn import functional

from core.sampling.lean_weights import LeanLayer, LeanShape, LeanWeights

HIDDEN_FROM_SIGHT: Final = -1e4
"""Added to the scores of padding; as good as minus infinity, and finite in half precision."""


class LeanCache:
    """Allocated once, with room for what will be drawn; rows that have ended may leave.

    A group whose rows are not all there any more keeps empty *seats*, so that all groups together
    are still one product.
    """

    def __init__(self, weights: LeanWeights, lengths: Tensor, members: int, room: int) -> None:
        """Make room for prompts of ``lengths`` [prompt], and for ``room`` tokens in each row."""
        shape, like = weights.shape, weights.embedding
        prompts, width, layers = len(lengths), int(lengths.max()), len(weights.layers)
        heads, size = shape.kv_heads, shape.head_dim
        self.rows, self.drawn = prompts * members, 0
        self.start = lengths.repeat_interleave(members)  # [row]: where its own first token stands
        self._heads, self._scale = heads, size**-0.5
        self._keys = [like.new_empty(prompts, heads, size, width) for _ in range(layers)]
        self._values = [like.new_empty(prompts, heads, width, size) for _ in range(layers)]
        self._own_keys = like.new_empty(layers, self.rows, heads, room, size)
        self._own_values = torch.empty_like(self._own_keys)
        padding = torch.arange(width, device=like.device) >= lengths[:, None]
        mask = like.new_zeros(padding.shape).masked_fill_(padding, HIDDEN_FROM_SIGHT)
        self._prompts = prompts
        self._mask = mask.repeat_interleave(heads, 0)[:, None]  # [prompt x key head, 1, token]
        self._owner = torch.arange(prompts, device=like.device).repeat_interleave(members)
        self._members = members
        self._seats: Tensor | None = None  # [row]: its seat among prompts x members; None: in order

    def fill(self, layer: int, keys: Tensor, values: Tensor) -> None:
        """Keep those of the prompts: [prompt, token, head, head_dim], padded on the right."""
        self._keys[layer].copy_(keys.permute(0, 2, 3, 1))
        self._values[layer].copy_(values.transpose(1, 2))

    def attend(self, layer: int, query: Tensor, key: Tensor, value: Tensor) -> Tensor:
        """Keep the newest token's key and value, and look at all there is.

        All are [row, head, head_dim], neighbouring query heads sharing a key head; the result is
        [row, query heads x head_dim].
        """
        self._own_keys[layer, : self.rows, :, self.drawn] = key
        self._own_values[layer, : self.rows, :, self.drawn] = value
        upto, width = self.drawn + 1, self._mask.shape[2]
        own_keys = self._own_keys[layer, : self.rows].flatten(0, 1)[:, :upto]
        own_values = self._own_values[layer, : self.rows].flatten(0, 1)[:, :upto]
        query = query * self._scale  # before the product, which might overflow in half precision
        to_own = torch.bmm(self._alone(query), own_keys.transpose(1, 2))
        to_prompt = torch.baddbmm(self._mask, self._seated(query), self._keys[layer].flatten(0, 1))
        scores = (self._from_seats(to_prompt), to_own.view(self.rows, -1, upto))
        shares = torch.cat(scores, -1).softmax(-1)
        values = self._values[layer].flatten(0, 1)
        from_prompt = torch.bmm(self._seated(shares[..., :width]), values)
        from_own = torch.bmm(self._alone(shares[..., width:]), own_values)
        return self._from_seats(from_prompt).flatten(1).add_(from_own.view(self.rows, -1))

    def keep(self, chosen: Tensor) -> None:
        """Let all rows but ``chosen`` (row numbers, ascending) leave, and prompts without rows."""
        self.rows, self.start = len(chosen), self.start[chosen]
        for own in (*self._own_keys, *self._own_values):
            own[: self.rows, :, : self.drawn] = own[chosen, :, : self.drawn]
        present, self._owner, counts = self._owner[chosen].unique_consecutive(
            return_inverse=True, return_counts=True
        )
        if len(present) < self._prompts:
            self._prompts = len(present)
            self._mask = self._mask.unflatten(0, (-1, self._heads))[present].flatten(0, 1)
            for layer, keys in enumerate(self._keys):
                self._keys[layer] = keys[present]
                self._values[layer] = self._values[layer][present]
        self._members = int(counts.max())
        before = counts.cumsum(0) - counts
        rank = torch.arange(self.rows, device=chosen.device) - before[self._owner]
        is_full = self.rows == len(present) * self._members
        self._seats = None if is_full else self._owner * self._members + rank

    def _alone(self, x: Tensor) -> Tensor:
        """[row, query head, n] -> [row x key head, sharing query head, n]."""
        return x.reshape(self.rows * self._heads, -1, x.shape[2])

    def _seated(self, x: Tensor) -> Tensor:
        """[row, query head, n] -> [prompt x key head, seat x sharing query head, n]."""
        if self._seats is not None:
            seats = x.new_zeros(self._prompts * self._members, *x.shape[1:])
            x = seats.index_copy_(0, self._seats, x)
        grouped = x.reshape(self._prompts, self._members, self._heads, -1, x.shape[2])
        return grouped.transpose(1, 2).reshape(self._prompts * self._heads, -1, x.shape[2])

    def _from_seats(self, x: Tensor) -> Tensor:
        """Undo ``_seated``."""
        grouped = x.view(self._prompts, self._heads, self._members, -1, x.shape[2])
        rows = grouped.transpose(1, 2).reshape(self._prompts * self._members, -1, x.shape[2])
        return rows if self._seats is None else rows[self._seats]


Attend = Callable[[int, Tensor, Tensor, Tensor], Tensor]
"""(layer, query, key, value, each [row, head, head_dim]) -> [row, query heads x head_dim]."""


class LeanModel:
    """The forward pass on one version of the weights; call it in inference mode."""

    def __init__(self, weights: LeanWeights) -> None:
        self._weights = weights

    @property
    def device(self) -> torch.device:
        """The device that holds the weights."""
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
