"""How the skill map is painted, in the window and in pictures alike."""

from typing import Final

from PySide6.QtCore import QCoreApplication, QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QFontMetricsF, QPainter, QPainterPath, QPen

from app.pages.practice.skill_layout import SkillLayout
from app.pages.practice.skill_map_model import MapCell, MapRow, SkillMapModel
from app.style import theme
from app.style.theme import Palette
from app.style.typeface import typeface

translate = QCoreApplication.translate

_INSET: Final = 1.5  # px around each cell
_ROUND: Final = 4.0  # px of its corners
_EDGE: Final = 6.0  # px of the stripe that shows the base
_DOT: Final = 3.0  # px, its radius
_HATCH: Final = 5.0  # px between lines
FAINT: Final = 0.4
"""Opacity of what is not practised at present."""

_RIGHT = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
_CENTRE = Qt.AlignmentFlag.AlignCenter


def colour_of(share: float, palette: Palette) -> QColor:
    """The place of ``share`` on the palette's scale."""
    stops = [QColor(colour) for colour in palette.solved]
    at = min(max(share, 0.0), 1.0) * (len(stops) - 1)
    below = min(int(at), len(stops) - 2)
    low, high, part = stops[below], stops[below + 1], at - below
    pairs = ((low.red(), high.red()), (low.green(), high.green()), (low.blue(), high.blue()))
    return QColor(*(round(one + part * (other - one)) for one, other in pairs))


def ink_on(ground: QColor) -> QColor:
    """Black or white, whichever can be read on ``ground``: 4.5 : 1 at least."""
    return QColor("black") if _luminance(ground) > _MIDDLE else QColor("white")


_MIDDLE: Final = 0.179
"""The luminance on which black and white stand out alike."""


_DIM: Final = 0.04045
"""Up to here, sRGB is linear."""


def _luminance(colour: QColor) -> float:
    """Relative luminance (WCAG 2.2)."""
    linear = (
        c / 12.92 if c <= _DIM else ((c + 0.055) / 1.055) ** 2.4
        for c in (colour.redF(), colour.greenF(), colour.blueF())
    )
    return sum(part * c for part, c in zip((0.2126, 0.7152, 0.0722), linear, strict=True))


def draw_map(
    painter: QPainter, model: SkillMapModel, layout: SkillLayout, palette: Palette
) -> None:
    """All panels, with their heads."""
    painter.setLayoutDirection(Qt.LayoutDirection.LeftToRight)
    for panel in range(layout.panels):
        _draw_head(painter, layout, panel, palette)
    for number, row in enumerate(model.rows):
        _draw_title(painter, layout.title(number), row, palette)
        for cell in row.cells:
            draw_cell(painter, layout.cell((number, cell.level - 1)), cell, palette)


def draw_cell(painter: QPainter, room: QRectF, cell: MapCell, palette: Palette) -> None:
    """What is solved by colour and number; what was before on the left edge; a dot for others."""
    place = room.adjusted(_INSET, _INSET, -_INSET, -_INSET)
    painter.save()
    if cell.now is None:
        draw_hatch(painter, place, palette, is_faint=not cell.is_open)
    else:
        painter.setOpacity(1.0 if cell.is_open else FAINT)
        draw_share(painter, place, cell.now, cell.base, palette)
        painter.setOpacity(1.0)
        _draw_number(painter, place, cell, palette)
    if cell.is_swarm_ahead:
        draw_dot(painter, place.topRight() + QPointF(-_DOT - 2, _DOT + 2), palette)
    painter.restore()


def draw_share(
    painter: QPainter, place: QRectF, now: float, base: float | None, palette: Palette
) -> None:
    """A rounded field in the colour of ``now``, its left edge in that of ``base``."""
    field = QPainterPath()
    field.addRoundedRect(place, _ROUND, _ROUND)
    painter.fillPath(field, colour_of(now, palette))
    if base is not None:
        painter.save()
        painter.setClipPath(field)
        edge = QRectF(place.left(), place.top(), _EDGE, place.height())
        painter.fillRect(edge, colour_of(base, palette))
        painter.restore()
    painter.setPen(QPen(QColor(palette.line), 1))
    painter.setBrush(Qt.BrushStyle.NoBrush)
    painter.drawPath(field)


def draw_hatch(painter: QPainter, place: QRectF, palette: Palette, *, is_faint: bool) -> None:
    """Of what nothing is known."""
    field = QPainterPath()
    field.addRoundedRect(place, _ROUND, _ROUND)
    painter.save()
    painter.setOpacity(0.5 if is_faint else 1.0)
    painter.setPen(QPen(QColor(palette.edge), 1))
    painter.setClipPath(field)
    at = place.left() - place.height()
    while at < place.right():
        painter.drawLine(QPointF(at, place.bottom()), QPointF(at + place.height(), place.top()))
        at += _HATCH
    painter.setClipping(False)
    painter.setBrush(Qt.BrushStyle.NoBrush)
    painter.drawPath(field)
    painter.restore()


def draw_dot(painter: QPainter, middle: QPointF, palette: Palette) -> None:
    """Of what the swarm solves more."""
    painter.setPen(QPen(QColor(palette.surface), 1.5))
    painter.setBrush(QColor(palette.swarm))
    painter.drawEllipse(middle, _DOT, _DOT)


def draw_ring(painter: QPainter, room: QRectF, colour: str) -> None:
    """Around the cell that the keyboard or the mouse is at."""
    painter.setBrush(Qt.BrushStyle.NoBrush)
    painter.setPen(QPen(QColor(colour), theme.RING))
    painter.drawRoundedRect(room.adjusted(0.5, 0.5, -0.5, -0.5), _ROUND + 1, _ROUND + 1)


def _draw_number(painter: QPainter, place: QRectF, cell: MapCell, palette: Palette) -> None:
    painter.setFont(typeface(theme.TEXT_SMALL, bold=cell.is_open))
    if cell.is_open:
        painter.setPen(ink_on(colour_of(cell.now or 0.0, palette)))
    else:
        painter.setPen(QColor(palette.text))
    painter.drawText(place, _CENTRE, cell.number)


def _draw_head(painter: QPainter, layout: SkillLayout, panel: int, palette: Palette) -> None:
    painter.setFont(typeface(theme.TEXT_SMALL))
    painter.setPen(QColor(palette.muted))
    painter.drawText(layout.head_title(panel), _RIGHT, translate("Practice", "Level"))
    for column in range(layout.columns):
        painter.drawText(layout.head(panel, column), _CENTRE, str(column + 1))


def _draw_title(painter: QPainter, room: QRectF, row: MapRow, palette: Palette) -> None:
    """In smaller letters where it is long, and cut where it is too long even then."""
    font = typeface(theme.TEXT_BODY)
    if QFontMetricsF(font).horizontalAdvance(row.title) > room.width():
        font = typeface(theme.TEXT_SMALL)
    painter.setFont(font)
    painter.setPen(QColor(palette.text))
    words = QFontMetricsF(font).elidedText(row.title, Qt.TextElideMode.ElideRight, room.width())
    painter.drawText(room, _RIGHT, words)
