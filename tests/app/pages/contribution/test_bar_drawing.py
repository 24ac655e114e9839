"""Bars stand where their days are."""

import pytest
from PySide6.QtCore import QPointF, QRectF
from PySide6.QtGui import QColor, QImage, QPainter
from PySide6.QtWidgets import QApplication

from app.pages.contribution.bar_drawing import BarScene, draw, lay_out
from app.pages.contribution.columns import SPANS, Span, columns
from app.style.theme import DARK, LIGHT, Palette
from tests.app.pages.contribution.samples import MONTH, ONE_DAY, TODAY, YEARS

ROOMS = [QRectF(0, 0, 640, 200), QRectF(0, 0, 1_160.5, 380.25)]


@pytest.fixture(params=ROOMS, ids=["small", "large"])
def room(request: pytest.FixtureRequest, qapp: QApplication) -> QRectF:
    assert qapp
    found = request.param
    assert isinstance(found, QRectF)
    return found


def scene_of(span: Span, room: QRectF) -> BarScene:
    return lay_out(columns(YEARS.days, TODAY, span), room)


@pytest.mark.parametrize("span", SPANS)
def test_days_fill_the_room_side_by_side(span: Span, room: QRectF) -> None:
    """On whole pixels, without gaps or overlaps, a year as well as a month."""
    scene = scene_of(span, room)
    rooms = [scene.room_of(at) for at in range(span)]
    assert all(one.left() == round(one.left()) and one.width() >= 1 for one in rooms)
    for at in range(span - 1):
        assert rooms[at].right() == rooms[at + 1].left()
    assert abs(rooms[0].left() - scene.area.left()) <= 1
    assert abs(rooms[-1].right() - scene.area.right()) <= 1


@pytest.mark.parametrize("span", SPANS)
def test_bars_stand_on_the_ground_inside_their_day(span: Span, room: QRectF) -> None:
    """A longer practice has a higher bar, and the shortest one can still be seen."""
    scene = scene_of(span, room)
    for at, column in enumerate(scene.columns):
        bar = scene.bar_of(at)
        assert bar.bottom() == scene.area.bottom()
        assert scene.room_of(at).adjusted(-1, -1, 1, 1).contains(bar)
        assert bar.height() >= 2
        taller = [n for n, other in enumerate(scene.columns) if other.seconds > column.seconds]
        assert all(scene.bar_of(n).height() >= bar.height() for n in taller[:3])


def test_a_day_without_practice_has_no_bar(room: QRectF) -> None:
    """Not even a thin one."""
    scene = lay_out(columns(ONE_DAY.days, TODAY, 30), room)
    assert [at for at in range(30) if not scene.bar_of(at).isEmpty()] == [29]


@pytest.mark.parametrize("span", SPANS)
def test_a_point_finds_its_day(span: Span, room: QRectF) -> None:
    """And none beside them all."""
    scene = scene_of(span, room)
    for at in (0, 1, span // 2, span - 1):
        middle = scene.area.left() + (at + 0.5) * scene.pitch
        assert scene.column_at(QPointF(middle, 5.0)) == at
    assert scene.column_at(QPointF(scene.area.left() - 1, 5.0)) is None
    assert scene.column_at(QPointF(scene.area.right() + 1, 5.0)) is None


@pytest.mark.parametrize("palette", [LIGHT, DARK])
@pytest.mark.parametrize("span", SPANS)
def test_everything_is_drawn_inside_the_room(
    span: Span, palette: Palette, qapp: QApplication
) -> None:
    """Bars in the model's colour, and the day that is pointed at marked."""
    assert qapp
    pictures = []
    for pointed in (None, 3):
        picture = QImage(640, 200, QImage.Format.Format_RGB32)
        picture.fill(QColor(palette.surface))
        painter = QPainter(picture)
        scene = lay_out(columns(MONTH.days, TODAY, span), QRectF(picture.rect()))
        draw(painter, scene, palette, pointed)
        painter.end()
        pictures.append(picture)
    colours = {QColor(pictures[0].pixel(x, y)).name() for x in range(640) for y in range(0, 200, 3)}
    assert palette.mine.lower() in colours
    assert pictures[0] != pictures[1]
    assert {QColor(pictures[0].pixel(639, y)).name() for y in range(200)} <= {
        palette.surface.lower()
    }
