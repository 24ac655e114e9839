"""The scripts by themselves; what they do together is in ``test_store_conformance.py``."""

from collections import Counter
from random import Random
from typing import Any

import pytest

from core.hub.redis_draw import CANDIDATES
from core.hub.redis_scripts import KEEP, LEAVE, MARK, STATS, Script
from core.hub.redis_shards import tag
from tests.redis_server import Server, ask

TAG = tag(0)
NOW, LIVING, REMEMBERED = 1_000.0, 400.0, -260.0
LIVES = (REMEMBERED, 600, 1_260)
MARKS = (128, 1_000)
BOUNDS = (600, 1_260, 128, 1_000_000, 1_000)
PLACE = "abc"


def run(redis: Server, script: Script, *args: str | float) -> Any:  # noqa: ANN401 - what Lua returned
    return ask(redis.clients[0], "EVAL", script.text, 1, TAG, NOW, LIVING, *args)


def author(number: int) -> str:
    return f"{number:064x}"


def append(redis: Server, number: int, sequence: int = 1, data: str = "data") -> object:
    """Leave something at a place."""
    stamp = f"{sequence:019d}"
    assert run(redis, MARK, REMEMBERED, 1_260, *MARKS, f"meadow/{author(number)}", stamp) == [1]
    return run(redis, KEEP, *BOUNDS, "meadow", PLACE, author(number), stamp, data)


def authors_of(reply: list[Any]) -> list[bytes]:
    """Who gives something, in order."""
    return [own[0] for _, by_place in reply[3] for own in by_place]


@pytest.mark.parametrize("count", [1, 5, 12])
def test_the_choice_is_a_shuffle_cut_short(redis: Server, count: int) -> None:
    """Nobody twice, anybody first equally often (chi-square, 11 df, p > 0.001); seeds decide."""
    for number in range(count):
        append(redis, number)
    rng = Random(count)
    first = Counter[bytes]()
    for _ in range(50 * count):
        most, seed = rng.randrange(1, 16), rng.randrange(2**31)
        asked = ("meadow", author(999), 1_260, 1, most, 1, seed)
        reply = run(redis, CANDIDATES, *asked)
        chosen = authors_of(reply)
        assert len(set(chosen)) == len(chosen) == min(most, count)
        assert reply[:3] == [1, count, 0]
        assert reply[4] == int(most < count)
        assert run(redis, CANDIDATES, *asked) == reply
        first[chosen[0]] += 1
    assert sum((n - 50) ** 2 / 50 for n in first.values()) < 31.3


def test_every_key_lies_in_one_slot_and_expires(redis: Server) -> None:
    """A Cluster accepts the scripts, and a hub that is given up leaves nothing behind."""
    append(redis, 1)
    run(redis, LEAVE, *LIVES, 64, 1_000, 1_000, f"meadow/{author(1)}", author(2), "thanks")
    run(redis, STATS, 1_260)
    keys = redis.all_keys()
    assert len(keys) == 13
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


@pytest.mark.parametrize("most", [1, 5])
def test_a_name_without_bytes_is_forgotten(redis: Server, most: int) -> None:
    """Another item of its author is given instead; without any, the author is gone."""
    append(redis, 1, 1)
    append(redis, 1, 2)
    item = TAG + f":item:meadow/{PLACE}/{author(1)}/000000000000000000"
    redis.clients[0].delete(item + "2/4")
    for seed in range(10):
        reply = run(redis, CANDIDATES, "meadow", author(9), 1_260, 1, most, 1, seed)
        given = [[author(1).encode(), [b"0000000000000000001/4"]]]
        assert reply[:4] == [1, 1, 0, [[PLACE.encode(), given]]]
    assert run(redis, STATS, 1_260)[0] == 1
    redis.clients[0].delete(item + "1/4")
    reply = run(redis, CANDIDATES, "meadow", author(9), 1_260, 1, most, 1, 7)
    assert reply[:4] == [0, 0, 0, []]
    run(redis, CANDIDATES, "meadow", author(9), 1_260, 1, 5, 1, 7)
    assert run(redis, STATS, 1_260) == [0, 0, 0]


SLOTS, MOST_AUTHORS = 4, 1_000
WHOSE = "meadow/" + "1" * 64


def mark(redis: Server, *asked: tuple[str, int], now: float = NOW) -> Any:  # noqa: ANN401 - what Lua returned
    """Ask of each author and sequence whether it is new."""
    bounds = (now, now - 600, now - 1_260, 1_260, SLOTS, MOST_AUTHORS)
    stamped = [part for who, n in asked for part in (who, f"{n:019d}")]
    return ask(redis.clients[0], "EVAL", MARK.text, 1, tag(0), *bounds, *stamped)


def is_new(redis: Server, number: int, now: float = NOW) -> bool:
    (fresh,) = mark(redis, (WHOSE, number), now=now)
    return bool(fresh)


def test_nothing_is_taken_twice_whatever_comes(redis: Server) -> None:
    """In whatever order; what is new and among the highest is taken, what is below is not."""
    rng, taken = Random(5), set[int]()
    for _ in range(200):
        number = rng.randrange(60)
        highest = sorted(taken)[-SLOTS:]
        has_room = len(highest) < SLOTS or number > highest[0]
        assert is_new(redis, number) == (number not in taken and has_room), (number, highest)
        if has_room:
            taken.add(number)


def test_the_newest_does_not_make_the_rest_look_used(redis: Server) -> None:
    """Somebody who brings it first keeps nobody's earlier envelopes out."""
    assert [is_new(redis, number) for number in (9, 6, 7, 8, 9, 7)] == [True] * 4 + [False] * 2


def test_silence_is_forgotten(redis: Server) -> None:
    """Once the clock refuses what could be replayed, its sequences may come again."""
    assert is_new(redis, 7)
    assert not is_new(redis, 7, now=NOW + 1_259)
    assert is_new(redis, 7, now=NOW + 1_259 + 1_261)
