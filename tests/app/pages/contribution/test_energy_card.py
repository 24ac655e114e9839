"""The card about electricity."""

from msgspec.structs import replace
from pytestqt.qtbot import QtBot

from app.pages.contribution.energy_card import EnergyCard
from tests.app.pages.contribution.samples import ENERGY, MONTH, OLD
from tests.app.reading import texts


def test_it_is_there_where_something_is_known(qtbot: QtBot) -> None:
    """Headline and source; what the battery says while one is in use."""
    card = EnergyCard()
    qtbot.addWidget(card)
    card.show()
    card.show_contribution(replace(MONTH, energy=ENERGY))
    assert [text.split()[0] for text in texts(card)] == ["Electricity", "0.045", "An"]
    card.show_contribution(replace(MONTH, energy=replace(ENERGY, draw_w=14.0)))
    assert "Right now the whole computer draws 14 watts." in texts(card)
    card.show_contribution(OLD)
    assert not card.isVisible()
