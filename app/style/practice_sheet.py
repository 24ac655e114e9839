"""What the page *Practice* looks like: its part of the sheet of the whole window."""

from PySide6.QtGui import QFontDatabase

from app.style import theme
from app.style.theme import Palette


def practice_sheet(colours: Palette) -> str:
    """The part for the page."""
    fixed = QFontDatabase.systemFont(QFontDatabase.SystemFont.FixedFont).family()
    return _SHEET.format(c=colours, t=theme, fixed=fixed)


_SHEET = """
QTabBar {{ background: transparent; }}
QTabBar::tab {{
    min-height: {t.SPACE_XL}px; padding: {t.SPACE_XS}px {t.SPACE_M}px;
    margin-right: {t.SPACE_XS}px; font-weight: 600;
    color: {c.muted}; background: transparent;
    border: 2px solid transparent; border-radius: {t.RADIUS_M}px;
}}
QTabBar::tab:hover {{ background: {c.sunken}; }}
QTabBar::tab:selected {{ color: {c.text}; background: {c.sunken_hover}; }}
QTabBar::tab:focus {{ border-color: {c.focus}; }}
QFrame[role="question"] {{
    background: {c.sunken}; border: none; border-radius: {t.RADIUS_S}px;
}}
QLabel[role="fixed"] {{ font-family: "{fixed}"; }}
QLabel[role="verdict"] {{ font-size: {t.TEXT_SMALL}px; font-weight: 600; }}
QWidget[verdict="unjudged"] {{ color: {c.muted}; }}
QWidget[verdict="right"] {{ color: {c.good}; }}
QWidget[verdict="partly"] {{ color: {c.mine}; }}
QWidget[verdict="wrong"] {{ color: {c.trouble}; }}
"""
