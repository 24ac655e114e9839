"""What the charts of all pages have in common; pure."""

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


def small_font() -> QFont:
    """For the figures along an axis."""
    font = QFont(theme.FONT_FAMILY)
    font.setPixelSize(theme.TEXT_SMALL)
    return font
