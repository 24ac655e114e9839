"""Light clients against a real hub, and a rogue one."""

from collections.abc import AsyncIterator
from contextlib import aclosing, asynccontextmanager

from core.hub.server import HubLimits, serving
from core.hub.sqlite_store import MEMORY, SqliteStore
from core.lab.scale.light_client import ClientOptions, ClientStats, LightClient
from core.swarm.exchange.audit import AUDIT_EVERY
from tests.rogue_hub import handing_out, rogue_hub

OPTIONS = ClientOptions("lab-scale", groups=8, want=16)


@asynccontextmanager
async def hub() -> AsyncIterator[tuple[str, SqliteStore]]:
    limits = HubLimits(behind_proxy=True)
    async with aclosing(SqliteStore(MEMORY)) as store, serving(store, limits=limits) as url:
        yield url, store


async def test_two_clients_learn_from_each_other() -> None:
    """All that is left is taken, all that comes is good, and authors hear who learnt from them."""
    async with hub() as (url, store):
        clients = [LightClient(number, OPTIONS, url) for number in (1, 2)]
        stats = ClientStats()
        for client in (*clients, *clients):
            await client.play(stats)
        kept = await store.stats()
        assert (kept.authors, kept.items) == (2, 32)
        assert not stats.failures + stats.not_taken + stats.not_good
        assert stats.authors.total() == 8 + 8 + 16
        assert len(stats.authors) == 2
        assert (stats.rounds, len(stats.latencies_s), stats.requests) == (4, 4, 6)
        assert kept.bytes > 32 * 5_000  # envelopes of about 5 KB, and receipts
        receipts = [await store.collect(OPTIONS.swarm, author) for author in stats.authors]
        assert sum(map(len, receipts)) == 1  # of the second, who learnt in its first round


async def test_a_hundred_clients_are_a_hundred_addresses() -> None:
    """No limit of one address holds them back."""
    async with hub() as (url, store):
        stats = ClientStats()
        for number in range(100):
            await LightClient(number, OPTIONS, url).play(stats)
        assert (await store.stats()).authors == 100
        assert not stats.failures + stats.not_taken


async def test_every_eighth_round_has_an_audit() -> None:
    """One request more, and more bytes down."""
    async with hub() as (url, _):
        client, stats = LightClient(0, OPTIONS, url), ClientStats()
        for _ in range(2 * AUDIT_EVERY):
            await client.play(stats)
        assert stats.requests == 1 + 2 * AUDIT_EVERY + 2


async def test_garbage_is_counted_and_not_used() -> None:
    """What a rogue hub hands out is opened and refused."""
    async with rogue_hub(handing_out(b"junk", b"more junk")) as rogue:
        stats = ClientStats()
        await LightClient(0, OPTIONS, rogue.url).play(stats)
    assert stats.not_good == {"schema": 2}
    assert not stats.authors
    assert not stats.failures


async def test_a_hub_that_is_away_is_a_failure_and_no_crash() -> None:
    """Counted by its reason; the next round greets anew."""
    async with rogue_hub(handing_out()) as rogue:
        client, stats = LightClient(0, OPTIONS, rogue.url), ClientStats()
        await client.play(stats)
        assert stats.requests == 2
    await client.play(stats)
    assert stats.failures.total() == 1
    assert len(stats.latencies_s) == 1
    async with hub() as (url, _):
        client._base = url  # noqa: SLF001 - it came back, at another port
        await client.play(stats)
    assert stats.requests == 2 + 1 + 2
