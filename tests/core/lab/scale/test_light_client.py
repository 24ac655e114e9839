"""Light clients against a real hub, and a rogue one."""

from collections.abc import AsyncIterator
from contextlib import aclosing, asynccontextmanager
from dataclasses import replace

from core.hub.server import HubLimits, serving
from core.hub.sqlite_store import MEMORY, SqliteStore
from core.lab.scale.light_client import Diary, Habit, LightClient
from core.swarm.exchange.audit import AUDIT_EVERY
from tests.rogue_hub import handing_out, rogue_hub

HABIT = Habit("lab-scale", groups=8, want=16)


@asynccontextmanager
async def hub() -> AsyncIterator[tuple[str, SqliteStore]]:
    limits = HubLimits(behind_proxy=True)
    async with aclosing(SqliteStore(MEMORY)) as store, serving(store, limits=limits) as url:
        yield url, store


async def test_two_clients_learn_from_each_other() -> None:
    """All that is left is taken, all that comes is good, and authors hear who learnt from them."""
    async with hub() as (url, store):
        clients = [LightClient(number, HABIT, url) for number in (1, 2)]
        diary = Diary()
        for client in (*clients, *clients):
            await client.play(diary)
        stats = await store.stats()
        assert (stats.authors, stats.items) == (2, 32)
        assert not diary.failures + diary.not_taken + diary.not_good
        assert diary.authors.total() == 8 + 8 + 16
        assert len(diary.authors) == 2
        assert (diary.rounds, len(diary.latencies_s), diary.requests) == (4, 4, 6)
        assert stats.bytes > 32 * 5_000  # envelopes of about 5 KB, and receipts
        receipts = [await store.collect(HABIT.swarm, author) for author in diary.authors]
        assert sum(map(len, receipts)) == 1  # of the second, who learnt in its first round


async def test_a_hundred_clients_are_a_hundred_addresses() -> None:
    """No limit of one address holds them back."""
    async with hub() as (url, store):
        diary = Diary()
        for number in range(100):
            await LightClient(number, HABIT, url).play(diary)
        assert (await store.stats()).authors == 100
        assert not diary.failures + diary.not_taken


async def test_every_eighth_round_has_an_audit() -> None:
    """One request more, and more bytes down."""
    async with hub() as (url, _):
        client, diary = LightClient(0, HABIT, url), Diary()
        for _ in range(2 * AUDIT_EVERY):
            await client.play(diary)
        assert diary.requests == 1 + 2 * AUDIT_EVERY + 2


async def test_what_was_asked_for_is_counted() -> None:
    """Some hundred bytes more, no request more; of an author that has it, it is what comes."""
    async with hub() as (url, _):
        plain, asking = Diary(), Diary()
        for _ in range(6):
            await LightClient(1, HABIT, url).play(Diary())
        await LightClient(2, HABIT, url).play(plain)
        await LightClient(2, replace(HABIT, cells=16), url).play(asking)
    assert plain.requests == asking.requests
    assert 0 < asking.bytes_up - plain.bytes_up < 120
    assert plain.wanted == 0 < asking.wanted


async def test_garbage_is_counted_and_not_used() -> None:
    """What a rogue hub hands out is opened and refused."""
    async with rogue_hub(handing_out(b"junk", b"more junk")) as rogue:
        diary = Diary()
        await LightClient(0, HABIT, rogue.url).play(diary)
    assert diary.not_good == {"schema": 2}
    assert not diary.authors
    assert not diary.failures


async def test_a_hub_that_is_away_is_a_failure_and_no_crash() -> None:
    """Counted by its reason; the next round greets anew."""
    async with rogue_hub(handing_out()) as rogue:
        client, diary = LightClient(0, HABIT, rogue.url), Diary()
        await client.play(diary)
        assert diary.requests == 2
    await client.play(diary)
    assert diary.failures.total() == 1
    assert len(diary.latencies_s) == 1
    async with hub() as (url, _):
        client._base = url  # noqa: SLF001 - it came back, at another port
        await client.play(diary)
    assert diary.requests == 2 + 1 + 2
