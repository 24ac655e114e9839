"""Keys and values of a batch that is being decoded, and the attention of its rows to them.

Those of a prompt are held once for all rows of its group: reading them is most of the work of small
models, and a copy for each row would be read in every step. Each row's own lie apart, behind which
new ones are written. One softmax spans both.
"""

from typing import Final

import torch
from torch import Tensor

from core.sampling.lean_weights import LeanWeights

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
