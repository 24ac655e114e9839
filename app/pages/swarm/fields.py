"""A field to type into, with its name above it."""

from PySide6.QtWidgets import QHBoxLayout, QLineEdit, QVBoxLayout, QWidget

from app.style import theme
from app.widgets.basics import label


def field(name: str, hint: str = "", *, most: int = 2_000) -> QLineEdit:
    """A line to type into, for ``most`` characters; ``hint`` stands in it while it is empty."""
    made = QLineEdit()
    made.setAccessibleName(name)
    made.setPlaceholderText(hint)
    made.setMaxLength(most)
    return made


def add_field(column: QVBoxLayout, made: QLineEdit, *beside: QWidget) -> None:
    """Put ``made`` into ``column``, below its name, with ``beside`` to its right."""
    name = label(made.accessibleName(), "small", wrap=True)
    name.setBuddy(made)
    column.addWidget(name)
    row = QHBoxLayout()
    row.setSpacing(theme.SPACE_S)
    row.addWidget(made, 1)
    for part in beside:
        row.addWidget(part)
    column.addLayout(row)
