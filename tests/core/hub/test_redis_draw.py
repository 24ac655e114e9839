"""What a draw from Redis makes of names; that it is fair is in ``test_store_conformance.py``."""

from collections.abc import AsyncIterator
from contextlib import aclosing
from random import Random

import pytest

from core.hub.redis_draw import DRAW_ROUNDS, MOST_LOST
from core.hub.redis_store import RedisStore
from core.rollouts.types import PeerId
from core.wire.codec import AUTHOR_SLOTS
from core.wire.envelope import open_envelope, open_own
from tests.envelopes import ANNE, BOB, NOW, SWARM, FakeClock, identity, sealed
from tests.redis_server import Server

NOBODY = PeerId("0" * 64)
PLACE = "ab"


@pytest.fixture
async def store(redis: Server) -> AsyncIterator[RedisStore]:
    async with aclosing(RedisStore(redis.url, None, FakeClock(), Random(1))) as opened:
        yield opened


async def drawn(store: RedisStore, k: int) -> list[int]:
    sample = await store.draw(SWARM, k, NOBODY)
    assert set(sample.places) <= {PLACE}
    return [open_own(data).header.sequence for data in sample.envelopes]


async def test_a_lost_shelf_keeps_nobody_from_the_others(store: RedisStore, redis: Server) -> None:
    """Redis may evict any list."""
    annes, bobs = (open_envelope(sealed(who, n), SWARM, NOW) for who, n in ((ANNE, 1), (BOB, 2)))
    assert all(await store.append([annes, bobs], PLACE))
    (shelf,) = (
        key for key in redis.all_keys() if b":shelf:" in key and bobs.author.encode() in key
    )
    redis.clients[0].delete(shelf)
    assert await drawn(store, 9) == [1]


async def test_a_draw_forgets_so_much_that_was_lost_and_no_more(
    store: RedisStore, redis: Server
) -> None:
    """Redis does nothing else meanwhile; later draws forget the rest, and find what is left."""
    authors = [identity(number) for number in range(2 * DRAW_ROUNDS * MOST_LOST // AUTHOR_SLOTS)]
    envelopes = [sealed(author, n) for author in authors for n in range(1, AUTHOR_SLOTS + 1)]
    await store.append([open_envelope(one, SWARM, NOW) for one in envelopes], PLACE)
    items = [key for key in redis.all_keys() if b":item:" in key]
    redis.clients[0].delete(*items[1:])
    (index,) = (key for key in redis.all_keys() if key.endswith(b":items"))
    kept, found = len(envelopes), list[int]()
    while not found:
        found = await drawn(store, 1)
        forgotten, kept = kept - redis.clients[0].zcard(index), redis.clients[0].zcard(index)
        assert (not found) <= forgotten <= DRAW_ROUNDS * MOST_LOST
