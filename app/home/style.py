"""What the page *Home* looks like: its part of the sheet of the whole window."""

from app import theme
from app.theme import Palette
from core.paths import RESOURCES

_DOWN = RESOURCES / "icons" / "down.svg"


def home_sheet(colours: Palette) -> str:
    """The part for the page."""
    return _SHEET.format(c=colours, t=theme, down=_DOWN.as_posix())


_SHEET = """
QPushButton[kind="span"] {{
    min-height: {t.SPACE_XL}px; padding: 0 {t.SPACE_S}px; font-size: {t.TEXT_SMALL}px;
    color: {c.muted}; background: transparent; border-color: transparent;
    border-radius: {t.RADIUS_S}px;
}}
QPushButton[kind="span"]:hover {{ color: {c.text}; background: {c.sunken}; }}
QPushButton[kind="span"]:checked {{ color: {c.text}; background: {c.sunken_hover}; }}
QPushButton[kind="span"]:focus {{ border-color: {c.focus}; }}
QLabel[role="small"][current="true"] {{ color: {c.text}; font-weight: 600; }}
QPushButton[kind="more"] {{ padding: 0; width: {t.CONTROL_HEIGHT}px; }}
QPushButton[kind="more"]::menu-indicator {{
    image: url("{down}"); width: {t.SPACE_L}px; height: {t.SPACE_L}px;
    subcontrol-origin: padding; subcontrol-position: center;
}}
"""
