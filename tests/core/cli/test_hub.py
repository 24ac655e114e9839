"""``waggle hub``; ``end_to_end/test_swarm.py`` runs one for nodes."""

import asyncio
import re
import time
import urllib.error
import urllib.request
from contextlib import ExitStack
from pathlib import Path

import pytest

from core.cli.hub import _announce_swarms
from core.hub.census import Census, Word
from core.net.asking import BoundedQuery, ask, open_session
from core.net.greeting import greet
from core.paths import Home
from core.swarm.dht import discovery as dht_module
from core.swarm.dht import hub_announcing
from core.swarm.dht.discovery import Dht, infohash_of
from core.swarm.dht.session import DhtSettings
from core.wire.codec import MAX_EXCHANGE_BYTES, encode
from core.wire.exchange import MEDIA_TYPE, ExchangeRequest, decode_reply
from core.wire.hello import Hello
from tests.commands import Typed
from tests.envelopes import ANNE, BOB, SWARM, public_key, sealed
from tests.fake_dht_session import FakeSession
from tests.posix import is_private
from tests.redis_server import redis_server
from tests.waggle_process import Process, hub, waggle


async def hello_of(url: str) -> Hello:
    async with open_session() as session:
        return await greet(session, url)


async def exchanged(url: str, request: ExchangeRequest) -> tuple[bytes, ...]:
    """What a hub hands out."""
    question = BoundedQuery(encode(request), MEDIA_TYPE, MAX_EXCHANGE_BYTES)
    async with open_session() as session:
        reply = await ask(session, f"{url}/v1/swarms/{SWARM}/exchange", question)
    return decode_reply(reply).envelopes


def shown(process: Process) -> tuple[str, str]:
    """URL and id that a hub prints when it opens."""
    first, second = (process.out.readline().decode() for _ in range(2))
    url, peer = re.search(r"http://\S+\d", first), re.search(r"[0-9a-f]{64}", second)
    assert url is not None
    assert peer is not None
    return url[0], peer[0]


def test_a_hub_says_where_it_is_and_is_healthy(tmp_path: Path) -> None:
    """The announced address answers, and an interrupt closes it well."""
    with hub(tmp_path) as (process, url):
        with urllib.request.urlopen(f"{url}/healthz", timeout=10) as reply:  # noqa: S310 - loopback
            assert reply.status == 200
        process.interrupt()
        assert process.wait() == 0


def test_a_hub_shows_who_it_is_and_stays_it(tmp_path: Path) -> None:
    """The id that it prints is that of its hello, and the same after a restart."""
    seen = []
    for _ in range(2):
        with waggle(tmp_path, "hub", "--listen", "127.0.0.1:0") as process:
            url, peer = shown(process)
            assert asyncio.run(hello_of(url)).peer_id == peer
            process.interrupt()
            assert process.wait() == 0
            seen.append(peer)
    assert seen[0] == seen[1]
    assert is_private(tmp_path / "hub-identity")


def test_two_hubs_on_one_redis_are_one(tmp_path: Path) -> None:
    """What is left at one front-end is drawn at the other, each with an identity of its own."""
    with redis_server() as redis:
        options = ("hub", "--listen", "127.0.0.1:0", "--store", redis.url)
        with waggle(tmp_path / "a", *options) as one, waggle(tmp_path / "b", *options) as other:
            here, there = shown(one), shown(other)
            assert here[1] != there[1]
            left = sealed(ANNE, 1, time.time())
            asyncio.run(exchanged(here[0], ExchangeRequest(public_key(ANNE), 0, (left,))))
            drawn = asyncio.run(exchanged(there[0], ExchangeRequest(public_key(BOB), 8, ())))
    assert drawn == (left,)


def test_a_redis_that_goes_away_is_no_crash(tmp_path: Path) -> None:
    """The hub is unwell until its store comes back, and says so; nobody sees a traceback."""
    with ExitStack() as redis:
        server = redis.enter_context(redis_server())
        options = ("hub", "--listen", "127.0.0.1:0", "--store", server.url)
        with waggle(tmp_path, *options) as process:
            url, _ = shown(process)
            redis.close()
            for path in ("/healthz", "/metrics"):
                with pytest.raises(urllib.error.HTTPError) as error:
                    urllib.request.urlopen(f"{url}{path}", timeout=30)  # noqa: S310 - loopback
                assert error.value.code == 503
                error.value.close()
            process.interrupt()
            assert process.wait() == 0
    assert "Traceback" not in process.errors()


async def test_the_world_is_told_of_listed_swarms_and_of_those_here(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With ``--announce``: listed ones always, and all others whose nodes came."""
    session = FakeSession()

    def local(state: bytes) -> Dht:
        return Dht(DhtSettings(local=True), state, opener=lambda *_: session)

    monkeypatch.setattr(hub_announcing, "Dht", local)
    monkeypatch.setattr(hub_announcing, "LOOK_EVERY_S", 0.01)
    monkeypatch.setattr(dht_module, "_LONELY_S", 0.05)
    census = Census(time.monotonic)
    census.hear("pond", ANNE.peer_id, "192.0.2.7", Word(1, None))
    wanted = {("announce", infohash_of(name), 8_765) for name in ("meadow", "pond")}
    with pytest.raises(TimeoutError):  # it never ends by itself
        async with asyncio.timeout(0.5):
            await _announce_swarms(Home(tmp_path), census, 8_765)
    assert wanted <= set(session.done)
    assert (tmp_path / "dht").read_bytes() == session.saved


@pytest.mark.parametrize(
    ("words", "example"),
    [
        (["--listen", "nowhere"], "0.0.0.0:8765"),
        (["--listen", "127.0.0.1:99999"], "0.0.0.0:8765"),
        (["--listen", ":80"], "0.0.0.0:8765"),
        (["--listen", "127.0.0.1:0", "--store", "postgres://x"], "Write it like"),
        (["--listen", "127.0.0.1:0", "--url", "hub.example.org"], "Write it like"),
    ],
)
def test_words_that_are_none_are_wrong_usage(words: list[str], example: str, typed: Typed) -> None:
    """The sentence shows what an address, a store or a URL looks like."""
    told = typed("hub", *words)
    assert told.code == 2
    assert example in told.err
