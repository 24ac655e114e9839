"""The skill map as a picture to send around."""

from typing import Final

from PySide6.QtCore import QCoreApplication, QRectF, QSizeF, Qt
from PySide6.QtGui import QColor, QImage, QPainter
from PySide6.QtSvg import QSvgRenderer

from app.pages.practice.skill_drawing import draw_map
from app.pages.practice.skill_layout import GAP, MOST_PANELS, SkillLayout
from app.pages.practice.skill_legend import draw_legend, legend_in
from app.pages.practice.skill_map_model import SkillMapModel
from app.style import theme
from app.style.icons import EMBLEM
from app.style.theme import Palette
from app.widgets.written_line import WrittenLine, write_line

translate = QCoreApplication.translate

SCALE: Final = 2
"""Device pixels of a px, so that it stays sharp where it is enlarged."""

_PANEL: Final = 590.0  # px: hardly a title is cut
_EDGE: Final = 48.0
_EMBLEM: Final = 64.0
_HEAD: Final = 132.0  # px above the legend
_FOOT: Final = 40.0
_BRAND: Final = 260.0  # px on the right of the head


def draw_skill_picture(model: SkillMapModel, palette: Palette) -> QImage:
    """The picture in the colours of ``palette``, ``SCALE`` device pixels to a px."""
    layout, legend = _layout(model), legend_in(_width())
    size = QSizeF(_width() + 2 * _EDGE, _HEAD + layout.top + layout.height + _FOOT + 2 * _EDGE)
    picture = QImage((size * SCALE).toSize(), QImage.Format.Format_RGB32)
    picture.setDevicePixelRatio(SCALE)
    picture.fill(QColor(palette.surface))
    painter = QPainter(picture)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setLayoutDirection(Qt.LayoutDirection.LeftToRight)
    painter.translate(_EDGE, _EDGE)
    _draw_head(painter, model, palette)
    painter.translate(0, _HEAD)
    draw_legend(painter, legend, palette)
    draw_map(painter, model, layout, palette)
    foot = QRectF(0, layout.top + layout.height, _width(), _FOOT)
    words = translate("Practice", "Small models that practise together, on many computers")
    foot_line = WrittenLine(words, theme.TEXT_BODY, palette.muted)
    write_line(painter, foot.adjusted(0, theme.SPACE_M, 0, 0), foot_line)
    painter.end()
    return picture


def _width() -> float:
    return MOST_PANELS * _PANEL + (MOST_PANELS - 1) * GAP


def _layout(model: SkillMapModel) -> SkillLayout:
    top = legend_in(_width()).height + theme.SPACE_L
    return SkillLayout(_width(), len(model.rows), model.levels, MOST_PANELS, top)


def _draw_head(painter: QPainter, model: SkillMapModel, palette: Palette) -> None:
    """The headline, what it is compared with below; on the right, where it comes from."""
    emblem = QRectF(_width() - _EMBLEM, 0, _EMBLEM, _EMBLEM)
    QSvgRenderer(str(EMBLEM)).render(painter, emblem)
    brand = WrittenLine(
        "Waggle", theme.TEXT_HERO, palette.text, bold=True, side=Qt.AlignmentFlag.AlignRight
    )
    write_line(
        painter, emblem.translated(-_EMBLEM - theme.SPACE_M, 0).adjusted(-90, 0, 0, 0), brand
    )
    wide = _width() - _BRAND
    for top, tall, line in (
        (0, 48, WrittenLine(model.headline, 40, palette.text, bold=True)),
        (50, 30, WrittenLine(model.compared, 22, palette.mine, bold=True)),
        (86, 24, WrittenLine(model.detail, theme.TEXT_CALL, palette.muted)),
    ):
        write_line(painter, QRectF(0, top, wide, tall), line)
