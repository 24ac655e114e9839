"""Whether a model has learnt out: a test on the curve of its skill; pure.

The last ``SPAN`` rounds are cut into blocks, whose means hardly depend on each other: an estimate
of a cell forgets within some hundred rounds. A line is fitted to these means (least squares); only
if its slope is below ``SLOWEST`` with 95 % confidence (one-sided, Student's t), nothing more is
being learnt. Rising slowly is rising: that is not enough to say so.
"""

from collections.abc import Sequence
from math import sqrt
from statistics import fmean
from typing import Final

from core.api.events import Point

SPAN: Final = 3_000
"""Rounds that are looked at; fewer never tell."""

BLOCKS: Final = 10
SLOWEST: Final = 0.005
"""Skill per thousand rounds; what rises by more is still learning."""

_T_95: Final = 1.860
"""Student's t, 95 % one-sided, for ``BLOCKS`` - 2 degrees of freedom."""


def has_levelled_off(points: Sequence[Point]) -> bool:
    """Whether the skill surely rises no more, going by the last ``SPAN`` rounds."""
    if not points or points[-1].round - points[0].round < SPAN:
        return False
    means = _block_means(points)
    if means is None:
        return False
    slope, error = _fit(means)
    per_thousand = 1_000 * BLOCKS / SPAN
    return per_thousand * (slope + _T_95 * error) < SLOWEST


def _block_means(points: Sequence[Point]) -> list[float] | None:
    """The mean skill of each block, the oldest first; None where one has no point."""
    last, length = points[-1].round, SPAN // BLOCKS
    blocks: list[list[float]] = [[] for _ in range(BLOCKS)]
    for point in points:
        back = (last - point.round) // length
        if 0 <= back < BLOCKS:  # a history is read from a file: it may be out of order
            blocks[BLOCKS - 1 - back].append(point.skill)
    return [fmean(block) for block in blocks] if all(blocks) else None


def _fit(means: Sequence[float]) -> tuple[float, float]:
    """Slope of the line through ``means``, a block being 1 wide, and its standard error."""
    middle, mean = (len(means) - 1) / 2, fmean(means)
    spread = sum((at - middle) ** 2 for at in range(len(means)))
    slope = sum((at - middle) * value for at, value in enumerate(means)) / spread
    rest = sum((v - mean - slope * (at - middle)) ** 2 for at, v in enumerate(means))
    return slope, sqrt(rest / (len(means) - 2) / spread)
