"""Ten thousand attacks on a real hub: none gets in, it goes on, and it does not grow."""

import asyncio
from collections.abc import Iterator
from contextlib import aclosing
from io import BytesIO
from itertools import islice
from pathlib import Path
from random import Random
from urllib.parse import urlsplit

import aiohttp

from core.hub.reception import Clocks
from core.hub.server import HubLimits, serving
from core.hub.sqlite_store import SqliteStore
from core.net.limits import Rates
from core.wire.codec import MAX_EXCHANGE_ENVELOPES, Reason, encode
from core.wire.exchange import ACCEPTED, MEDIA_TYPE, ExchangeRequest, decode_reply
from tests.envelopes import ANNE, BOB, CAROL, SWARM, UNLIMITED, FakeClock, hostile_envelopes, sealed
from tests.resident import resident

ATTACKS = 10_000
WARM_UP = 2_000
MOST_GROWTH = 20 << 20
EVERYTHING = Rates(UNLIMITED, UNLIMITED, UNLIMITED)
GENEROUS = HubLimits(rates=EVERYTHING)  # every attack is really looked at


def attacks(rng: Random) -> Iterator[bytes]:
    """Bob's hostile envelopes, with a replay of what Anne really sent after every tenth."""
    replay = sealed(ANNE, 1)
    for number, hostile in enumerate(hostile_envelopes(BOB, rng)):
        yield hostile
        if number % 10 == 0:
            yield replay


class Attacker:
    def __init__(self, url: str, session: aiohttp.ClientSession, rng: Random) -> None:
        self.url = url
        self.rng = rng
        self.verdicts: set[str] = set()
        self._session = session
        self._source = attacks(rng)

    async def post(self, body: bytes) -> tuple[int, bytes]:
        url = f"{self.url}/v1/swarms/{SWARM}/exchange"
        headers = {"Content-Type": MEDIA_TYPE}
        async with self._session.post(url, data=BytesIO(body), headers=headers) as response:
            return response.status, await response.read()

    async def attack(self, count: int) -> None:
        """Send ``count`` bad envelopes in batches, and bad requests in between."""
        for start in range(0, count, MAX_EXCHANGE_ENVELOPES):
            size = min(MAX_EXCHANGE_ENVELOPES, count - start)
            batch = tuple(islice(self._source, size))
            body = encode(ExchangeRequest(self.rng.randbytes(32), 8, batch))
            status, reply = await self.post(body)
            assert status == 200
            self.verdicts.update(decode_reply(reply).verdicts)
            status, _ = await self.post(self.rng.randbytes(self.rng.randrange(3_000)))
            assert status == 400
            status, _ = await self.post(body[: self.rng.randrange(len(body))])
            assert status == 400

    async def hang_up(self, times: int) -> None:
        """Begin requests and leave."""
        parts = urlsplit(self.url)
        for _ in range(times):
            _, writer = await asyncio.open_connection(parts.hostname, parts.port)
            writer.write(f"POST /v1/swarms/{SWARM}/exchange HTTP/1.1\r\nContent-".encode())
            await writer.drain()
            writer.transport.abort()


async def test_ten_thousand_attacks_on_a_hub(tmp_path: Path) -> None:
    """None is accepted, honest nodes are served before and after, growth is below 20 MB."""
    clock = FakeClock()
    store = SqliteStore(str(tmp_path / "hub.sqlite"), clock=clock, rng=Random(1))
    async with (
        aclosing(store),
        serving(store, limits=GENEROUS, clocks=Clocks(wall=clock)) as url,
        aiohttp.ClientSession() as session,
    ):
        attacker = Attacker(url, session, Random(2))
        honest = encode(ExchangeRequest(bytes.fromhex(ANNE.peer_id), 0, (sealed(ANNE, 1),)))
        assert decode_reply((await attacker.post(honest))[1]).verdicts == (ACCEPTED,)

        await attacker.attack(WARM_UP)
        before = resident()
        await attacker.attack(ATTACKS)
        await attacker.hang_up(100)
        growth = resident() - before

        ask = encode(ExchangeRequest(bytes.fromhex(CAROL.peer_id), 64, ()))
        reply = decode_reply((await attacker.post(ask))[1])
    assert reply.envelopes == (sealed(ANNE, 1),)
    assert reply.peers == 1
    not_a_hubs_business = {Reason.RULESET, Reason.OWN, Reason.RATE, Reason.MEMBER}
    assert attacker.verdicts == set(Reason) - not_a_hubs_business
    assert growth < MOST_GROWTH
