"""Marks in Redis: which sequences of an author were taken, whatever came in which order."""

from random import Random
from typing import Any

from core.hub.redis_marks import MARK
from core.hub.redis_shards import tag
from tests.redis_server import Server, ask

NOW = 1_000.0
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
