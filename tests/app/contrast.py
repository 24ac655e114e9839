"""How much one colour stands out from another, as WCAG 2.2 has it."""

from PySide6.QtGui import QColor


def linear(colour: QColor | str) -> list[float]:
    """Light of red, green and blue."""
    made = QColor(colour)
    channels = (made.redF(), made.greenF(), made.blueF())
    return [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in channels]


def luminance(colour: QColor | str) -> float:
    """Relative luminance."""
    red, green, blue = linear(colour)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(one: QColor | str, other: QColor | str) -> float:
    """From 1 to 21."""
    dark, light = sorted((luminance(one), luminance(other)))
    return (light + 0.05) / (dark + 0.05)
