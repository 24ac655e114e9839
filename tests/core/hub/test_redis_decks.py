"""Decks in Redis: keys that all expire, and what an eviction costs."""

from collections.abc import AsyncIterator
from contextlib import aclosing

import pytest

from core.errors import SwarmError
from core.hub.decks import DeckLimits
from core.hub.redis_decks import REDIS_BYTES, RedisDecks
from core.hub.redis_link import RedisLink, parse_address
from core.wire.codec import DECK_LIFE_S, MAX_PACKED_DECK_BYTES
from tests.envelopes import FakeClock
from tests.redis_server import Server, ask

NAME = "ab" * 32


@pytest.fixture
async def decks(redis: Server) -> AsyncIterator[RedisDecks]:
    async with aclosing(RedisLink(parse_address(redis.url))) as link:
        yield RedisDecks(link, DeckLimits(), FakeClock())


async def test_every_key_expires(redis: Server, decks: RedisDecks) -> None:
    """With the deck: nothing is left of swarms that are no more."""
    await decks.put("meadow", NAME, b"deck")
    assert len(redis.all_keys()) == 3
    for key in redis.all_keys():
        assert 0 < ask(redis.clients[0], "TTL", key.decode()) <= DECK_LIFE_S


async def test_an_evicted_deck_is_missing(redis: Server, decks: RedisDecks) -> None:
    """And is put again by whoever has it."""
    await decks.put("meadow", NAME, b"deck")
    for key in redis.all_keys():
        if b":deck:" in key:
            ask(redis.clients[0], "DEL", key.decode())
    assert not await decks.touch("meadow", NAME)
    assert await decks.get("meadow", NAME) is None
    assert await decks.put("meadow", NAME, b"deck")
    assert await decks.get("meadow", NAME) == b"deck"


async def test_an_evicted_deck_takes_no_room(redis: Server) -> None:
    """Neither of its swarm's quota nor of the hub: what is still there stays."""
    limits, clock = DeckLimits(swarm_decks=2, decks=3), FakeClock()
    names = [f"{number:064x}" for number in range(3)]
    async with aclosing(RedisLink(parse_address(redis.url))) as link:
        decks = RedisDecks(link, limits, clock)
        for swarm in ("orchard", "meadow"):
            assert await decks.put(swarm, names[0], b"deck")
            clock.advance(1)
        assert await decks.put("meadow", names[1], b"deck")
        (evicted,) = (key for key in redis.all_keys() if key.endswith(f"w/{names[1]}".encode()))
        ask(redis.clients[0], "DEL", evicted.decode())
        assert await decks.put("meadow", names[2], b"deck")
        assert not await decks.put("meadow", names[1], b"deck")
        for swarm, name in (("orchard", names[0]), ("meadow", names[0]), ("meadow", names[2])):
            assert await decks.touch(swarm, name)


async def test_the_largest_fits(decks: RedisDecks) -> None:
    """In one call within its time."""
    whole = bytes(MAX_PACKED_DECK_BYTES)
    assert await decks.put("meadow", NAME, whole)
    assert await decks.get("meadow", NAME) == whole


def test_it_takes_less_than_a_disk_would() -> None:
    """Envelopes are evicted before decks are."""
    assert DeckLimits().bytes > REDIS_BYTES


async def test_a_redis_that_is_away_is_explained() -> None:
    """In a sentence for who runs the hub."""
    async with aclosing(RedisLink(parse_address("redis://127.0.0.1:1"))) as link:
        with pytest.raises(SwarmError, match="cannot use its store"):
            await RedisDecks(link, DeckLimits(), FakeClock()).touch("meadow", NAME)
