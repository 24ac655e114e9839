"""Tells which graphics cards can train here."""

import asyncio

from core.api.devices import CardSeen, CardsListed, ListCards
from core.models.memory.cards import usable_cards
from core.services.service import SendReply, ServiceContext


async def list_cards(_request: ListCards, _context: ServiceContext, tell: SendReply) -> None:
    """Ask the drivers; that may take a second."""
    found = await asyncio.to_thread(usable_cards)
    cards = [CardSeen(device=device, title=title[:200]) for device, title in found.items()]
    tell(CardsListed(cards=tuple(cards[:100])))
