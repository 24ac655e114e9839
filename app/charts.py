"""What the charts of all pages have in common; pure."""

from collections.abc import Mapping

from PySide6.QtCore import Qt
from PySide6.QtGui import QFont

from app import theme

_SCALES = ((0.1, 0.02), (0.2, 0.05), (0.3, 0.1), (0.5, 0.1), (0.6, 0.2), (0.8, 0.2), (1.0, 0.2))


def score_marks(highest: float) -> list[float]:
    """Round marks from 0 to the first that is not below ``highest``, a share."""
    top, step = next((scale for scale in _SCALES if highest <= scale[0]), _SCALES[-1])
    return [step * mark for mark in range(round(top / step) + 1)]


def percent(share: float) -> str:
    """A share in words; a no-break space keeps the sign with its number."""
    return f"{100 * share:.0f}\u00a0%"


def step(key: int, at: int, last: int, leaps: Mapping[Qt.Key, int]) -> int | None:
    """The place of a chart, of 0 to ``last``, to which a ``key`` leads from ``at``.

    None where it leads nowhere. ``leaps`` says how far further keys go.
    """
    if last < 0:
        return None
    moves = {Qt.Key.Key_Left: -1, Qt.Key.Key_Right: 1, **leaps}
    wanted = {Qt.Key.Key_Home: 0, Qt.Key.Key_End: last} | {k: at + by for k, by in moves.items()}
    found = wanted.get(Qt.Key(key))
    return None if found is None else max(0, min(last, found))


def small_font() -> QFont:
    """For the figures along an axis."""
    font = QFont(theme.FONT_FAMILY)
    font.setPixelSize(theme.TEXT_SMALL)
    return font
