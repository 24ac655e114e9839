"""A button that wants what a ``RowAction`` says."""

from pytestqt.qtbot import QtBot

from app.pages.models.act_button import ActButton
from app.pages.models.view_model import RowAction


def test_it_wants_what_it_shows(qtbot: QtBot) -> None:
    """The whole act, not only its name."""
    acts: list[RowAction] = []
    button = ActButton(acts.append)
    qtbot.addWidget(button)
    assert button.isHidden()
    act = RowAction("Bring back", "restore", "spark@then", name="Bring back: yesterday's")
    button.show_act(act)
    assert not button.isHidden()
    assert (button.text(), button.accessibleName()) == ("Bring back", "Bring back: yesterday's")
    button.click()
    assert acts == [act]


def test_without_a_wish_it_is_not_there(qtbot: QtBot) -> None:
    """And one that cannot be had now cannot be pressed."""
    button = ActButton(lambda _act: None)
    qtbot.addWidget(button)
    button.show_act(RowAction("Check", "verify", enabled=False))
    assert not button.isEnabled()
    button.show_act(None)
    assert button.isHidden()
