"""Notes in Redis; what every store does with them is in ``test_store_conformance.py``."""

from collections.abc import AsyncIterator
from contextlib import aclosing

import pytest

from core.hub.redis_store import RedisStore
from core.hub.store import HubNote
from core.wire.envelope import open_envelope
from tests.envelopes import ANNE, BOB, CAROL, NOW, SWARM, FakeClock, sealed
from tests.redis_server import Server


@pytest.fixture
async def store(redis: Server) -> AsyncIterator[RedisStore]:
    async with aclosing(RedisStore(redis.url, clock=FakeClock())) as opened:
        await opened.append([open_envelope(sealed(ANNE, 1), SWARM, NOW)])
        yield opened


async def test_an_inbox_that_was_evicted_takes_notes_anew(store: RedisStore, redis: Server) -> None:
    """The same one, too, which the books still know and do not count twice."""
    notes = [HubNote(ANNE.peer_id, who.peer_id, b"thanks") for who in (BOB, CAROL)]
    await store.leave(SWARM, notes)
    before = await store.stats()
    (inbox,) = (key for key in redis.all_keys() if b":inbox:" in key)
    redis.clients[0].delete(inbox)
    assert await store.collect(SWARM, ANNE.peer_id) == ()
    await store.leave(SWARM, notes)
    assert await store.collect(SWARM, ANNE.peer_id) == (b"thanks", b"thanks")
    assert await store.stats() == before
