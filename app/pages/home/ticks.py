"""Where an axis of time or of rounds is marked, and with which words."""

from app.text.figures import figure
from app.text.moments import clock, local

_STEPS_S = (60, 120, 300, 600, 900, 1_800, 3_600, 7_200, 10_800, 14_400, 21_600)
_MOST = 7


def time_ticks(begin: float, end: float) -> list[tuple[float, str]]:
    """Full minutes or hours between ``begin`` and ``end`` (unix seconds), a few, as clocks here."""
    step = next((s for s in _STEPS_S if (end - begin) / s <= _MOST), _STEPS_S[-1])
    offset = local(end).utcoffset()
    shift = 0.0 if offset is None else offset.total_seconds()
    first = -(-(begin + shift) // step) * step - shift
    ticks = [first + step * number for number in range(_MOST + 1)]
    return [(at, clock(at)) for at in ticks if at <= end]


def round_ticks(begin: float, end: float, most: int = _MOST) -> list[tuple[float, str]]:
    """Whole numbers between ``begin`` and ``end``, at most ``most`` and one more, as words."""
    wide = (end - begin) / max(1, min(most, _MOST))
    sizes = (lead * 10**power for power in range(16) for lead in (1, 2, 5))
    step = next((size for size in sizes if size >= wide), 10**16)
    first = -(-begin // step) * step
    ticks = (first + step * number for number in range(_MOST + 2))
    return [(at, figure(round(at))) for at in ticks if at <= end]
