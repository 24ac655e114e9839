"""The scripts by themselves; what they do together is in ``test_store_conformance.py``."""

from collections import Counter
from random import Random
from typing import Any

import pytest

from core.hub.redis_draw import CANDIDATES
from core.hub.redis_marks import MARK
from core.hub.redis_notes import LEAVE
from core.hub.redis_scripts import KEEP, STATS, Script
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


def append(
    redis: Server, number: int, sequence: int = 1, data: str = "data", place: str = PLACE
) -> object:
    """Leave something at a place."""
    stamp = f"{sequence:019d}"
    assert run(redis, MARK, REMEMBERED, 1_260, *MARKS, f"meadow/{author(number)}", stamp) == [1]
    return run(redis, KEEP, *BOUNDS, "meadow", place, author(number), stamp, data)


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
        asked = ("meadow", author(999), 1_260, 1, most, seed)
        reply = run(redis, CANDIDATES, *asked)
        chosen = authors_of(reply)
        assert len(set(chosen)) == len(chosen) == min(most, count)
        assert reply[:3] == [1, count, 0]
        assert reply[4] == int(most < count)
        assert run(redis, CANDIDATES, *asked) == reply
        first[chosen[0]] += 1
    assert sum((n - 50) ** 2 / 50 for n in first.values()) < 31.3


def test_a_place_gives_as_much_as_was_asked_and_looks_no_further(redis: Server) -> None:
    """A script stops all of Redis: who has many names with many items there costs no more."""
    for number in range(16):
        for sequence in range(16):
            append(redis, number, sequence)
    for most in (1, 12, 40, 256):
        redis.clients[0].config_resetstat()
        reply = run(redis, CANDIDATES, "meadow", author(99), 1_260, 1, most, 1)
        taken = [len(tails) for _, hands in reply[3] for _, tails in hands]
        assert sum(taken) == most
        assert max(taken) - min(taken) <= 1, "in turns"
        assert reply[4] == int(most < 256)
        assert redis.clients[0].info("commandstats")["cmdstat_exists"]["calls"] <= most


def test_every_key_lies_in_one_slot_and_expires(redis: Server) -> None:
    """A Cluster accepts the scripts, and a hub that is given up leaves nothing behind."""
    append(redis, 1)
    run(redis, LEAVE, *LIVES, 64, 1_000, 1_000, f"meadow/{author(1)}", author(2), "thanks")
    run(redis, STATS, 1_260)
    keys = redis.all_keys()
    assert len(keys) == 15
    for key in keys:
        assert key.startswith(TAG.encode() + b":")
        assert 0 < redis.clients[0].ttl(key) <= 1_260


def test_swarms_are_forgotten_whoever_looks(redis: Server) -> None:
    """Names are free, and nobody may ever ask for figures."""
    stamp = f"{1:019d}"
    for number in range(20):
        run(redis, KEEP, *BOUNDS, f"swarm{number}", PLACE, author(1), stamp, "data")
    later = (NOW + 601, LIVING + 601)
    ask(
        *(redis.clients[0], "EVAL", KEEP.text, 1, TAG, *later),
        *(*BOUNDS, "meadow", PLACE, author(1), stamp, "data"),
    )
    assert redis.clients[0].zrange(f"{TAG}:swarms", 0, -1) == [b"meadow"]


def test_the_sum_of_bytes_is_found_again(redis: Server) -> None:
    """If only the sum is lost it is added up from the names, and without names it is nought."""
    append(redis, 1, data="x" * 100)
    append(redis, 2, data="x" * 20)
    redis.clients[0].delete(f"{TAG}:items:bytes")
    assert run(redis, STATS, 1_260) == [2, 2, 120]
    redis.clients[0].delete(f"{TAG}:items")
    assert run(redis, STATS, 1_260) == [2, 0, 0]


def test_what_older_scripts_kept_makes_room_first(redis: Server) -> None:
    """They wrote down no places; or a full hub would take nothing new until all that is gone."""
    for number in range(1, 6):
        append(redis, number)
    redis.clients[0].delete(f"{TAG}:shares", f"{TAG}:left:abc")
    for number in (6, 7):
        append(redis, number, place="def")
    run(redis, LEAVE, *LIVES, 64, 10**6, 5)
    alive = {key.split(b"/")[2].decode() for key in redis.all_keys() if b":item:" in key}
    assert alive == {author(number) for number in range(3, 8)}


@pytest.mark.parametrize("lost", ["shares", "left:abc", "left:def"])
def test_who_takes_the_most_is_found_again(redis: Server, lost: str) -> None:
    """What was lost is known again once its place leaves more, and in the end room is made."""
    append(redis, 1, data="x" * 100, place="def")
    for number in range(2, 6):
        append(redis, number, data="x" * 100)
    redis.clients[0].delete(f"{TAG}:{lost}")
    for number, place in ((6, PLACE), (7, "def"), (8, PLACE), (9, PLACE)):
        append(redis, number, data="x" * 100, place=place)
    run(redis, LEAVE, *LIVES, 64, 700, 1_000)
    alive = {key.split(b"/")[2].decode() for key in redis.all_keys() if b":item:" in key}
    assert run(redis, STATS, 1_260)[1:] == [len(alive), 100 * len(alive)]
    assert {author(1), author(7)} <= alive or lost == "left:def"
    run(redis, LEAVE, *LIVES, 64, 0, 0)
    assert run(redis, STATS, 1_260) == [0, 0, 0]


@pytest.mark.parametrize("most", [1, 5])
def test_a_name_without_bytes_is_forgotten(redis: Server, most: int) -> None:
    """Another item of its author is given instead; without any, the author is gone."""
    append(redis, 1, 1)
    append(redis, 1, 2)
    item = TAG + f":item:meadow/{PLACE}/{author(1)}/000000000000000000"
    redis.clients[0].delete(item + "2/4")
    for seed in range(10):
        reply = run(redis, CANDIDATES, "meadow", author(9), 1_260, 1, most, seed)
        given = [[author(1).encode(), [b"0000000000000000001/4"]]]
        assert reply[:4] == [1, 1, 0, [[PLACE.encode(), given]]]
    assert run(redis, STATS, 1_260)[0] == 1
    redis.clients[0].delete(item + "1/4")
    reply = run(redis, CANDIDATES, "meadow", author(9), 1_260, 1, most, 7)
    assert reply[:4] == [0, 0, 0, []]
    run(redis, CANDIDATES, "meadow", author(9), 1_260, 1, 5, 7)
    assert run(redis, STATS, 1_260) == [0, 0, 0]
