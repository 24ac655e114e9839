"""Attention of packed groups: the prompt to itself, and each completion to its prompt and itself.

The scores of a completion come in two blocks: over the prompt's keys, one product for all
completions of a group at once, and over its own. A row with a block mask would compute the square
over all siblings and throw most of it away. The gradient is written by hand, so that tokens move
between the flat list and the rectangles by one copy each way.
"""

import math
from dataclasses import dataclass
from typing import Any

import torch
from torch import Tensor

from core.training.batch import Rectangles

# autograd hands every function a context of its own making.
# ruff: noqa: ANN401


@dataclass(frozen=True, slots=True)
class Heads:
    """Numbers and size of heads: neighbouring query heads share a head of keys and values."""

    queries: int
    keys: int
    size: int


@dataclass(frozen=True, slots=True)
class Layout:
    """Where everything stands in the rectangles of one batch; the same for every layer.

    A *row* is what one token has in one head: row ``slot * heads + head`` of the list. In the
    rectangles the rows of all prompts [group, key head, sharing head, place] come first, then
    those of all completions [group, key head, completion, sharing head, place]; keys and values
    lack the sharing head.
    """

    groups: int
    places: int  # of the longest prompt
    members: int  # completions of the largest group
    inner: int  # places of the longest completion
    heads: Heads
    take_queries: Tensor  # [row of the rectangles]: its row in the list; any for a gap
    take_keys: Tensor
    put_queries: Tensor  # [row of the list]: its row in the rectangles
    put_keys: Tensor
    prompt_mask: Tensor  # [place, place]: 0 where a token may look, else -inf
    completion_mask: Tensor  # [group, 1, place, prompt's places + places]: likewise


def lay_out(rectangles: Rectangles, heads: Heads, dtype: torch.dtype) -> Layout:
    """Prepare a batch for all layers; ``dtype`` is that of the queries."""
    prompts, completions = rectangles.prompts, rectangles.completions
    (groups, places), (_, members, inner) = prompts.shape, completions.shape
    device = prompts.device
    key = torch.arange(heads.keys, device=device)
    query = torch.arange(heads.queries, device=device).view(heads.keys, -1)
    take_queries, put_queries = _ways(
        _rows(prompts[:, None, None, :], query[:, :, None], heads.queries),
        _rows(completions[:, None, :, None, :], query[:, None, :, None], heads.queries),
        rectangles.slots * heads.queries,
    )
    take_keys, put_keys = _ways(
        _rows(prompts[:, None, :], key[:, None], heads.keys),
        _rows(completions[:, None, :, :], key[:, None, None], heads.keys),
        rectangles.slots * heads.keys,
    )
    gaps = (prompts < 0)[:, None, None, :].expand(-1, -1, inner, -1)
    later = _later(inner, device).expand(groups, 1, -1, -1)
    return Layout(
        groups=groups,
        places=places,
        members=members,
        inner=inner,
        heads=heads,
        take_queries=take_queries,
        take_keys=take_keys,
        put_queries=put_queries,
        put_keys=put_keys,
        prompt_mask=_mask(_later(places, device), dtype),
        completion_mask=_mask(torch.cat([gaps, later], 3), dtype),
    )


def attend(queries: Tensor, keys: Tensor, values: Tensor, layout: Layout) -> Tensor:
    """Scaled dot-product attention, with gradient.

    ``queries`` and the result are [slot, query head, size], the others [slot, key head, size].
    """
    mixed: Tensor = _Attend.apply(queries, keys, values, layout)  # type: ignore[no-untyped-call]  # ships unannotated
    return mixed


class _Attend(torch.autograd.Function):
    @staticmethod
    def forward(ctx: Any, queries: Tensor, keys: Tensor, values: Tensor, layout: Layout) -> Tensor:
        q = _take(queries, layout.take_queries).mul_(_scale(layout))
        k, v = _take(keys, layout.take_keys), _take(values, layout.take_keys)
        alone, joined = _scores(q, k, layout)
        alone.view(-1, layout.places, layout.places).add_(layout.prompt_mask)
        width = layout.places + layout.inner
        joined.view(layout.groups, -1, layout.inner, width).add_(layout.completion_mask)
        alone, joined = alone.softmax(2), joined.softmax(2)
        ctx.layout, ctx.shapes = layout, (queries.shape, keys.shape)
        ctx.save_for_backward(q, k, v, alone, joined)
        return _put(_weigh(alone, joined, v, layout), layout.put_queries, queries.shape)

    @staticmethod
    def backward(ctx: Any, *gradients: Tensor) -> tuple[Tensor, Tensor, Tensor, None]:
        layout: Layout = ctx.layout
        query_shape, key_shape = ctx.shapes
        q, k, v, alone, joined = ctx.saved_tensors
        # Zero in the gaps, and so is all that follows from them.
        d_mixed = torch.zeros_like(q)
        d_mixed.index_copy_(0, layout.put_queries, gradients[0].reshape(-1, layout.heads.size))
        d_values = _weigh_back(alone, joined, d_mixed, layout)
        d_alone, d_joined = _scores(d_mixed, v, layout)
        d_alone, d_joined = _softmax_back(d_alone, alone), _softmax_back(d_joined, joined)
        d_queries = _weigh(d_alone, d_joined, k, layout).mul_(_scale(layout))
        d_keys = _weigh_back(d_alone, d_joined, q, layout)
        return (
            _put(d_queries, layout.put_queries, query_shape),
            _put(d_keys, layout.put_keys, key_shape),
            _put(d_values, layout.put_keys, key_shape),
            None,
        )


