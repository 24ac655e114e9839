"""What the page *Home* looks like: its part of the sheet of the whole window."""

from app import theme
from app.theme import Palette
from core.paths import RESOURCES

_DOWN = RESOURCES / "icons" / "down.svg"


def home_sheet(colours: Palette) -> str:
    """The part for the page."""
    return _SHEET.format(c=colours, t=theme, down=_DOWN.as_posix())


_SHEET = """
QLabel[role="small"][current="true"] {{ color: {c.text}; font-weight: 600; }}
QPushButton[kind="more"] {{ padding: 0; width: {t.CONTROL_HEIGHT}px; }}
QPushButton[kind="more"]::menu-indicator {{
    image: url("{down}"); width: {t.SPACE_L}px; height: {t.SPACE_L}px;
    subcontrol-origin: padding; subcontrol-position: center;
}}
"""
