"""What the sections of the settings are laid out with: groups of rows, one setting each."""

from PySide6.QtCore import Qt
from PySide6.QtGui import QMouseEvent, QShowEvent
from PySide6.QtWidgets import QFrame, QHBoxLayout, QSizePolicy, QVBoxLayout, QWidget

from app.style import theme
from app.widgets.basics import bare_column, label
from app.widgets.controls import Choices, Switch


class SettingRow(QWidget):
    """What a setting is called, a line that explains it, and its control on the right."""

    def __init__(self, title: str, control: QWidget, hint: str = "") -> None:
        super().__init__()
        self.control = control
        self._hint = label("", "small", wrap=True)
        self._line = hairline()
        self._line.hide()
        words = QVBoxLayout()
        words.setSpacing(theme.SPACE_XS // 2)
        words.addStretch()
        words.addWidget(label(title, wrap=True))
        words.addWidget(self._hint)
        words.addStretch()
        row = QHBoxLayout()
        row.setContentsMargins(0, theme.SPACE_S, 0, theme.SPACE_S)
        row.setSpacing(theme.SPACE_L)
        row.addLayout(words, 1)
        row.addWidget(control, 0, Qt.AlignmentFlag.AlignVCenter)
        column = bare_column(self, 0)
        column.addWidget(self._line)
        column.addLayout(row)
        # Its words float in the middle, and would otherwise ask for all the room that a page has.
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Maximum)
        self.say(hint)

    def part(self) -> None:
        """Draw a line above it; it goes when the row is hidden."""
        self._line.show()

    def say(self, hint: str) -> None:
        """Explain it anew."""
        self._hint.setText(hint)
        self._hint.setVisible(bool(hint))
        self.control.setAccessibleDescription(hint)

    def mousePressEvent(self, event: QMouseEvent) -> None:  # noqa: N802 - Qt's name
        """Take it where the words can be clicked, or the release would go elsewhere."""
        is_left = event.button() is Qt.MouseButton.LeftButton
        event.setAccepted(is_left and isinstance(self.control, Switch))

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:  # noqa: N802 - Qt's name
        """The words of a switch belong to it, and can be clicked."""
        is_left = event.button() is Qt.MouseButton.LeftButton
        inside = is_left and self.rect().contains(event.position().toPoint())
        if inside and isinstance(self.control, Switch) and self.control.isEnabled():
            self.control.click()


class Group(QFrame):
    """A card with a heading, and rows parted by hairlines."""

    def __init__(self, title: str, *rows: SettingRow) -> None:
        super().__init__()
        self.setProperty("role", "card")
        column = QVBoxLayout(self)
        column.setContentsMargins(theme.SPACE_L, theme.SPACE_M, theme.SPACE_L, theme.SPACE_S)
        column.setSpacing(0)
        column.addWidget(label(title, "heading"))
        column.addSpacing(theme.SPACE_XS)
        for number, row in enumerate(rows):
            if number:
                row.part()
            column.addWidget(row)
        self._fields = [row.control for row in rows if isinstance(row.control, Choices)]

    def showEvent(self, event: QShowEvent) -> None:  # noqa: N802 - Qt's name
        """Now that the style sheet has had its say, make the fields as wide as the widest."""
        super().showEvent(event)
        widest = max((field.sizeHint().width() for field in self._fields), default=0)
        for field in self._fields:
            field.setMinimumWidth(max(widest, theme.FIELD_WIDTH))

    def put_last(self, widget: QWidget) -> None:
        """Add something that is no setting below the rows."""
        layout = self.layout()
        if layout is not None:
            layout.addWidget(widget)
            layout.setContentsMargins(theme.SPACE_L, theme.SPACE_M, theme.SPACE_L, theme.SPACE_M)


def hairline() -> QFrame:
    """A thin line between two rows."""
    made = QFrame()
    made.setProperty("role", "hairline")
    made.setFixedHeight(1)
    return made


def group_of(title: str, content: QWidget) -> QFrame:
    """A card with a heading and anything in it."""
    made = QFrame()
    made.setProperty("role", "card")
    column = QVBoxLayout(made)
    column.setContentsMargins(theme.SPACE_L, theme.SPACE_M, theme.SPACE_L, theme.SPACE_L)
    column.setSpacing(theme.SPACE_S)
    column.addWidget(label(title, "heading"))
    column.addWidget(content)
    return made
