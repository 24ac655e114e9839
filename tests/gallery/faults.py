"""What a program can find wrong with a window that is shown: cut text, sideways scrolling, gaps."""

import re
from collections.abc import Iterator

from PySide6.QtCore import QPoint, QRect, QSize
from PySide6.QtGui import QFontDatabase
from PySide6.QtWidgets import (
    QAbstractButton,
    QAbstractScrollArea,
    QComboBox,
    QLabel,
    QScrollArea,
    QTabBar,
    QToolButton,
    QWidget,
)

from app.pages.practice.answer_list import AnswerList
from core.settings import Language
from tests.translating import messages, source_of

_CHINESE = QFontDatabase.WritingSystem.SimplifiedChinese
SLACK = 1  # px, for roundings
BREAKS = re.compile(r"[\s\u200b]+|(?<=-)|(?<=[\u3000-\u9fff\uff00-\uffef])")
"""Where a line can be broken; in Chinese nearly anywhere."""


def faults(window: QWidget, language: Language) -> list[str]:
    """What looks wrong in ``window`` now, a line each."""
    shown = [window, *(each for each in window.findChildren(QWidget) if each.isVisible())]
    found = [fault for each in shown for fault in _faults_of(each)]
    foreign = _untranslated(language)
    ours = map(_words, (each for each in shown if not _is_quoted(each)))
    found += [f"not translated: {words!r}" for words in ours if words in foreign]
    if language == "zh_CN" and not QFontDatabase.families(_CHINESE):
        found.append("no font of this computer has Chinese letters")
    if not any(_in_view(each) for each in shown if _words(each) and not _is_rail(each)):
        found.append("no words in view")
    return found


def _faults_of(widget: QWidget) -> Iterator[str]:
    if isinstance(widget, QLabel):
        yield from _faults_of_label(widget)
    elif isinstance(widget, (QAbstractButton, QComboBox, QTabBar)):
        wanted, got = widget.sizeHint(), widget.size()
        if wanted.width() > got.width() + SLACK and not _draws_itself(widget):
            yield f"cut by {wanted.width() - got.width()} px: {_words(widget)!r}"
    if isinstance(widget, QScrollArea) and widget.horizontalScrollBar().maximum() > 0:
        yield f"{type(widget).__name__} scrolls sideways"
    if isinstance(widget, QScrollArea) and _overhang(widget) > SLACK:
        yield f"{type(widget).__name__} hides {_overhang(widget)} px on the right"
    parent = widget.parentWidget()
    if parent is not None and not widget.isWindow() and not _scrolls(parent):
        room = QRect(QPoint(-SLACK, -SLACK), parent.size() + _both(2 * SLACK))
        if not room.contains(widget.geometry()):
            yield f"{_told(widget)} sticks out of {type(parent).__name__}"


def _faults_of_label(shown: QLabel) -> Iterator[str]:
    words, room = shown.text(), shown.contentsRect()
    if not words:
        return
    metrics = shown.fontMetrics()
    if shown.wordWrap():
        needed = shown.heightForWidth(shown.width())
        if needed > shown.height() + SLACK:
            yield f"cut by {needed - shown.height()} px below: {words!r}"
        wide = max(metrics.horizontalAdvance(piece) for piece in BREAKS.split(words))
    else:
        wide = max(metrics.horizontalAdvance(line) for line in words.splitlines() or [""])
    if wide > room.width() + SLACK:
        yield f"cut by {wide - room.width()} px: {words!r}"


def _overhang(area: QScrollArea) -> int:
    content = area.widget()
    return 0 if content is None else content.width() - area.viewport().width()


def _scrolls(widget: QWidget) -> bool:
    """What is in it may be larger than it is."""
    return isinstance(widget, QAbstractScrollArea) or isinstance(
        widget.parentWidget(), QAbstractScrollArea
    )


def _draws_itself(widget: QWidget) -> bool:
    """A button of which only the icon is shown."""
    return isinstance(widget, QToolButton) and not widget.text()


def _is_rail(widget: QWidget) -> bool:
    return str(widget.property("role")).startswith("rail") or widget.property("role") == "brand"


def _is_quoted(widget: QWidget) -> bool:
    """A puzzle's words or a model's, in the language of the puzzles."""
    place = widget.parentWidget()
    is_answer = isinstance(place, AnswerList) and widget.property("role") != "verdict"
    return is_answer or (place is not None and place.property("role") == "question")


def _in_view(widget: QWidget) -> bool:
    return not widget.visibleRegion().isEmpty()


def _words(widget: QWidget) -> str:
    if isinstance(widget, (QLabel, QAbstractButton)):
        return widget.text().strip()
    return widget.currentText() if isinstance(widget, QComboBox) else ""


def _told(widget: QWidget) -> str:
    return f"{type(widget).__name__} {_words(widget)[:40]!r}"


def _both(by: int) -> QSize:
    return QSize(by, by)


def _untranslated(language: Language) -> frozenset[str]:
    """What is said in English, and is said otherwise in ``language``."""
    if language in ("en", "system"):
        return frozenset()
    made = messages(source_of(language))
    same = {said for _, said, words, _ in made if said == words}
    return frozenset(said for _, said, _, _ in made) - same
