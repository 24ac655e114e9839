"""Which graphics cards can train here, for whoever chooses among them."""

from typing import Annotated

import msgspec
from msgspec import Meta

from core.api.requests import Reply, Request
from core.settings import DeviceChoice


class CardSeen(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A graphics card that PyTorch can use."""

    device: DeviceChoice
    title: Annotated[str, Meta(max_length=200)]  # what its maker calls it


class ListCards(Request, frozen=True, tag="list_cards"):
    """List the graphics cards that can train a model."""


class CardsListed(Reply, frozen=True, tag="cards_listed"):
    """Those that there are; none on most computers."""

    cards: Annotated[tuple[CardSeen, ...], Meta(max_length=100)]
