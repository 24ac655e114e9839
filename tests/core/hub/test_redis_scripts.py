"""The scripts by themselves; what they do together is in ``test_store_conformance.py``."""

from collections.abc import Iterator
from random import Random
from typing import Any

import pytest

from core.hub.redis_draw import HANDS
from core.hub.redis_scripts import APPEND, LEAVE, STATS, Script
from tests.redis_server import Server, ask, redis_server

TAG = "{waggle:0}"
NOW, LIVING, REMEMBERED = 1_000.0, 400.0, -260.0
LIVES = (REMEMBERED, 600, 1_260)
BOUNDS = (128, 1_000_000, 1_000, 1_000)


@pytest.fixture(scope="module")
def server() -> Iterator[Server]:
    with redis_server() as running:
        yield running


@pytest.fixture
def redis(server: Server) -> Server:
    server.flush()
    return server


def run(redis: Server, script: Script, *args: str | float) -> Any:  # noqa: ANN401 - what Lua returned
    return ask(redis.clients[0], "EVAL", script.text, 1, TAG, NOW, LIVING, *args)


def author(number: int) -> str:
    return f"{number:064x}"


def append(redis: Server, number: int, sequence: int = 1, data: str = "data") -> object:
    fields = ("meadow", author(number), f"{sequence:019d}", data)
    return run(redis, APPEND, *LIVES, *BOUNDS, *fields)


def naive_choice(count: int, chances: list[float]) -> list[int]:
    """Ranks of a draw without replacement, by shuffling a whole list."""
    ranks = list(range(count))
    for nth, chance in enumerate(chances[:count]):
        place = nth + int(chance * (count - nth))
        ranks[nth], ranks[place] = ranks[place], ranks[nth]
    return ranks[: len(chances)]


@pytest.mark.parametrize("count", [1, 5, 30])
def test_the_choice_is_a_shuffle_cut_short(redis: Server, count: int) -> None:
    """The same authors as a naive shuffle with the same chances; equal times sort by name."""
    for number in range(count):
        append(redis, number)
    rng = Random(count)
    for _ in range(20):
        chances = [rng.random() for _ in range(rng.randrange(1, 40))]
        paired = [chance for one in chances for chance in (one, rng.random())]
        reply = run(redis, HANDS, "meadow", author(999), 1_260, len(chances), -1, *paired)
        expected = [author(rank).encode() for rank in naive_choice(count, chances)]
        assert [hand[0] for hand in reply[2]] == expected
        assert reply[:2] == [count, 0]


def test_the_last_chance_is_still_within(redis: Server) -> None:
    """The largest number below one picks the last author and the last item, not one beyond."""
    append(redis, 1, 1)
    append(redis, 1, 2)
    largest = 1 - 2**-53
    reply = run(redis, HANDS, "meadow", author(999), 1_260, 1, -1, largest, largest)
    assert reply == [1, 0, [[author(1).encode(), [b"0000000000000000002/4"]]]]


def test_every_key_lies_in_one_slot_and_expires(redis: Server) -> None:
    """A Cluster accepts the scripts, and a hub that is given up leaves nothing behind."""
    append(redis, 1)
    run(redis, LEAVE, *LIVES, 64, 1_000, 1_000, f"meadow/{author(1)}", author(2), "thanks")
    run(redis, STATS, 1_260)
    keys = redis.all_keys()
    assert len(keys) == 11
    for key in keys:
        assert key.startswith(TAG.encode() + b":")
        assert 0 < redis.clients[0].ttl(key) <= 1_260


def test_the_sum_of_bytes_is_found_again(redis: Server) -> None:
    """If only the sum is lost it is added up from the names, and without names it is nought."""
    append(redis, 1, data="x" * 100)
    append(redis, 2, data="x" * 20)
    redis.clients[0].delete(f"{TAG}:items:bytes")
    assert run(redis, STATS, 1_260) == [2, 2, 120]
    redis.clients[0].delete(f"{TAG}:items")
    assert run(redis, STATS, 1_260) == [2, 0, 0]


@pytest.mark.parametrize("whole_at", [-1, 5])
def test_a_name_without_bytes_is_forgotten(redis: Server, whole_at: int) -> None:
    """Another item of its author is given instead; without any, the author is gone."""
    append(redis, 1, 1)
    append(redis, 1, 2)
    item = TAG + f":item:meadow/{author(1)}/000000000000000000"
    asked = ("meadow", author(9), 1_260, 1, whole_at, 0.9, 0.9)
    redis.clients[0].delete(item + "2/4")
    assert run(redis, HANDS, *asked) == [1, 0, [[author(1).encode(), [b"0000000000000000001/4"]]]]
    assert run(redis, STATS, 1_260) == [1, 1, 4]
    redis.clients[0].delete(item + "1/4")
    assert run(redis, HANDS, *asked) == [0, 0, []]
    assert run(redis, STATS, 1_260) == [0, 0, 0]
