"""What a draw from Redis makes of names; that it is fair is in ``test_store_conformance.py``."""

from collections.abc import AsyncIterator
from contextlib import aclosing
from dataclasses import replace
from random import Random

import pytest

from core.hub.redis_draw import DRAW_ROUNDS, MOST_LOST
from core.hub.redis_store import RedisStore
from core.rollouts.types import PeerId
from core.wire.cells import CellLabels, label_of
from core.wire.codec import AUTHOR_SLOTS
from core.wire.envelope import Envelope, open_envelope, open_own
from tests.envelopes import ANNE, BOB, NOW, SWARM, FakeClock, identity, sealed
from tests.redis_server import Server

NOBODY = PeerId("0" * 64)
PLACE = "ab"


def of_cell(sequence: int, cell: bytes) -> Envelope:
    return replace(open_envelope(sealed(ANNE, sequence), SWARM, NOW), cell=cell)


@pytest.fixture
async def store(redis: Server) -> AsyncIterator[RedisStore]:
    async with aclosing(RedisStore(redis.url, None, FakeClock(), Random(1))) as opened:
        yield opened


async def drawn(store: RedisStore, k: int, cells: CellLabels) -> list[int]:
    sample = await store.draw(SWARM, k, NOBODY, cells)
    assert set(sample.places) <= {PLACE}
    return [open_own(data).header.sequence for data in sample.envelopes]


async def test_names_of_an_earlier_release_are_among_the_others(store: RedisStore) -> None:
    """It tells no cell; the front-ends of both draw each other's, and nothing is lost."""
    wanted, other = label_of("adding/1"), label_of("adding/2")
    items = [of_cell(1, b""), of_cell(2, other), of_cell(3, wanted), of_cell(4, b"")]
    assert all(await store.append(items, PLACE))
    assert await drawn(store, 1, frozenset({wanted})) == [3]
    first, *rest = await drawn(store, 9, frozenset({wanted, bytes(4)}))
    assert (first, set(rest)) == (3, {1, 2, 4})
    assert set(await drawn(store, 9, frozenset())) == {1, 2, 3, 4}


async def test_what_was_taken_is_not_taken_again(store: RedisStore) -> None:
    """Whatever its name says of its cell."""
    assert await store.append([of_cell(1, b"")], PLACE) == [True]
    assert await store.append([of_cell(1, label_of("adding/1"))], PLACE) == [False]


async def test_a_lost_shelf_keeps_nobody_from_the_others(store: RedisStore, redis: Server) -> None:
    """Redis may evict any list; a draw that wants cells goes on as one that wants none does."""
    wanted = frozenset({label_of("adding/1")})
    bobs = open_envelope(sealed(BOB, 2), SWARM, NOW)
    assert all(await store.append([of_cell(1, b""), bobs], PLACE))
    (shelf,) = (
        key for key in redis.all_keys() if b":shelf:" in key and bobs.author.encode() in key
    )
    redis.clients[0].delete(shelf)
    assert await drawn(store, 9, wanted) == [1]


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
        found = await drawn(store, 1, frozenset())
        forgotten, kept = kept - redis.clients[0].zcard(index), redis.clients[0].zcard(index)
        assert (not found) <= forgotten <= DRAW_ROUNDS * MOST_LOST