def _scores(left: Tensor, right: Tensor, layout: Layout) -> tuple[Tensor, Tensor]:
    """Rows of queries times rows of keys: of prompts, then of completions.

    [group x key head, sharing head x place, place] and
    [group x key head x completion, sharing head x place, prompt's places + places].
    """
    prompt, own = _blocks(left, layout)
    prompt_keys, own_keys = _blocks(right, layout)
    seen = torch.bmm(_together(own, layout), prompt_keys.mT)
    inner = torch.bmm(own, own_keys.mT)
    joined = torch.cat([seen.view(*own.shape[:2], layout.places), inner], 2)
    return torch.bmm(prompt, prompt_keys.mT), joined


def _weigh(alone: Tensor, joined: Tensor, right: Tensor, layout: Layout) -> Tensor:
    """Weights times rows of keys (or values) -> rows of queries."""
    prompt_keys, own_keys = _blocks(right, layout)
    rows = right.new_empty(len(layout.take_queries), layout.heads.size)
    prompt, own = _blocks(rows, layout)
    torch.bmm(alone, prompt_keys, out=prompt)
    torch.bmm(
        _together(joined, layout)[..., : layout.places], prompt_keys, out=_together(own, layout)
    )
    own.baddbmm_(joined[..., layout.places :], own_keys)
    return rows


def _weigh_back(alone: Tensor, joined: Tensor, left: Tensor, layout: Layout) -> Tensor:
    """Weights, transposed, times rows of queries -> rows of keys (or values)."""
    prompt, own = _blocks(left, layout)
    rows = left.new_empty(len(layout.take_keys), layout.heads.size)
    prompt_keys, own_keys = _blocks(rows, layout)
    torch.bmm(alone.mT, prompt, out=prompt_keys)
    seen = _together(joined, layout)[..., : layout.places]
    prompt_keys.baddbmm_(seen.mT, _together(own, layout))
    torch.bmm(joined[..., layout.places :].mT, own, out=own_keys)
    return rows


def _blocks(rows: Tensor, layout: Layout) -> tuple[Tensor, Tensor]:
    """Views of rows: [group x key head, .., size], [group x key head x completion, .., size]."""
    pairs, size = layout.groups * layout.heads.keys, layout.heads.size
    slots = layout.places + layout.members * layout.inner  # of one group
    border = len(rows) // slots * layout.places
    return (
        rows[:border].view(pairs, -1, size),
        rows[border:].view(pairs * layout.members, -1, size),
    )


def _together(own: Tensor, layout: Layout) -> Tensor:
    """The completions of a group as one matrix: [group x key head, .., size]."""
    return own.view(layout.groups * layout.heads.keys, -1, own.shape[2])


def _take(flat: Tensor, rows: Tensor) -> Tensor:
    """[slot, head, size] -> [row of the rectangles, size]."""
    return flat.reshape(-1, flat.shape[2]).index_select(0, rows)


def _put(rows: Tensor, places: Tensor, shape: torch.Size) -> Tensor:
    """[row of the rectangles, size] -> [slot, head, size]."""
    return rows.index_select(0, places).view(shape)


def _softmax_back(gradient: Tensor, weights: Tensor) -> Tensor:
    """Gradient of the scores, given that of their softmax: w (g - sum of g w)."""
    mean = (gradient * weights).sum(2, keepdim=True)
    return gradient.sub_(mean).mul_(weights)


def _scale(layout: Layout) -> float:
    return 1 / math.sqrt(layout.heads.size)


def _rows(slots: Tensor, head: Tensor, heads: int) -> Tensor:
    """Number of each slot's row in the list; -1 for a gap."""
    return torch.where(slots < 0, -1, slots * heads + head)


def _ways(prompts: Tensor, completions: Tensor, rows: int) -> tuple[Tensor, Tensor]:
    """From the list of ``rows`` into the rectangles and back, as rows to select."""
    take = torch.cat([prompts.flatten(), completions.flatten()])
    # Gaps put themselves behind the list: to look for the others would make the host wait.
    put = take.new_empty(rows + 1)
    put.scatter_(0, take.where(take >= 0, rows), torch.arange(len(take), device=take.device))
    return take.clamp(min=0), put[:rows]


def _later(places: int, device: torch.device) -> Tensor:
    """[place, place], True above the diagonal."""
    return torch.ones(places, places, dtype=torch.bool, device=device).triu(1)


def _mask(forbidden: Tensor, dtype: torch.dtype) -> Tensor:
    zeros = torch.zeros(forbidden.shape, dtype=dtype, device=forbidden.device)
    return zeros.masked_fill(forbidden, -math.inf)
