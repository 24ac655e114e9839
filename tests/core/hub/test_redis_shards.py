"""One Redis as shards."""

from asyncio import Event

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.errors import SwarmError
from core.hub.redis_shards import CLUSTER_SHARDS, Shards, by_key, side_by_side
from tests.envelopes import FakeClock, identity

authors = st.lists(st.binary(min_size=32, max_size=32).map(bytes.hex), unique=True)


@given(authors)
def test_every_reply_finds_its_key(names: list[str]) -> None:
    """Keys are split over the shards and their replies put together again, none lost or mixed."""
    shards = Shards("redis+cluster://localhost:7000", FakeClock())
    grouped = shards.group(names, lambda name: name)
    assert all(shards.of(name) == shard for shard, mine in grouped.items() for name in mine)
    replies = [[name.upper() for name in mine] for mine in grouped.values()]
    assert by_key(grouped, replies) == {name: name.upper() for name in names}


def test_one_server_is_one_shard_and_a_cluster_is_many() -> None:
    """Splitting costs calls, and only a Cluster has something for them."""
    people = [identity(number).peer_id for number in range(400)]
    one = Shards("redis://localhost", FakeClock())
    many = Shards("redis+cluster://localhost", FakeClock())
    assert {one.of(name) for name in people} == {0}
    assert {many.of(name) for name in people} == set(range(CLUSTER_SHARDS))


async def test_results_come_in_order_whoever_is_first() -> None:
    """Also when the second call has to happen for the first to end."""
    went = Event()

    async def wait() -> str:
        await went.wait()
        return "waited"

    async def go() -> str:
        went.set()
        return "went"

    assert await side_by_side([wait(), go()]) == ["waited", "went"]
    assert await side_by_side([go()]) == ["went"]
    assert await side_by_side([]) == []


async def test_one_failure_fails_all_in_its_words() -> None:
    """The others are given up instead of being waited for."""

    async def fail() -> None:
        raise SwarmError("the shard is away")

    async def wait_for_ever() -> None:
        await Event().wait()

    with pytest.raises(SwarmError, match=r"^the shard is away$"):
        await side_by_side([wait_for_ever(), fail(), fail()])
