"""Fields have names, for eyes and for screen readers."""

from PySide6.QtWidgets import QLabel, QVBoxLayout, QWidget
from pytestqt.qtbot import QtBot

from app.pages.swarm.fields import add_field, field


def test_a_field_stands_below_its_name(qtbot: QtBot) -> None:
    """And takes no more than it should."""
    inside = QWidget()
    qtbot.addWidget(inside)
    made = field("Its name", "our-class", most=40)
    add_field(QVBoxLayout(inside), made)
    (name,) = inside.findChildren(QLabel)
    assert (name.text(), name.buddy()) == ("Its name", made)
    assert (made.accessibleName(), made.placeholderText()) == ("Its name", "our-class")
    made.insert("x" * 50)
    assert len(made.text()) == 40
