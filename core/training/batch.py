"""Groups as one flat list of tokens: each prompt once, then its completions side by side.

    group       0 0 0   0 0 0   0 0   1 1 ...
    tokens     p0 p1 p2 a0 a1 a2 b0 b1 q0 q1 ...
    positions   0  1  2  3  4  5  3  4  0  1 ...

Nothing is padded: whatever looks at one token at a time (nearly all of the work) sees this list.
Only attention wants rectangles, so a batch says where in a rectangle each token stands. A token
looks back at the prompt and at its own completion only, so every completion sees exactly what it
would see alone: same log-probabilities, same gradients, without repeating the prompt. The last
token of a completion predicts nothing and is looked at by nobody, so it stays out of the list.
"""

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

import torch
from torch import Tensor


@dataclass(frozen=True, slots=True)
class TrainingGroup:
    """A group in the policy's own tokens; the fields beside ``prompt`` go together."""

    prompt: tuple[int, ...]  # never empty
    completions: tuple[tuple[int, ...], ...]  # none empty; with the end-of-sequence token if ended
    advantages: tuple[float, ...]
    sampler_logprobs: tuple[tuple[float, ...], ...] | None = None
    """The sampler's log-probability of each token; None where it is unknown or of no interest."""
    shaping: float = 0.0
    """Gamma of ``core.training.loss.shaping_weights``; 0: every token counts in full."""
    credits: tuple[float, ...] | None = None
    """What is added to the advantage of each completion's first token; None: nothing."""
    of_others: bool = False  # who are strangers
    by_sequence: bool = False
    """A completion is one term of the loss, and not each of its tokens."""

    @property
    def width(self) -> int:
        """Tokens of the group in the list."""
        return len(self.prompt) + sum(len(ids) - 1 for ids in self.completions)

    @property
    def trained_tokens(self) -> int:
        """Completion tokens, all of which are in the loss."""
        return sum(len(ids) for ids in self.completions)

    @property
    def terms(self) -> int:
        """Terms of the loss, over which an update takes the mean."""
        return len(self.completions) if self.by_sequence else self.trained_tokens

    def only(self, members: Sequence[int]) -> "TrainingGroup":
        """The same question with those completions only, by number."""
        of_sampler = self.sampler_logprobs
        return replace(
            self,
            completions=tuple(self.completions[n] for n in members),
            advantages=tuple(self.advantages[n] for n in members),
            sampler_logprobs=of_sampler and tuple(of_sampler[n] for n in members),
            credits=self.credits and tuple(self.credits[n] for n in members),
        )


@dataclass(frozen=True, slots=True)
class Rectangles:
    """Where attention finds the tokens of a batch; gaps hold -1."""

    prompts: Tensor  # [group, place]: number of each prompt token in the list
    completions: Tensor  # [group, completion, place]: likewise
    slots: int  # tokens in the list


@dataclass(frozen=True, slots=True)
class Terms:
    """Which tokens are one term of the loss together."""

    numbers: Tensor  # int64 [token]: of its term, ascending from 0
    sizes: Tensor  # float32 [term]: tokens of each

    def means(self, values: Tensor) -> Tensor:
        """Means over the tokens of each term: [token] -> [term]."""
        return torch.zeros_like(self.sizes).index_add(0, self.numbers, values) / self.sizes


@dataclass(frozen=True, slots=True)
class PackedBatch:
    """The tokens of one forward pass, and where among them each trained token is predicted."""

    ids: Tensor  # [slot]
    positions: Tensor  # [slot]
    rectangles: Rectangles
    sources: Tensor  # [token]: the slot that predicts each trained token
    targets: Tensor  # [token]: its id
    advantages: Tensor  # float32 [token]: of the completion it belongs to, and its own credit
    sampler_logprobs: Tensor  # float32 [token]; NaN: ask not
    shaping: Tensor  # float32 [token]: gamma of its group
    terms: Terms | None  # of the loss; None: each token is one


def pack(groups: Sequence[TrainingGroup], device: torch.device | str = "cpu") -> PackedBatch:
    """Lay ``groups`` out, ready for one pass on ``device``.

    All is laid out here and sent in one copy: each copy makes the host wait for a graphics card.
    """
    starts = [0]
    for group in groups:
        starts.append(starts[-1] + group.width)
    located = list(zip(groups, starts, strict=False))
    terms, sizes = _terms(groups)
    prompts, completions = _rectangles(located)
    laid_out = {  # int64 first, then float32: each has to begin at a multiple of its width
        "ids": torch.tensor([i for group in groups for i in _ids(group)]),
        "positions": torch.tensor([p for group in groups for p in _positions(group)]),
        "prompts": prompts,
        "completions": completions,
        "sources": torch.tensor([s for group, start in located for s in _sources(group, start)]),
        "targets": torch.tensor([i for group in groups for ids in group.completions for i in ids]),
        "terms": terms,
        "advantages": _floats([a for group in groups for a in _token_advantages(group)]),
        "sampler_logprobs": _floats([p for g in groups for p in _token_sampler_logprobs(g)]),
        "shaping": _floats([g for group in groups for g in [group.shaping] * group.trained_tokens]),
        "sizes": sizes,
    }
    sent = dict(zip(laid_out, _sent([*laid_out.values()], torch.device(device)), strict=True))
    places = Rectangles(sent.pop("prompts"), sent.pop("completions"), starts[-1])
    terms, sizes = sent.pop("terms"), sent.pop("sizes")
    return PackedBatch(rectangles=places, terms=Terms(terms, sizes) if len(sizes) else None, **sent)


