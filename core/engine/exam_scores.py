"""What an exam says of a model: means over all kinds and levels, each with its standard error.

Every cell counts alike, however many of its puzzles were asked, so that a mean estimates the share
of all puzzles; and a standard error tells of the luck of the draw within cells alone, since every
exam has the same ones. Both as for stratified sampling (Cochran, Sampling Techniques, 1977, ch. 5);
cells with one puzzle are taken together as one stratum ("collapsed strata", ibid., 5A.12), which
errs on the safe side.
"""

import math
from collections import Counter, defaultdict
from collections.abc import Callable, Sequence
from typing import Final

from core.api.practice import ExamScores, MeasuredScore
from core.engine.exam import Cell, Grade

_Value = Callable[[Grade], float]

_VALUES: Final[tuple[_Value, _Value, _Value]] = (
    lambda grade: grade.solved,
    lambda grade: grade.forgiven,
    lambda grade: grade.pass_8,
)


def score(grades: Sequence[Grade]) -> ExamScores:
    """The three scores of one pass, of at least two puzzles."""
    return ExamScores(*(_mean(grades, [value(one) for one in grades]) for value in _VALUES))


def gain(before: Sequence[Grade], now: Sequence[Grade]) -> ExamScores:
    """By how much ``now`` is better in each score, puzzle by puzzle."""
    return ExamScores(*(_difference(before, now, value, value) for value in _VALUES))


def gain_in_form(before: Sequence[Grade], now: Sequence[Grade]) -> MeasuredScore:
    """The part of the gain in puzzles solved that goes away when the form is forgiven."""

    def form(grade: Grade) -> float:
        return grade.solved - grade.forgiven

    return _difference(before, now, form, form)


def ahead(before: Sequence[Grade], now: Sequence[Grade]) -> MeasuredScore:
    """How much more is solved at the first try ``now`` than ``before`` within eight."""
    return _difference(before, now, lambda one: one.pass_8, lambda one: one.solved)


def _difference(
    before: Sequence[Grade], now: Sequence[Grade], of_before: _Value, of_now: _Value
) -> MeasuredScore:
    pairs = zip(before, now, strict=True)
    return _mean(now, [of_now(new) - of_before(old) for old, new in pairs])


def _mean(grades: Sequence[Grade], values: Sequence[float]) -> MeasuredScore:
    """Mean over cells of ``values``, one for each of ``grades``."""
    return stratified_mean([grade.cell for grade in grades], values)


def stratified_mean(cells: Sequence[Cell], values: Sequence[float]) -> MeasuredScore:
    """Mean of ``values`` in which every cell counts alike, and its standard error.

    Args:
        cells: the stratum of each value; at least two.
        values: in [-1, 1].
    """
    sizes = Counter(cells)
    shares = [value / (len(sizes) * sizes[cell]) for cell, value in zip(cells, values, strict=True)]
    strata: defaultdict[Cell | None, list[float]] = defaultdict(list)
    for stratum, share in zip(_strata(cells, sizes), shares, strict=True):
        strata[stratum].append(share)
    variance = sum(map(_variance_of_sum, strata.values()))
    return MeasuredScore(mean=_bounded(sum(shares)), standard_error=min(1.0, math.sqrt(variance)))


def _strata(cells: Sequence[Cell], sizes: Counter[Cell]) -> list[Cell | None]:
    """The stratum of each puzzle; None is that of the cells that have only one.

    Where that is a single puzzle, the next cell in order goes with it.
    """
    alone = {cell for cell, size in sizes.items() if size == 1}
    if len(alone) == 1:
        alone |= set(sorted(sizes.keys() - alone)[:1])
    return [None if cell in alone else cell for cell in cells]


def _variance_of_sum(shares: Sequence[float]) -> float:
    """Of the sum of independent draws, estimated from ``shares``, at least two."""
    count = len(shares)
    mean = sum(shares) / count
    return count / (count - 1) * sum((share - mean) ** 2 for share in shares)


def _bounded(mean: float) -> float:
    """Without what rounding adds."""
    return max(-1.0, min(1.0, mean))
