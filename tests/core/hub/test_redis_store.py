"""What the Redis store adds to the promises of every store: many front-ends, and loss survived."""

import asyncio
from collections import Counter
from collections.abc import AsyncIterator, Iterable
from contextlib import aclosing
from dataclasses import dataclass
from itertools import groupby
from random import Random

import pytest

from core.errors import SwarmError, UsageError
from core.hub.redis_store import RedisStore
from core.hub.store import HubNote, Store, StoreLimits
from core.rollouts.types import PeerId
from core.wire.codec import ITEM_LIFE_S
from core.wire.envelope import Envelope, open_envelope
from tests.envelopes import ANNE, BOB, CAROL, NOW, SWARM, FakeClock, identity, sealed
from tests.redis_server import Server, redis_cluster, redis_server

NOBODY = PeerId("0" * 64)


@dataclass
class Pair:
    """Two front-ends on one Redis, each with its own clock."""

    redis: Server
    one: Store
    other: Store
    clock: FakeClock
    other_clock: FakeClock


@pytest.fixture
async def pair(redis: Server) -> AsyncIterator[Pair]:
    clock, other_clock = FakeClock(), FakeClock()
    async with (
        aclosing(RedisStore(redis.url, None, clock, Random(1))) as one,
        aclosing(RedisStore(redis.url, None, other_clock, Random(2))) as other,
    ):
        yield Pair(redis, one, other, clock, other_clock)


def envelope(number: int, sequence: int = 1) -> Envelope:
    return open_envelope(sealed(identity(number), sequence), SWARM, NOW)


async def leave_all(store: Store, envelopes: Iterable[Envelope]) -> None:
    """Append them, each author's from a place of its own."""
    for author, some in groupby(envelopes, lambda one: one.author):
        await store.append(list(some), author[:16])


def test_a_wrong_address_is_refused_at_once() -> None:
    """Before the hub opens its doors."""
    with pytest.raises(UsageError, match=r"redis://localhost"):
        RedisStore("sqlite:hub.sqlite")


async def test_front_ends_are_one_hub(pair: Pair) -> None:
    """What one takes in the other hands out, and what one has seen the other refuses."""
    assert await pair.one.append([envelope(0), envelope(1)]) == [True, True]
    assert await pair.other.append([envelope(0), envelope(2)]) == [False, True]
    await pair.one.leave(SWARM, [HubNote(BOB.peer_id, ANNE.peer_id, b"thanks")])
    assert await pair.other.collect(SWARM, BOB.peer_id) == (b"thanks",)
    drawn = await pair.other.draw(SWARM, 8, CAROL.peer_id)
    assert set(drawn.envelopes) == {envelope(0).data, envelope(1).data}
    assert await pair.one.stats() == await pair.other.stats()


async def test_many_at_once_take_each_sequence_once(pair: Pair) -> None:
    """Whoever sends the same envelope to both front-ends many times is believed once."""
    same = [envelope(number) for number in range(5)]
    calls = (store.append(same) for _ in range(20) for store in (pair.one, pair.other))
    answers = await asyncio.gather(*calls)
    assert [sum(column) for column in zip(*answers, strict=True)] == [1] * 5


async def test_an_exchange_is_four_steps(pair: Pair) -> None:
    """Two scripts to append, one to draw, one MGET; whatever the size of the swarm."""
    for size in (3, 60):
        await leave_all(pair.one, (envelope(number) for number in range(size)))
        await pair.one.draw(SWARM, 16, ANNE.peer_id)
        pair.redis.clients[0].config_resetstat()
        await pair.one.append([envelope(0, size + n) for n in range(8)])
        await pair.one.draw(SWARM, 16, ANNE.peer_id)
        stats = pair.redis.clients[0].info("commandstats")
        called = {name: stats[name]["calls"] for name in ("cmdstat_evalsha", "cmdstat_mget")}
        assert called == {"cmdstat_evalsha": 3, "cmdstat_mget": 1}
        assert not {"cmdstat_eval", "cmdstat_script|load"} & stats.keys()


async def test_a_clock_that_runs_ahead_shortens_lives_by_so_much(pair: Pair) -> None:
    """The skewed front-end's view; what others sent is not gone before its skewed time."""
    pair.other_clock.advance(100)
    await pair.one.append([envelope(0)])
    for clock in (pair.clock, pair.other_clock):
        clock.advance(ITEM_LIFE_S - 101)
    assert len((await pair.other.draw(SWARM, 8, NOBODY)).envelopes) == 1
    for clock in (pair.clock, pair.other_clock):
        clock.advance(2)
    assert len((await pair.one.draw(SWARM, 8, NOBODY)).envelopes) == 1
    assert len((await pair.other.draw(SWARM, 8, NOBODY)).envelopes) == 0


async def test_a_clock_that_lags_makes_nobody_silent(pair: Pair) -> None:
    """What an author left by a clock that runs ahead is there for as long as that says."""
    pair.other_clock.advance(100)
    await pair.other.append([envelope(0, 1)])
    await pair.one.append([envelope(0, 2)])
    pair.clock.advance(ITEM_LIFE_S + 1)
    assert (await pair.one.draw(SWARM, 8, NOBODY)).envelopes == (envelope(0, 1).data,)


