"""A field to type into, with its name above it."""

from PySide6.QtWidgets import QLineEdit, QVBoxLayout

from app.widgets import label


def field(name: str, hint: str = "", *, most: int = 2_000) -> QLineEdit:
    """A line to type into, for ``most`` characters; ``hint`` stands in it while it is empty."""
    made = QLineEdit()
    made.setAccessibleName(name)
    made.setPlaceholderText(hint)
    made.setMaxLength(most)
    return made


def add_field(column: QVBoxLayout, made: QLineEdit) -> None:
    """Put ``made`` into ``column``, below its name."""
    name = label(made.accessibleName(), "small", wrap=True)
    name.setBuddy(made)
    column.addWidget(name)
    column.addWidget(made)
