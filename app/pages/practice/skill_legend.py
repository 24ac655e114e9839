"""What the colours and marks of the skill map mean, on as few lines as they need."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final, Literal

from PySide6.QtCore import QCoreApplication, QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QFontMetricsF, QPainter

from app.pages.practice.skill_drawing import (
    FAINT,
    colour_of,
    draw_dot,
    draw_hatch,
    draw_share,
)
from app.style import theme
from app.style.theme import Palette
from app.style.typeface import typeface
from app.text.figures import percent

translate = QCoreApplication.translate

Mark = Literal["scale", "gain", "swarm", "unknown", "closed"]

_LINE: Final = 24.0  # px
_MARK: Final = QRectF(0, 4, 26, 16)
_STEPS: Final = 11  # of the scale
_SCALE: Final = 132.0  # px


@dataclass(frozen=True, slots=True)
class LegendItem:
    """One mark with its words."""

    mark: Mark
    words: str
    left: float  # px
    top: float

    @property
    def mark_width(self) -> float:
        """Px of the mark alone."""
        return _SCALE if self.mark == "scale" else _MARK.width()


@dataclass(frozen=True, slots=True)
class Legend:
    """All items, each with its place."""

    items: tuple[LegendItem, ...]
    height: float  # px


def legend_in(width: float) -> Legend:
    """The legend in ``width`` px."""
    metrics = QFontMetricsF(typeface(theme.TEXT_SMALL))
    items: list[LegendItem] = []
    left = top = 0.0
    for mark, words in _words():
        item = LegendItem(mark, words, left, top)
        needed = item.mark_width + theme.SPACE_S + metrics.horizontalAdvance(words)
        if left > 0 and left + needed > width:
            left, top = 0.0, top + _LINE
            item = LegendItem(mark, words, left, top)
        items.append(item)
        left += needed + theme.SPACE_XL
    return Legend(tuple(items), top + _LINE)


def draw_legend(painter: QPainter, legend: Legend, palette: Palette) -> None:
    """Draw ``legend``."""
    for item in legend.items:
        painter.save()
        painter.translate(item.left, item.top)
        _draw_mark(painter, item.mark, palette)
        painter.restore()
        painter.setFont(typeface(theme.TEXT_SMALL))
        painter.setPen(QColor(palette.muted))
        left = item.left + item.mark_width + theme.SPACE_S
        room = QRectF(left, item.top, 2_000, _LINE)
        painter.drawText(
            room, Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter, item.words
        )


def _words() -> Iterator[tuple[Mark, str]]:
    yield "scale", translate("Practice", "solved now")
    yield "gain", translate("Practice", "left edge: before practice")
    yield "swarm", translate("Practice", "the swarm solves more")
    yield "closed", translate("Practice", "not practised at present")
    yield "unknown", translate("Practice", "never tried")


def _draw_mark(painter: QPainter, mark: Mark, palette: Palette) -> None:
    if mark == "scale":
        _draw_scale(painter, palette)
    elif mark == "gain":
        draw_share(painter, _MARK, 0.6, 0.1, palette)
    elif mark == "swarm":
        draw_share(painter, _MARK, 0.2, None, palette)
        draw_dot(painter, _MARK.topRight() + QPointF(-5, 5), palette)
    elif mark == "unknown":
        draw_hatch(painter, _MARK, palette, is_faint=False)
    else:
        painter.setOpacity(FAINT)
        draw_share(painter, _MARK, 0.5, None, palette)


def _draw_scale(painter: QPainter, palette: Palette) -> None:
    """Swatches from none to all, between the two figures."""
    painter.setFont(typeface(theme.TEXT_SMALL))
    painter.setPen(QColor(palette.muted))
    room = QRectF(0, 0, _SCALE, _LINE)
    middle = Qt.AlignmentFlag.AlignVCenter
    painter.drawText(room, Qt.AlignmentFlag.AlignLeft | middle, percent(0))
    painter.drawText(room, Qt.AlignmentFlag.AlignRight | middle, percent(1))
    left, right = 26.0, _SCALE - 40.0
    step = (right - left) / _STEPS
    for at in range(_STEPS):
        swatch = QRectF(left + at * step, _MARK.top(), step + 0.5, _MARK.height())
        painter.fillRect(swatch, colour_of(at / (_STEPS - 1), palette))
