"""Decks and those who are asked for them, for tests of what travels."""

import hashlib

from core.decks.deck import Deck, Flashcard, Matcher, encode_deck
from core.rollouts.types import PeerId
from core.swarm.decks import DeckSwarm
from core.wire.secrecy import SwarmKeys
from tests.envelopes import KEYS, SWARM

NOBODY = PeerId("")


def deck_data(name: str = "Sums", cards: int = 40, matcher: Matcher = "integer") -> bytes:
    """A deck of sums that nothing is wrong with; another one for another name."""
    rows = (Flashcard(f"What is {n} + {n + 1}?", (str(2 * n + 1),)) for n in range(cards))
    deck = Deck(
        format=1,
        name=name,
        author="Anne",
        language="en",
        licence="CC0-1.0",
        matcher=matcher,
        cards=tuple(rows),
    )
    return encode_deck(deck)


def sha256(data: bytes) -> bytes:
    return hashlib.sha256(data).digest()


def swarm_of(*decks: bytes, keys: SwarmKeys | None = KEYS) -> DeckSwarm:
    """The private swarm of the tests, or the open one, with these decks."""
    name = SWARM if keys is None else keys.swarm
    return DeckSwarm(name, keys, tuple(map(sha256, decks)))
