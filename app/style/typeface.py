"""Waggle's typeface: for the window as a whole, and for what is drawn by hand."""

from PySide6.QtGui import QFont

from app.style import theme


def typeface(size: int, *, bold: bool = False) -> QFont:
    """Letters of ``size`` px."""
    font = QFont(theme.FONT_FAMILY)
    font.setPixelSize(size)
    font.setWeight(QFont.Weight.DemiBold if bold else QFont.Weight.Normal)
    return font
