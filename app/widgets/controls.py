"""What settings are changed with; each shows a value and says when a person changed it."""

from collections.abc import Callable, Sequence
from typing import Any

from PySide6.QtCore import QRectF, QSize, Qt, Signal
from PySide6.QtGui import QColor, QPainter, QPaintEvent, QPalette, QPen, QWheelEvent
from PySide6.QtWidgets import QCheckBox, QComboBox, QLineEdit, QStyledItemDelegate

from app.style import theme

_WIDTH, _HEIGHT = 44, 26  # of a switch, with its focus ring
_RING = 3
_Role = QPalette.ColorRole


class DropDown(QComboBox):
    """A field that unfolds; the wheel is left to the page."""

    def wheelEvent(self, event: QWheelEvent) -> None:  # noqa: N802 - Qt's name
        """Whoever scrolls past must not change what is chosen."""
        event.ignore()


class Choices(DropDown):
    """One of a few values, each in words; any other is shown as ``others`` puts it."""

    changed = Signal(object)

    def __init__(
        self,
        name: str,
        options: Sequence[tuple[object, str]],
        others: Callable[[Any], str] = str,
    ) -> None:
        super().__init__()
        self._others = others
        self._values: list[object] = []
        self.setAccessibleName(name)
        self.setItemDelegate(QStyledItemDelegate(self))  # the plain one ignores the style sheet
        self.setMinimumWidth(theme.FIELD_WIDTH)
        self.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToContents)
        for value, words in options:
            self._add(value, words)
        self.activated.connect(lambda at: self.changed.emit(self._values[at]))

    def show_value(self, value: object) -> None:
        """Show ``value``; says nothing."""
        if value not in self._values:
            self._add(value, self._others(value))
        self.setCurrentIndex(self._values.index(value))

    def offer(self, options: Sequence[tuple[object, str]]) -> None:
        """Add ``options``; those that are there get new words."""
        for value, words in options:
            if value in self._values:
                self.setItemText(self._values.index(value), words)
            else:
                self._add(value, words)

    def _add(self, value: object, words: str) -> None:
        self._values.append(value)
        self.addItem(words)


class Switch(QCheckBox):
    """On or off; told by where its knob is and not by colour alone."""

    changed = Signal(object)

    def __init__(self, name: str) -> None:
        super().__init__()
        self.setAccessibleName(name)
        self.setProperty("role", "switch")
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        self.clicked.connect(self._on_clicked)

    def show_value(self, value: object) -> None:
        """Show ``value``; says nothing."""
        self.setChecked(bool(value))

    def _on_clicked(self) -> None:
        self.changed.emit(self.isChecked())

    def sizeHint(self) -> QSize:  # noqa: N802 - Qt's name
        """As large as it is drawn."""
        return QSize(_WIDTH, _HEIGHT)

    def minimumSizeHint(self) -> QSize:  # noqa: N802 - Qt's name
        """The same."""
        return self.sizeHint()

    def hitButton(self, _at: object) -> bool:  # noqa: N802 - Qt's name
        """All of it can be clicked."""
        return True

    def paintEvent(self, _event: QPaintEvent) -> None:  # noqa: N802 - Qt's name
        """Draw the track, the knob, and a ring while it has the focus."""
        colours = self.palette()
        faint = colours.color(_Role.PlaceholderText)
        on = self.isChecked()
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        if not self.isEnabled():
            painter.setOpacity(0.5)
        track = QRectF(_RING, _RING, _WIDTH - 2 * _RING, _HEIGHT - 2 * _RING)
        half = track.height() / 2
        painter.setPen(Qt.PenStyle.NoPen if on else QPen(faint, 1.5))
        painter.setBrush(colours.color(_Role.Accent) if on else colours.color(_Role.Base))
        painter.drawRoundedRect(track.adjusted(1, 1, -1, -1), half - 1, half - 1)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(colours.color(_Role.Base) if on else faint)
        knob = half - 5
        centre = track.right() - half if on else track.left() + half
        painter.drawEllipse(QRectF(centre - knob, track.center().y() - knob, 2 * knob, 2 * knob))
        if self.hasFocus():
            painter.setBrush(QColor(Qt.GlobalColor.transparent))
            painter.setPen(QPen(colours.color(_Role.Highlight), 2))
            painter.drawRoundedRect(QRectF(1, 1, _WIDTH - 2, _HEIGHT - 2), _HEIGHT / 2, _HEIGHT / 2)
        painter.end()


def fill_in(line: QLineEdit, text: str) -> None:
    """Show ``text`` in ``line``; what is being typed stays, and what is selected where it is."""
    if not line.isModified() and line.text() != text:  # to set the same would move the caret
        line.setText(text)


class Number(QLineEdit):
    """A whole number that is typed; left empty it is 0, which has words of its own."""

    changed = Signal(object)

    def __init__(self, name: str, most: int, zero: str) -> None:
        super().__init__()
        self._most = most
        self.setAccessibleName(name)
        self.setPlaceholderText(zero)
        self.setMaxLength(len(str(most)))
        self.setFixedWidth(theme.FIELD_WIDTH)
        self.editingFinished.connect(self._on_finished)

    def show_value(self, value: object) -> None:
        """Show ``value``; says nothing. What is being typed stays."""
        fill_in(self, str(value or ""))

    def _on_finished(self) -> None:
        if not self.isModified():
            return
        self.setModified(False)
        typed = self.text().strip()
        value = min(int(typed), self._most) if typed.isascii() and typed.isdigit() else 0
        self.setText(str(value or ""))
        self.changed.emit(value)


AnyControl = Choices | Switch | Number
"""Shows a value by ``show_value`` and emits ``changed``."""
