"""The tokens of ``app.style.theme`` as a Qt palette and a style sheet.

Widgets say what they are (``role`` and ``kind`` properties), the sheet says how that looks. One
text for all of the window; ``app.style.appearance`` puts it on part by part.
"""

from PySide6.QtGui import QColor, QFontDatabase, QPalette

from app.style import theme
from app.style.theme import Palette
from core.paths import RESOURCES

_PRACTICE = """
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


_TICK = RESOURCES / "icons" / "tick.svg"
_DOWN = RESOURCES / "icons" / "down.svg"
_Role = QPalette.ColorRole


def qt_palette(colours: Palette) -> QPalette:
    """Colours for what Fusion draws itself: radio buttons, tool tips, selections."""
    palette = QPalette()
    for role, colour in (
        (_Role.Window, colours.ground),
        (_Role.WindowText, colours.text),
        (_Role.Base, colours.surface),
        (_Role.AlternateBase, colours.sunken),
        (_Role.Text, colours.text),
        (_Role.Button, colours.surface),
        (_Role.ButtonText, colours.text),
        (_Role.ToolTipBase, colours.surface),
        (_Role.ToolTipText, colours.text),
        (_Role.PlaceholderText, colours.muted),
        (_Role.Highlight, colours.focus),
        (_Role.HighlightedText, colours.surface),
        (_Role.Accent, colours.mine),
        (_Role.Link, colours.focus),
    ):
        palette.setColor(role, QColor(colour))
    return palette


def style_sheet(colours: Palette) -> str:
    """The whole sheet, as every part of the window gets it."""
    fixed = QFontDatabase.systemFont(QFontDatabase.SystemFont.FixedFont).family()
    return (
        _TEXT_AND_CARDS.format(c=colours, t=theme)
        + _CONTROLS.format(c=colours, t=theme, tick=_TICK.as_posix(), down=_DOWN.as_posix())
        + _FIELDS.format(c=colours, t=theme, down=_DOWN.as_posix(), tick=_TICK.as_posix())
        + _PRACTICE.format(c=colours, t=theme, fixed=fixed)
    )


_TEXT_AND_CARDS = """
QWidget {{ font-size: {t.TEXT_BODY}px; color: {c.text}; }}
QMainWindow, QWidget[role="page"] {{ background: {c.ground}; }}
QLabel[role="hero"] {{ font-size: {t.TEXT_HERO}px; font-weight: 600; }}
QLabel[role="heading"] {{ font-weight: 600; }}
QLabel[role="lead"] {{ font-size: {t.TEXT_LEAD}px; }}
QLabel[role="muted"] {{ color: {c.muted}; }}
QLabel[role="small"] {{ font-size: {t.TEXT_SMALL}px; color: {c.muted}; }}
QLabel[role="small"][current="true"] {{ color: {c.text}; font-weight: 600; }}
QLabel[role="brand"] {{ font-size: {t.TEXT_CALL}px; font-weight: 600; }}
QLabel[role="trouble"] {{ color: {c.trouble}; }}
QLabel[role="good"] {{ color: {c.good}; font-weight: 600; }}
QLabel[role="pill"] {{
    font-size: {t.TEXT_SMALL}px; font-weight: 600; padding: 1px {t.SPACE_S}px;
    color: {c.muted}; border: 1px solid {c.edge}; border-radius: {t.RADIUS_S}px;
}}
QLabel[role="pill"][tone="good"] {{ color: {c.good}; border-color: {c.good}; }}
QLabel[role="pill"][tone="mine"] {{ color: {c.mine}; border-color: {c.mine}; }}
QLabel[role="pill"][tone="trouble"] {{ color: {c.trouble}; border-color: {c.trouble}; }}
QFrame[role="rail"] {{
    background: {c.surface}; border: none; border-right: 1px solid {c.line};
}}
QFrame[role="card"] {{
    background: {c.surface}; border: 1px solid {c.line}; border-radius: {t.RADIUS_L}px;
}}
QFrame[role="card"][chosen="true"] {{ border-color: {c.mine}; }}
QFrame[role="hairline"] {{ background: {c.line}; border: none; }}
QFrame[role="notice"] {{
    background: {c.sunken}; border: 1px solid {c.edge}; border-radius: {t.RADIUS_M}px;
}}
QFrame[role="notice"][grave="true"] {{
    background: {c.trouble_ground}; border-color: {c.trouble};
}}
QFrame[role="notice"] QPushButton {{ background: {c.surface}; border-color: {c.edge}; }}
QFrame[role="notice"] QPushButton:hover {{ background: {c.sunken_hover}; }}
QFrame[role="notice"] QPushButton:focus {{ border-color: {c.focus}; }}
QFrame[role="choice"] {{
    background: {c.surface}; border: 2px solid {c.line}; border-radius: {t.RADIUS_M}px;
}}
QFrame[role="choice"]:hover {{ border-color: {c.edge}; }}
QFrame[role="choice"][chosen="true"] {{ border-color: {c.mine}; }}
QScrollArea, QScrollArea > QWidget > QWidget {{ border: none; background: transparent; }}
QToolTip {{
    color: {c.text}; background: {c.surface}; border: 1px solid {c.line};
    padding: {t.SPACE_XS}px {t.SPACE_S}px;
}}
"""

_CONTROLS = """
QPushButton {{
    min-height: {t.CONTROL_HEIGHT}px; padding: 0 {t.SPACE_L}px;
    background: {c.sunken}; border: 2px solid {c.sunken};
    border-radius: {t.RADIUS_M}px; font-weight: 600;
}}
QPushButton:hover {{ background: {c.sunken_hover}; border-color: {c.sunken_hover}; }}
QPushButton:pressed {{ background: {c.line}; border-color: {c.line}; }}
QPushButton:disabled, QPushButton[waiting="true"] {{
    color: {c.muted}; background: {c.sunken}; border-color: {c.sunken};
}}
QPushButton:focus {{ border-color: {c.focus}; }}
QPushButton[kind="primary"] {{
    min-height: {t.CALL_HEIGHT}px; padding: 0 {t.SPACE_XL}px; font-size: {t.TEXT_CALL}px;
    color: {c.on_accent}; background: {c.accent}; border-color: {c.accent};
}}
QPushButton[kind="primary"]:hover {{
    background: {c.accent_hover}; border-color: {c.accent_hover};
}}
QPushButton[kind="primary"]:pressed {{
    background: {c.accent_pressed}; border-color: {c.accent_pressed};
}}
QPushButton[kind="primary"]:disabled {{
    color: {c.muted}; background: {c.sunken}; border-color: {c.sunken};
}}
QPushButton[kind="primary"]:focus {{ border-color: {c.focus}; }}
QPushButton[kind="small"] {{
    min-height: {t.FIELD_HEIGHT}px; padding: 0 {t.SPACE_M}px; border-radius: {t.RADIUS_S}px;
}}
QPushButton[kind="more"] {{ padding: 0; width: {t.CONTROL_HEIGHT}px; }}
QPushButton[kind="more"]::menu-indicator {{
    image: url("{down}"); width: {t.SPACE_L}px; height: {t.SPACE_L}px;
    subcontrol-origin: padding; subcontrol-position: center;
}}
QPushButton[kind="quiet"] {{
    min-height: {t.SPACE_XL}px; padding: 0 {t.SPACE_S}px; font-size: {t.TEXT_SMALL}px;
    color: {c.muted}; background: transparent; border-color: transparent;
}}
QPushButton[kind="quiet"]:hover {{ color: {c.text}; background: {c.sunken}; }}
QPushButton[kind="quiet"]:focus {{ border-color: {c.focus}; }}
QPushButton[kind="segment"] {{
    min-height: {t.SPACE_XL}px; padding: 0 {t.SPACE_S}px; font-size: {t.TEXT_SMALL}px;
    color: {c.muted}; background: transparent; border-color: transparent;
    border-radius: {t.RADIUS_S}px;
}}
QPushButton[kind="segment"]:hover {{ color: {c.text}; background: {c.sunken}; }}
QPushButton[kind="segment"]:checked {{ color: {c.text}; background: {c.sunken_hover}; }}
QPushButton[kind="segment"]:focus {{ border-color: {c.focus}; }}
QPushButton[kind="danger"], QPushButton[tone="danger"] {{ color: {c.trouble}; }}
QPushButton[kind="danger"]:disabled, QPushButton[tone="danger"]:disabled,
QPushButton[kind="danger"][waiting="true"] {{ color: {c.muted}; }}
QToolButton[role="rail"] {{
    min-height: {t.CONTROL_HEIGHT}px; padding: 0 {t.SPACE_XS}px 0 {t.SPACE_S}px; text-align: left;
    color: {c.muted}; background: transparent; border: 2px solid transparent;
    border-radius: {t.RADIUS_M}px; font-weight: 600;
}}
QToolButton[role="rail"]:hover {{ background: {c.sunken}; }}
QToolButton[role="rail"]:checked {{ color: {c.text}; background: {c.sunken}; }}
QToolButton[role="rail"]:focus {{ border-color: {c.focus}; }}
QPushButton[kind="index"] {{
    padding: 0 {t.SPACE_M}px; text-align: left;
    color: {c.muted}; background: transparent; border-color: transparent;
}}
QPushButton[kind="index"]:hover {{ background: {c.sunken}; }}
QPushButton[kind="index"]:checked {{ color: {c.text}; background: {c.sunken_hover}; }}
QPushButton[kind="index"]:focus {{ border-color: {c.focus}; }}
QPushButton[role="rail-link"] {{
    min-height: {t.SPACE_XL}px; padding: 0 {t.SPACE_M}px; text-align: left;
    color: {c.muted}; background: transparent; border-color: transparent;
    font-size: {t.TEXT_SMALL}px; font-weight: 400;
}}
QPushButton[role="rail-link"]:hover {{ color: {c.text}; text-decoration: underline; }}
QPushButton[role="rail-link"]:focus {{ border-color: {c.focus}; }}
QRadioButton, QCheckBox {{ spacing: {t.SPACE_S}px; }}
QRadioButton {{ font-weight: 600; }}
QCheckBox {{
    padding: {t.SPACE_S}px {t.SPACE_S}px {t.SPACE_S}px 0;
    border: 2px solid transparent; border-radius: {t.RADIUS_S}px;
}}
QRadioButton {{
    padding: 2px; border: {t.RING}px solid transparent; border-radius: {t.RADIUS_S}px;
}}
QRadioButton:disabled {{ color: {c.muted}; }}
QRadioButton::indicator:disabled {{ border-color: {c.line}; }}
QRadioButton:focus, QCheckBox:focus {{ border-color: {c.focus}; }}
QRadioButton::indicator, QCheckBox::indicator {{
    width: {t.MARK}px; height: {t.MARK}px; border: 2px solid {c.edge}; background: {c.surface};
}}
QRadioButton::indicator {{ border-radius: 9px; }}
QCheckBox::indicator {{ border-radius: {t.RADIUS_S}px; }}
QRadioButton::indicator:checked {{
    width: 8px; height: 8px; border: 5px solid {c.mine}; background: {c.surface};
}}
QCheckBox::indicator:checked {{
    border-color: {c.accent}; background: {c.accent}; image: url("{tick}");
}}
QScrollBar:vertical {{ width: {t.SCROLL_BAR}px; background: transparent; border: none; }}
QScrollBar::handle:vertical {{
    background: {c.edge}; border-radius: 5px; min-height: {t.SPACE_XXL}px;
}}
QScrollBar::add-line, QScrollBar::sub-line {{ height: 0; }}
QScrollBar::add-page, QScrollBar::sub-page {{ background: transparent; }}
"""

_FIELDS = """
QLineEdit, QComboBox, QPlainTextEdit {{
    background: {c.surface}; border: 1px solid {c.edge}; border-radius: {t.RADIUS_S}px;
    padding: 1px {t.SPACE_S}px;
    selection-background-color: {c.focus}; selection-color: {c.surface};
}}
QLineEdit, QComboBox {{ min-height: {t.FIELD_HEIGHT}px; }}
QPlainTextEdit {{ padding: {t.SPACE_S}px; }}
QLineEdit:focus, QComboBox:focus, QPlainTextEdit:focus {{
    border: 2px solid {c.focus}; padding: 0 7px;
}}
QPlainTextEdit:focus {{ padding: 7px; }}
QLineEdit:disabled, QComboBox:disabled {{
    color: {c.muted}; background: {c.sunken}; border-color: {c.line};
}}
QComboBox QLineEdit {{
    background: transparent; border: none; padding: 0; min-height: 0;
}}
QLineEdit, QPlainTextEdit {{ placeholder-text-color: {c.muted}; }}
QLineEdit[wrong="true"] {{ border-color: {c.trouble}; }}
QComboBox::drop-down {{ width: {t.SPACE_XL}px; border: none; }}
QComboBox::down-arrow {{ image: url("{down}"); width: {t.SPACE_L}px; height: {t.SPACE_L}px; }}
QComboBox QAbstractItemView {{
    background: {c.surface}; border: 1px solid {c.edge}; outline: none;
    selection-background-color: {c.sunken_hover}; selection-color: {c.text};
}}
QComboBox QAbstractItemView::item {{ min-height: {t.FIELD_HEIGHT}px; }}
QProgressBar {{
    background: {c.sunken}; border: none; border-radius: {t.SPACE_XS}px;
    min-height: {t.SPACE_S}px; max-height: {t.SPACE_S}px;
}}
QProgressBar::chunk {{ background: {c.mine}; border-radius: {t.SPACE_XS}px; }}
QTableView {{
    background: {c.surface}; border: 2px solid {c.line}; border-radius: {t.RADIUS_S}px;
    outline: none; selection-background-color: {c.sunken_hover}; selection-color: {c.text};
}}
QTableView:focus {{ border-color: {c.focus}; }}
QTableView::item {{ padding: {t.SPACE_XS}px 0; }}
QTableView::indicator {{
    width: {t.MARK}px; height: {t.MARK}px; border: 2px solid {c.edge};
    border-radius: {t.RADIUS_S}px; background: {c.surface};
}}
QTableView::indicator:checked {{
    border-color: {c.accent}; background: {c.accent}; image: url("{tick}");
}}
QTableView::indicator:disabled {{ border-color: {c.line}; }}
QHeaderView {{ background: {c.sunken}; border: none; }}
QHeaderView::section {{
    padding: {t.SPACE_XS}px; font-size: {t.TEXT_SMALL}px; font-weight: 600;
    color: {c.muted}; background: {c.sunken}; border: none;
}}
"""
