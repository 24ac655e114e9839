"""A pause that ends by itself."""

from pytestqt.qtbot import QtBot

from app.pages.home.snooze_button import SnoozeButton
from core.api.events import Snooze
from tests.fake_actions import FakeActions


def test_a_span_that_is_chosen_is_told(actions: FakeActions, qtbot: QtBot) -> None:
    """By a button that has a name though it has no words."""
    snooze = SnoozeButton(actions)
    qtbot.addWidget(snooze)
    assert snooze.accessibleName() == "Pause for a while"
    snooze.menu().actions()[0].trigger()
    assert actions.all == [Snooze(seconds=1_800)]
