"""Cards cross the pipe unharmed."""

import pytest

from core.api.devices import CardSeen, CardsListed, ListCards
from core.api.pipe import encode
from core.api.protocol import decode_answer, decode_request
from core.errors import WireError


def test_question_and_answer_come_back_equal() -> None:
    """With what the settings call each card."""
    assert decode_request(encode(ListCards(id=3))) == ListCards(id=3)
    listed = CardsListed(id=3, cards=(CardSeen(device="cuda:1", title="NVIDIA B"),))
    assert decode_answer(encode(listed)) == listed


def test_what_could_be_no_setting_is_refused() -> None:
    """The window can put every card that it hears of into the settings."""
    with pytest.raises(WireError):
        decode_answer(encode(CardsListed(cards=(CardSeen(device="toaster", title="T"),))))
