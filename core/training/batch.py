"""Groups as tensors: one row a group, its prompt once, then its completions side by side.

    tokens     p0 p1 p2 | a0 a1 a2 | b0 b1 | pad
    positions   0  1  2 |  3  4  5 |  3  4 |  0
    block       0  0  0 |  1  1  1 |  2  2 | -1

A token looks back at the prompt and at its own block only, so every completion sees exactly what
it would see alone: same log-probabilities, same gradients, without repeating the prompt. The last
token of a completion predicts nothing and is looked at by nobody, so it stays out of the row.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import torch
from torch import Tensor

_PAD_BLOCK = -1


@dataclass(frozen=True, slots=True)
class TrainingGroup:
    """A group in the policy's own tokens; ``completions`` and ``advantages`` go together."""

    prompt: tuple[int, ...]  # never empty
    completions: tuple[tuple[int, ...], ...]  # none empty; with the end-of-sequence token if ended
    advantages: tuple[float, ...]

    @property
    def width(self) -> int:
        """Tokens of its row."""
        return len(self.prompt) + sum(len(ids) - 1 for ids in self.completions)

    @property
    def trained_tokens(self) -> int:
        """Completion tokens, all of which are in the loss."""
        return sum(len(ids) for ids in self.completions)


@dataclass(frozen=True, slots=True)
class PackedBatch:
    """Rows of one forward pass, and where in them each trained token is predicted."""

    ids: Tensor  # [row, slot]
    positions: Tensor  # [row, slot]
    mask: Tensor  # bool [row, 1, slot, slot], True where a token may look
    sources: Tensor  # [source]: flat slots (row * slots + slot) whose prediction is needed, once
    source: Tensor  # [token]: number of the source that predicts each trained token
    target: Tensor  # [token]: its id
    advantage: Tensor  # float32 [token]: of the completion it belongs to


def pack(groups: Sequence[TrainingGroup], pad_id: int) -> PackedBatch:
    """Lay ``groups`` out as rows of equal width."""
    width = max(group.width for group in groups)
    ids = torch.full((len(groups), width), pad_id)
    positions = torch.zeros_like(ids)
    blocks = torch.full_like(ids, _PAD_BLOCK)
    sources: list[int] = []
    source: list[int] = []
    for row, group in enumerate(groups):
        ids[row, : group.width] = torch.tensor(_row_ids(group))
        positions[row, : group.width] = torch.tensor(_row_positions(group))
        blocks[row, : group.width] = torch.tensor(_row_blocks(group))
        source += _token_sources(group, len(sources))
        start = row * width
        sources += range(start + len(group.prompt) - 1, start + group.width)
    return PackedBatch(
        ids=ids,
        positions=positions,
        mask=_block_mask(blocks),
        sources=torch.tensor(sources),
        source=torch.tensor(source),
        target=torch.tensor([i for group in groups for ids in group.completions for i in ids]),
        advantage=torch.tensor([a for group in groups for a in _token_advantages(group)]),
    )


def micro_batches(groups: Sequence[TrainingGroup], max_slots: int) -> Iterator[list[TrainingGroup]]:
    """Split ``groups`` into batches of at most ``max_slots`` padded slots, or of one group.

    Groups of like width go together, which leaves little padding.
    """
    batch: list[TrainingGroup] = []
    for group in sorted(groups, key=lambda group: group.width):
        if batch and (len(batch) + 1) * group.width > max_slots:
            yield batch
            batch = []
        batch.append(group)
    if batch:
        yield batch


def _row_ids(group: TrainingGroup) -> list[int]:
    return [*group.prompt, *(i for ids in group.completions for i in ids[:-1])]


def _row_positions(group: TrainingGroup) -> list[int]:
    start = len(group.prompt)
    return [*range(start), *(start + j for ids in group.completions for j in range(len(ids) - 1))]


def _row_blocks(group: TrainingGroup) -> list[int]:
    completions = enumerate(group.completions, start=1)
    return [*[0] * len(group.prompt), *(n for n, ids in completions for _ in ids[:-1])]


def _token_sources(group: TrainingGroup, first: int) -> list[int]:
    """Number of the source of each trained token.

    ``first`` is the prompt's last token, which predicts the first token of every completion; the
    row's own tokens follow it in order.
    """
    sources: list[int] = []
    following = first + 1
    for ids in group.completions:
        inner = len(ids) - 1
        sources += [first, *range(following, following + inner)]
        following += inner
    return sources


def _token_advantages(group: TrainingGroup) -> list[float]:
    pairs = zip(group.completions, group.advantages, strict=True)
    return [advantage for ids, advantage in pairs for _ in ids]


def _block_mask(blocks: Tensor) -> Tensor:
    """[row, slot] -> bool [row, 1, slot, slot].

    Padding looks at the prompt too, since a softmax over nothing is not a number.
    """
    query, key = blocks[:, :, None], blocks[:, None, :]
    slots = blocks.shape[1]
    causal = torch.ones(slots, slots, dtype=torch.bool).tril()
    return (((key == query) | (key == 0)) & causal)[:, None]
