"""Answers below each other, each with its verdict; all of it plain text."""

from collections.abc import Sequence

from PySide6.QtCore import QPointF, Qt
from PySide6.QtGui import QPainter, QPaintEvent, QPen, QPolygonF
from PySide6.QtWidgets import QGridLayout, QLabel, QSizePolicy, QWidget

from app.pages.practice.answers import AnswerCount, Verdict, answers_of, verdict_words
from app.style import theme
from app.widgets.question_box import text_label
from core.api.preview import Attempt

_Line = tuple[tuple[float, float], ...]
_SIGNS: dict[Verdict, tuple[_Line, ...]] = {
    "right": (((0.05, 0.55), (0.38, 0.88), (0.95, 0.15)),),
    "partly": (((0.1, 0.5), (0.9, 0.5)),),
    "wrong": (((0.15, 0.15), (0.85, 0.85)), ((0.85, 0.15), (0.15, 0.85))),
    "unjudged": (),
}
"""Lines in a unit square."""

_STROKE = 2.2  # px
_SIGN = 12  # px, its side
_LOWER = theme.TEXT_BODY - theme.TEXT_SMALL  # px, for small text to stand on one line with others


class AnswerList(QWidget):
    """What was answered, each text with its verdict in a sign and in words."""

    def __init__(self, attempts: Sequence[Attempt] = ()) -> None:
        super().__init__()
        grid = QGridLayout(self)
        grid.setContentsMargins(0, 0, 0, 0)
        grid.setHorizontalSpacing(theme.SPACE_M)
        grid.setVerticalSpacing(theme.SPACE_XS)
        grid.setColumnStretch(1, 1)
        policy = QSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Minimum)
        policy.setHeightForWidth(True)
        self.setSizePolicy(policy)
        for row, answer in enumerate(answers_of(attempts)):
            words = self._words(answer)
            if words:
                verdict = _Verdict(answer.verdict, words)
                grid.addWidget(verdict, row, 0, Qt.AlignmentFlag.AlignTop)
            grid.addWidget(text_label(answer.text), row, 1)

    def _words(self, answer: AnswerCount) -> str:
        verdict = verdict_words(answer.verdict)
        if answer.times == 1:
            return verdict
        if not verdict:
            return self.tr("{} times").format(answer.times)
        return self.tr("{verdict}, {times} times").format(verdict=verdict, times=answer.times)


class _Verdict(QLabel):
    """A tick, a dash or a cross, and the same in words."""

    def __init__(self, verdict: Verdict, words: str) -> None:
        super().__init__(words)
        self.setTextFormat(Qt.TextFormat.PlainText)
        self.setProperty("role", "verdict")
        self.setProperty("verdict", verdict)
        self._lines = _SIGNS[verdict]
        self.setContentsMargins(_SIGN + theme.SPACE_S if self._lines else 0, _LOWER, 0, 0)

    def paintEvent(self, event: QPaintEvent) -> None:  # noqa: N802 - Qt's name
        """Draw the sign in the colour of the words, in the middle of a line of text."""
        super().paintEvent(event)
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        pen = QPen(self.palette().color(self.foregroundRole()), _STROKE)
        pen.setCapStyle(Qt.PenCapStyle.RoundCap)
        pen.setJoinStyle(Qt.PenJoinStyle.RoundJoin)
        painter.setPen(pen)
        side = _SIGN - 2 * _STROKE
        top = (theme.TEXT_LINE - side) / 2
        for line in self._lines:
            points = [QPointF(_STROKE + x * side, top + y * side) for x, y in line]
            painter.drawPolyline(QPolygonF(points))
        painter.end()