async def test_a_lost_mark_lets_nothing_in_that_is_still_there(pair: Pair) -> None:
    """The shelf remembers what is on it as well."""
    await pair.one.append([envelope(0, 5)])
    for key in pair.redis.all_keys():
        if b":mark:" in key or key.endswith(b":heard"):
            pair.redis.clients[0].delete(key)
    assert await pair.one.append([envelope(0, 4), envelope(0, 5)]) == [True, False]
    assert await pair.one.append([envelope(0, 6)]) == [True]


async def test_lost_bytes_are_drawn_anew(pair: Pair) -> None:
    """A draw over items whose bytes were evicted is as full as one without them."""
    await pair.one.append([envelope(number, n) for number in range(30) for n in (1, 2)])
    lost = [key for key in pair.redis.all_keys() if b":item:" in key and b"0001/" in key]
    assert len(lost) == 30
    pair.redis.clients[0].delete(*lost)
    whole = await pair.one.draw(SWARM, 64, NOBODY)
    assert (len(whole.envelopes), whole.peers) == (30, 30)
    assert len((await pair.one.draw(SWARM, 8, NOBODY)).envelopes) == 8
    assert (await pair.other.stats()).items == 30


@pytest.mark.parametrize("seed", range(8))
async def test_whatever_is_evicted_only_availability_suffers(pair: Pair, seed: int) -> None:
    """Any keys may vanish between any calls.

    Nothing is drawn twice or by its author, nothing that was not sent, no call fails, the books
    stay within the limit, and what comes in afterwards is handed out again.
    """
    rng = Random(seed)
    limits = StoreLimits(bytes=20_000)
    sent = set[bytes]()
    async with aclosing(RedisStore(pair.redis.url, limits, pair.clock, rng)) as store:
        for step in range(1, 60):
            pair.clock.advance(rng.choice([0, 1, 60]))
            envelopes = [envelope(rng.randrange(12), step) for _ in range(4)]
            sent |= {one.data for one in envelopes}
            await store.append(envelopes, rng.choice(["a", "b", "c"]))
            await store.leave(SWARM, [HubNote(one.author, ANNE.peer_id, b"x") for one in envelopes])
            keys = pair.redis.all_keys()
            gone = rng.sample(keys, len(keys) * rng.choice([0, 1, 5]) // 10)
            if gone:
                pair.redis.clients[0].delete(*gone)
            drawn = (await store.draw(SWARM, 6, ANNE.peer_id)).envelopes
            assert len(set(drawn)) == len(drawn) <= 6
            assert set(drawn) <= sent - {envelope(0, n).data for n in range(1, step + 1)}
            assert len(await store.collect(SWARM, BOB.peer_id)) <= 1
            assert (await store.stats()).bytes <= limits.bytes
        fresh = [envelope(number, 99) for number in range(20, 30)]
        assert all(await store.append(fresh))
        assert {one.data for one in fresh} <= set(
            (await store.draw(SWARM, 500, ANNE.peer_id)).envelopes
        )


async def test_a_full_redis_goes_on() -> None:
    """With the recommended policy, envelopes beyond ``maxmemory`` push out old ones, no errors."""
    options = ("--maxmemory", "4mb", "--maxmemory-policy", "volatile-ttl")
    texts = ("x" * 8_000, "y" * 8_000)
    with redis_server(options=options) as small:
        async with aclosing(RedisStore(small.url, None, FakeClock(), Random(1))) as store:
            for number in range(400):
                data = sealed(identity(number % 40), number + 1, texts=texts)
                assert await store.append([open_envelope(data, SWARM, NOW)]) == [True]
                drawn = await store.draw(SWARM, 8, identity(number % 40).peer_id)
                assert len(set(drawn.envelopes)) == len(drawn.envelopes)
                assert len(drawn.envelopes) >= min(number, 8)
        assert small.clients[0].info("stats")["evicted_keys"] > 0


async def test_a_redis_that_refuses_is_an_error_in_words() -> None:
    """Without a policy to evict by, a full Redis takes nothing; the owner is told."""
    options = ("--maxmemory", "1mb", "--maxmemory-policy", "noeviction")
    with redis_server(options=options) as full:
        async with aclosing(RedisStore(full.url, None, FakeClock(), Random(1))) as store:
            with pytest.raises(SwarmError, match=r"maxmemory.*See that Redis"):
                await store.append([envelope(0)])


async def test_shards_that_grow_are_noticed_within_a_second() -> None:
    """In a Cluster another front-end's places are drawn evenly once the census is taken anew."""
    with redis_cluster(1) as cluster:
        clock = FakeClock()
        async with (
            aclosing(RedisStore(cluster.url, None, clock, Random(1))) as one,
            aclosing(RedisStore(cluster.url, None, clock, Random(2))) as other,
        ):
            await leave_all(one, (envelope(number) for number in range(10)))
            assert (await other.draw(SWARM, 4, NOBODY)).peers == 10
            await leave_all(one, (envelope(number) for number in range(10, 40)))
            clock.advance(1.0)
            counts: Counter[bytes] = Counter()
            for _ in range(500):
                drawn = await other.draw(SWARM, 4, NOBODY)
                assert drawn.peers == 40
                counts.update(drawn.envelopes)
            assert len(counts) == 40
            assert sum((n - 50) ** 2 / 50 for n in counts.values()) < 72.1  # 39 df, p > 0.001
