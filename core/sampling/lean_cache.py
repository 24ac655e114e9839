"""Keys and values of a batch that is decoded: of its prompts, and of what is drawn behind them.

The members of a group share their prompt: it is held once, and one product serves all of them. They
sit side by side, *seat* by seat, and a group whose rows are not all there any more keeps empty
seats, so that all groups together are still one product.

A step changes no shape and asks the device nothing. Room is made ahead, a mask hides what of it is
not filled yet, and a counter on the device says where the newest token goes: so a host may send
steps ahead of a graphics card, which may have recorded one and play it again and again.
"""

from collections import Counter
from collections.abc import Sequence
from typing import Final

import torch
from torch import Tensor
from torch.nn import functional

from core.sampling.lean_weights import LeanWeights

MASKED: Final = -1e4
"""Added to the scores of gaps; as good as minus infinity, and finite in half precision."""

PLACES: Final = 16
"""Room made at once on a processor, which looks at every place of it in every step."""


class LeanCache:
    """What the rows of a batch have seen; rows that have ended may leave.

    Heads of keys come first everywhere, since the products of attention are many small ones, one
    for each head of keys in each group.
    """

    def __init__(
        self, weights: LeanWeights, lengths: Sequence[int], members: int, room: int
    ) -> None:
        """Prepare for prompts of ``lengths`` tokens, and ``room`` tokens in each row behind."""
        shape, like = weights.shape, weights.embedding
        heads, size, width = shape.kv_heads, shape.head_dim, max(lengths)
        prompts, layers, device = len(lengths), len(weights.layers), like.device
        self._queries, self._heads, self._members = shape.heads, heads, members
        self._lengths = list(lengths)  # of every prompt, on the host
        self._owners = [prompt for prompt in range(prompts) for _ in range(members)]  # of rows
        self._seats = list(range(prompts * members))  # of rows
        self._moves: tuple[Tensor, Tensor] | None = None  # rows to seats and back; None: in order
        self._room, self._opened = room, 0
        self._block = PLACES if device.type == "cpu" else max(1, room)
        # What a mask hides has to be finite, so no memory is left as it was found.
        self._keys = [like.new_zeros(heads, prompts, size, width) for _ in range(layers)]
        self._values = [like.new_zeros(heads, prompts, width, size) for _ in range(layers)]
        self._own = [  # keys, then values: [heads of both, seat, place, head_dim]
            like.new_zeros(2 * heads, prompts * members, 0, size) for _ in range(layers)
        ]
        ends = torch.tensor(self._lengths).to(device, non_blocking=True)
        gaps = torch.arange(width, device=device) >= ends[:, None]
        mask = like.new_zeros(gaps.shape).masked_fill_(gaps, MASKED)
        self._mask = mask[:, None]  # [prompt, 1, own places and then those of the prompt]
        self._start = ends.repeat_interleave(members)  # [row]: where its own first token stands
        self.drawn = torch.zeros(1, dtype=torch.int64, device=device)
        """How many tokens of each row are here."""

    @property
    def opened(self) -> int:
        """How many tokens of each row there is room for, before ``open`` is called again."""
        return self._opened

    @property
    def positions(self) -> Tensor:
        """Where in its text each row's next token stands: [row]."""
        return self._start + self.drawn

    def open(self) -> None:
        """Make room for further tokens of every row; this changes shapes.

        Copied, and not kept apart from the start: what is far apart in memory takes a processor
        three times as long to read.
        """
        before = self._opened
        self._opened = min(before + self._block, self._room)
        added = self._opened - before
        for layer, own in enumerate(self._own):  # one by one: never all of them twice
            self._own[layer] = functional.pad(own, (0, 0, 0, added))
        new = self._mask.new_full((len(self._mask), 1, added), MASKED)
        self._mask = torch.cat((self._mask[..., :before], new, self._mask[..., before:]), 2)

    def fill(self, layer: int, prompt: int, keys: Tensor, values: Tensor) -> None:
        """Keep those of a prompt: both are [head, token, head_dim]."""
        self._keys[layer][:, prompt, :, : keys.shape[1]] = keys.mT
        self._values[layer][:, prompt, : keys.shape[1]] = values

    def show(self) -> None:
        """Let rows see the place of their next token, before the first layer fills it."""
        self._mask.index_fill_(2, self.drawn, 0)

    def attend(self, layer: int, heads: Tensor) -> Tensor:
        """Keep the newest tokens' keys and values, and look at all that there is.

        ``heads`` is [row, query, key and value heads, head_dim], the queries scaled and
        neighbouring ones sharing a head of keys; the result is [row, query heads x head_dim].
        """
        if self._moves is not None:
            heads = heads.index_select(0, self._moves[0])
        seats, _, size = heads.shape
        prompts = len(self._mask)
        groups, upto = self._heads * prompts, self._opened
        own = self._own[layer]
        own.index_copy_(2, self.drawn, heads[:, self._queries :].transpose(0, 1).unsqueeze(2))
        own_keys, own_values = (half.flatten(0, 1) for half in own.chunk(2))
        queries = heads[:, : self._queries].view(prompts, self._members, self._heads, -1, size)
        queries = queries.permute(2, 0, 1, 3, 4).reshape(groups, -1, size)
        alone = self._heads * seats, -1  # each row by itself, and not with its group
        to_own = torch.bmm(queries.reshape(*alone, size), own_keys.mT).view(groups, -1, upto)
        scores = torch.cat((to_own, torch.bmm(queries, self._keys[layer].flatten(0, 1))), 2)
        scores.view(self._heads, prompts, -1, scores.shape[2]).add_(self._mask)
        shares = scores.softmax(2)
        mixed = torch.bmm(shares[..., upto:], self._values[layer].flatten(0, 1))
        mixed.view(*alone, size).baddbmm_(shares[..., :upto].view(*alone, upto), own_values)
        rows = mixed.view(self._heads, seats, -1).transpose(0, 1).reshape(seats, -1)
        return rows if self._moves is None else rows.index_select(0, self._moves[1])

    def keep(self, chosen: Sequence[int]) -> None:
        """Let all rows but ``chosen`` (row numbers, ascending) leave, and prompts without rows."""
        owners = [self._owners[row] for row in chosen]
        present = sorted(set(owners))
        self._members = max(Counter(owners).values())
        number = {prompt: n for n, prompt in enumerate(present)}
        taken: Counter[int] = Counter()
        seats: list[int] = []
        for owner in owners:
            seats.append(number[owner] * self._members + taken[owner])
            taken[owner] += 1
        came, back = [0] * (len(present) * self._members), [0] * (len(present) * self._members)
        for row, (old, seat) in enumerate(zip(chosen, seats, strict=True)):
            came[seat], back[seat] = self._seats[old], row  # any, where a seat is empty
        stays, groups, sources, to_seats, to_rows = self._sent(chosen, present, came, back, seats)
        self._start = self._start.index_select(0, stays)
        self._owners, self._seats = [number[owner] for owner in owners], seats
        self._moves = None if len(seats) == len(came) else (to_seats, to_rows)
        for layer, own in enumerate(self._own):
            self._own[layer] = own.index_select(1, sources)
        if len(present) < len(self._lengths):
            self._keep_prompts(present, groups)

    def _keep_prompts(self, present: Sequence[int], groups: Tensor) -> None:
        self._lengths = [self._lengths[prompt] for prompt in present]
        width = max(self._lengths)
        self._mask = self._mask.index_select(0, groups)[..., : self._opened + width]
        for layer, (keys, values) in enumerate(zip(self._keys, self._values, strict=True)):
            self._keys[layer] = keys[..., :width].index_select(1, groups)
            self._values[layer] = values[:, :, :width].index_select(1, groups)

    def _sent(self, *numbers: Sequence[int]) -> tuple[Tensor, ...]:
        """Lists as tensors on the device, in one copy."""
        flat = torch.tensor([n for part in numbers for n in part])
        flat = flat.to(self.drawn.device, non_blocking=True)
        return tuple(flat.split([len(part) for part in numbers]))
