"""Telling which cards there are."""

from pathlib import Path

import pytest

from core.api.devices import CardSeen, CardsListed, ListCards
from core.api.requests import Reply
from core.paths import Home
from core.services import devices
from core.services.devices import list_cards
from core.services.service import ServiceContext


async def test_every_card_is_told_by_name(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """As its maker and as the settings call it."""
    monkeypatch.setattr(devices, "usable_cards", lambda: {"cuda:0": "NVIDIA A"})
    told: list[Reply] = []
    await list_cards(ListCards(id=1), ServiceContext(Home(tmp_path)), told.append)
    assert told == [CardsListed(cards=(CardSeen(device="cuda:0", title="NVIDIA A"),))]