def _floats(values: Sequence[float]) -> Tensor:
    return torch.tensor(values, dtype=torch.float32)


def _sent(tensors: Sequence[Tensor], device: torch.device) -> Iterator[Tensor]:
    """``tensors``, those of wider types first, on ``device``: one copy of all their bytes."""
    pieces = [tensor.flatten().view(torch.uint8) for tensor in tensors]
    sent = torch.cat(pieces).to(device, non_blocking=True).split([len(piece) for piece in pieces])
    for tensor, piece in zip(tensors, sent, strict=True):
        yield piece.view(tensor.dtype).view(tensor.shape)


def micro_batches(
    groups: Sequence[TrainingGroup], max_slots: int, max_scores: int, *, in_order: bool = False
) -> Iterator[list[TrainingGroup]]:
    """Split ``groups`` into batches of at most ``max_slots`` tokens, or of one completion.

    A head of attention has at most ``max_scores`` scores, gaps counted: one long completion makes
    the rectangle of a whole batch long. A group that is too large by itself is taken in parts, each
    with the prompt. Groups of like width go together, which leaves few gaps, unless all completions
    are to come ``in_order``.
    """
    batch: list[TrainingGroup] = []
    parts = [part for group in groups for part in _parts(group, max_slots, max_scores)]
    for part in parts if in_order else sorted(parts, key=lambda part: part.width):
        if batch and not _fits([*batch, part], max_slots, max_scores):
            yield batch
            batch = []
        batch.append(part)
    if batch:
        yield batch


def _parts(group: TrainingGroup, max_slots: int, max_scores: int) -> Iterator[TrainingGroup]:
    """Yield as many completions at a time as fit, all if they do; one at least."""
    start = 0
    for number in range(1, len(group.completions)):
        if not _fits([group.only(range(start, number + 1))], max_slots, max_scores):
            yield group.only(range(start, number))
            start = number
    yield group.only(range(start, len(group.completions)))


def _fits(groups: Sequence[TrainingGroup], max_slots: int, max_scores: int) -> bool:
    """Whether tokens and scores of ``groups`` stay within the bounds of ``micro_batches``."""
    width = sum(group.width for group in groups)
    return width <= max_slots and attention_scores(groups) <= max_scores


def attention_scores(groups: Sequence[TrainingGroup]) -> int:
    """Scores of a head in a pass over ``groups``, gaps counted."""
    places, members, inner = _sides(groups)
    return len(groups) * (places**2 + members * inner * (places + inner))


def _ids(group: TrainingGroup) -> list[int]:
    return [*group.prompt, *(i for ids in group.completions for i in ids[:-1])]


def _positions(group: TrainingGroup) -> list[int]:
    start = len(group.prompt)
    return [*range(start), *(start + j for ids in group.completions for j in range(len(ids) - 1))]


def _sources(group: TrainingGroup, start: int) -> list[int]:
    """The prompt's last token predicts every completion's first, which predicts the second, ..."""
    first = start + len(group.prompt) - 1
    following = first + 1
    sources: list[int] = []
    for ids in group.completions:
        inner = len(ids) - 1
        sources += [first, *range(following, following + inner)]
        following += inner
    return sources


def _token_advantages(group: TrainingGroup) -> list[float]:
    first = group.credits or (0.0,) * len(group.advantages)
    each = zip(group.completions, group.advantages, first, strict=True)
    return [a for ids, all_, credit in each for a in (all_ + credit, *[all_] * (len(ids) - 1))]


def _token_sampler_logprobs(group: TrainingGroup) -> list[float]:
    if group.sampler_logprobs is None:
        return [math.nan] * group.trained_tokens
    return [logprob for logprobs in group.sampler_logprobs for logprob in logprobs]


def _terms(groups: Sequence[TrainingGroup]) -> tuple[Tensor, Tensor]:
    """Each completion of a group that goes by sequence is one, and each token of any other.

    ``Terms.numbers`` and ``Terms.sizes``; both are empty where each token is one.
    """
    if not any(group.by_sequence for group in groups):
        return torch.tensor([], dtype=torch.int64), _floats([])
    sizes = [
        size
        for group in groups
        for ids in group.completions
        for size in ([len(ids)] if group.by_sequence else [1] * len(ids))
    ]
    numbers = torch.tensor([term for term, size in enumerate(sizes) for _ in range(size)])
    return numbers, _floats(sizes)


def _rectangles(located: Sequence[tuple[TrainingGroup, int]]) -> tuple[Tensor, Tensor]:
    """Each group with the number of its first token -> where its tokens stand; see above."""
    places, members, inner = _sides([group for group, _ in located])
    prompts = torch.full((len(located), places), -1)
    completions = torch.full((len(located), members, inner), -1)
    for row, (group, start) in enumerate(located):
        following = start + len(group.prompt)
        prompts[row, : len(group.prompt)] = torch.arange(start, following)
        for member, ids in enumerate(group.completions):
            length = len(ids) - 1
            completions[row, member, :length] = torch.arange(following, following + length)
            following += length
    return prompts, completions


def _sides(groups: Sequence[TrainingGroup]) -> tuple[int, int, int]:
    """Places of the longest prompt, completions of the largest group, places of the longest one."""
    places = max(len(group.prompt) for group in groups)
    members = max(len(group.completions) for group in groups)
    # At least one place, so that attention never meets a rectangle without area.
    inner = max(1, *(len(ids) - 1 for group in groups for ids in group.completions))
    return places, members, inner
