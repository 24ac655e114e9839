"""Small pieces that every page is built from."""

from collections.abc import Iterable

from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QAccessible, QAccessibleAnnouncementEvent, QIcon
from PySide6.QtWidgets import (
    QDialog,
    QFrame,
    QHBoxLayout,
    QLabel,
    QLayout,
    QPushButton,
    QVBoxLayout,
    QWidget,
)

from app.style import theme
from app.style.icons import EMBLEM


def label(text: str, role: str = "body", *, wrap: bool = False) -> QLabel:
    """Plain text, never markup: some of it comes from other people's machines."""
    made = QLabel(text)
    make_plain(made, role, wrap=wrap)
    return made


def make_plain(made: QLabel, role: str, *, wrap: bool) -> None:
    """Have ``made`` show its text letter by letter, and look as ``role`` does."""
    made.setTextFormat(Qt.TextFormat.PlainText)
    made.setProperty("role", role)
    made.setWordWrap(wrap)
    if wrap:
        made.setMinimumWidth(1)  # the column decides; long words may not widen it


def picture(size: int) -> QLabel:
    """Waggle's emblem, ``size`` px wide; says nothing to a screen reader."""
    made = QLabel()
    made.setPixmap(QIcon(str(EMBLEM)).pixmap(QSize(size, size)))
    return made


def button(text: str, *, kind: str = "plain") -> QPushButton:
    """A push button; ``kind``: plain, primary, danger, small, quiet, segment or index."""
    made = QPushButton(text)
    made.setProperty("kind", kind)
    made.setAccessibleName(text)
    made.setAutoDefault(True)  # Enter presses what has the focus
    return made


def hung(widget: QWidget, inset: int) -> QHBoxLayout:
    """A row that begins with ``widget``, ``inset`` px before the others' edge.

    So the words in it stand in line with those around, and its focus ring and its ground beside
    them. What the row is in needs such a margin, or the ring would be cut.
    """
    row = QHBoxLayout()
    row.setSpacing(0)
    row.addSpacing(-inset)
    row.addWidget(widget)
    return row


def set_button(widget: QPushButton, text: str, *, enabled: bool) -> None:
    """Give a button its words and its state, for eyes and screen readers alike."""
    widget.setText(text)
    widget.setAccessibleName(text)
    widget.setEnabled(enabled)


def take_turns(
    start: QPushButton, cancel: QPushButton, *, is_open: bool, can_start: bool = True
) -> None:
    """Let ``cancel`` stand in for ``start`` while something is open; the keyboard goes along.

    In this order: Qt would give the focus of what is disabled or hidden to whatever comes next.
    """
    if is_open:
        cancel.show()
        pass_focus(start, cancel)
    start.setEnabled(can_start and not is_open)
    if not is_open:
        pass_focus(cancel, start)
        cancel.hide()


def pass_focus(giver: QWidget, taker: QWidget) -> None:
    """Let the keyboard go on to ``taker`` where it is in ``giver``, which is about to go."""
    if giver.window().focusWidget() is giver:  # whether or not the window is the active one
        taker.setFocus()


def frame(role: str, *, margin: int = theme.SPACE_L, spacing: int = theme.SPACE_S) -> QFrame:
    """A frame with a column in it; what it looks like is up to ``role``."""
    made = QFrame()
    made.setProperty("role", role)
    column = QVBoxLayout(made)
    column.setContentsMargins(margin, margin, margin, margin)
    column.setSpacing(spacing)
    return made


def column_of(widget: QWidget) -> QVBoxLayout:
    """The column that ``frame`` put into ``widget``."""
    column = widget.layout()
    if not isinstance(column, QVBoxLayout):
        raise TypeError("this widget has no column")
    return column


def bare_column(widget: QWidget, spacing: int = theme.SPACE_S) -> QVBoxLayout:
    """A new column in ``widget``, up to its edges."""
    column = QVBoxLayout(widget)
    column.setContentsMargins(0, 0, 0, 0)
    column.setSpacing(spacing)
    return column


def bare_row(widget: QWidget, spacing: int = theme.SPACE_S) -> QHBoxLayout:
    """A new row in ``widget``, up to its edges."""
    row = QHBoxLayout(widget)
    row.setContentsMargins(0, 0, 0, 0)
    row.setSpacing(spacing)
    return row


def lay_out_question(dialog: QDialog, parts: Iterable[QWidget], go: QWidget, stay: QWidget) -> None:
    """Put ``parts`` into ``dialog``, and below them the buttons that do it and that let it be."""
    buttons = QHBoxLayout()
    buttons.setSpacing(theme.SPACE_S)
    buttons.addWidget(go)
    buttons.addStretch()
    buttons.addWidget(stay)
    column = QVBoxLayout(dialog)
    column.setContentsMargins(theme.SPACE_XL, theme.SPACE_XL, theme.SPACE_XL, theme.SPACE_XL)
    column.setSpacing(theme.SPACE_M)
    for part in parts:
        column.addWidget(part)
    column.addSpacing(theme.SPACE_S)
    column.addLayout(buttons)
    dialog.setFixedWidth(theme.DIALOG_WIDTH)


def drop(widget: QWidget, layout: QLayout) -> None:
    """Take ``widget`` out of ``layout`` and off the screen now; Qt deletes it in a later turn."""
    layout.removeWidget(widget)
    widget.hide()
    widget.deleteLater()


def set_style(widget: QWidget, name: str, value: object) -> None:
    """Set a property that the style sheet reads; restyles only where it changed."""
    if widget.property(name) != value:
        widget.setProperty(name, value)
        widget.style().unpolish(widget)
        widget.style().polish(widget)


def set_words(made: QLabel, words: str, role: str) -> None:
    """Let ``made`` say ``words`` in the style of ``role``; without any it is hidden."""
    made.setText(words)
    made.setVisible(bool(words))
    set_style(made, "role", role)


def announce(widget: QWidget, words: str) -> None:
    """Have a screen reader say ``words``, which came up in ``widget`` while somebody sees it."""
    if words and widget.isVisible():
        QAccessible.updateAccessibility(QAccessibleAnnouncementEvent(widget, words))


def show_message(box: QWidget, made: QLabel, words: str) -> None:
    """Let ``made`` in ``box`` say ``words``, aloud where they are new; none hide ``box``."""
    is_new = box.isHidden() or words != made.text()
    made.setText(words)
    box.setAccessibleName(words)
    box.setVisible(bool(words))
    if is_new:
        announce(box, words)
