"""The line to one hub, with hubs that misbehave in every way that HTTP allows."""

import zlib
from random import Random

import aiohttp
import pytest

from core.errors import UsageError
from core.swarm import hub_link
from core.swarm.backoff import Timing
from core.swarm.hub_link import HubAddress, HubLink, open_session, parse_hub_url
from core.swarm.outbox import Letter
from core.wire.codec import MAX_EXCHANGE_BYTES
from core.wire.exchange import MEDIA_TYPE, ExchangeReply, encode_exchange
from tests.envelopes import ANNE, BOB, NOW, SWARM, FakeClock, sealed
from tests.rogue_hub import Answer, handing_out, ok, rogue_hub

ASKER = bytes.fromhex(ANNE.peer_id)
EMPTY = encode_exchange(ExchangeReply(0, (), ()))


def link_to(url: str, clock: FakeClock | None = None) -> HubLink:
    clock = clock or FakeClock()
    return HubLink(parse_hub_url(url), SWARM, Timing(clock, clock, Random(1)))


@pytest.mark.parametrize(
    ("url", "address"),
    [
        ("http://127.0.0.1:8765", HubAddress("http://127.0.0.1:8765", "127.0.0.1")),
        ("https://hub.example.org/", HubAddress("https://hub.example.org", "hub.example.org")),
        ("https://example.org/waggle/", HubAddress("https://example.org/waggle", "example.org")),
        ("http://[::1]:80", HubAddress("http://[::1]:80", "::1")),
    ],
)
def test_addresses_of_hubs(url: str, address: HubAddress) -> None:
    """With or without port, path and slash."""
    assert parse_hub_url(url) == address


@pytest.mark.parametrize(
    "url",
    [
        "",
        "example.org",
        "ftp://example.org",
        "file:///etc/passwd",
        "http://",
        "http://user:password@example.org",
        "http://example.org?x=1",
        "http://example.org#x",
        "http://example.org:99999",
        "http://example.org:port",
        "http://exa mple.org",
        "http://example.org/\r\nX: y",
        "http://[::1",
        "http://" + "a" * 64 + ".org",
        "http://" + "a." * 200 + "org",
        "http://a..b",
    ],
)
def test_what_is_no_address_is_wrong_usage(url: str) -> None:
    """With an example of a right one."""
    with pytest.raises(UsageError, match="Write it like"):
        parse_hub_url(url)


async def test_an_exchange_empties_the_outbox() -> None:
    """What the hub gave a verdict on, good or bad, is not sent again."""
    data = [sealed(ANNE, 1), sealed(ANNE, 2)]
    async with rogue_hub(handing_out(sealed(BOB, 1), peers=3)) as hub, open_session() as session:
        link = link_to(hub.url)
        link.put([Letter(NOW, one) for one in data])
        reply = await link.exchange(session, ASKER, 5)
        assert reply is not None
        assert (reply.peers, reply.envelopes) == (3, (sealed(BOB, 1),))
        await link.exchange(session, ASKER, 0)
    first, second = hub.asked
    assert (first.author, first.want, first.envelopes) == (ASKER, 5, tuple(data))
    assert second.envelopes == ()


async def test_verdicts_are_counted_within_bounds() -> None:
    """A hub cannot fill memory with reasons of its own invention."""
    async with rogue_hub(handing_out(verdict="clock")) as hub, open_session() as session:
        link = link_to(hub.url)
        link.put([Letter(NOW, sealed(ANNE, 1))])
        await link.exchange(session, ASKER, 0)
        assert link.refused == {"clock": 1}
        assert link.clock_is_wrong
        hub.answer = handing_out(verdict="because")
        link.put([Letter(NOW, sealed(ANNE, 2))])
        await link.exchange(session, ASKER, 0)
        assert link.refused == {"clock": 1, "other": 1}
        assert not link.clock_is_wrong


def said(raw: bytes) -> Answer:
    return lambda _: raw


bomb = zlib.compress(bytes(1 << 20))
chunked = b"HTTP/1.1 200 OK\r\nContent-Type: " + MEDIA_TYPE.encode() + b"\r\n"
chunked += b"Transfer-Encoding: chunked\r\n\r\n"

ROGUES = {
    "silence": said(b""),
    "noise": said(b"\x16\x03\x01" * 100),
    "an error": said(b"HTTP/1.1 500 Oops\r\nContent-Length: 0\r\n\r\n"),
    "too many requests": said(b"HTTP/1.1 429 Slowly\r\nContent-Length: 0\r\n\r\n"),
    "a redirect": said(
        b"HTTP/1.1 307 There\r\nLocation: http://127.0.0.1:1/\r\nContent-Length: 0\r\n\r\n"
    ),
    "a login page": said(ok(EMPTY, media="text/html")),
    "an empty body": said(ok(b"")),
    "another message": said(ok(sealed(BOB, 1))),
    "half a body": said(ok(EMPTY)[:-1]),
    "a zip bomb": said(ok(bomb, extra="Content-Encoding: deflate\r\n")),
    "a giant announced": said(ok(b"").replace(b"Length: 0", b"Length: 99999999999")),
    "a giant sent": said(ok(bytes(MAX_EXCHANGE_BYTES + 1))),
    "an endless body": said(chunked + (b"10000\r\n" + bytes(1 << 16) + b"\r\n") * 80),
    "a giant header": said(ok(EMPTY, extra="X: " + "y" * 100_000 + "\r\n")),
    "a verdict too many": said(ok(encode_exchange(ExchangeReply(0, ("ok",) * 2, ())))),
    "no verdict": said(ok(EMPTY)),
}


@pytest.mark.parametrize("rogue", ROGUES)
async def test_a_rogue_hub_is_a_hub_that_is_away(rogue: str) -> None:
    """Whatever it says: no error, no answer, nothing lost, and it is left alone for a while."""
    clock = FakeClock()
    async with rogue_hub(ROGUES[rogue]) as hub, open_session() as session:
        link = link_to(hub.url, clock)
        link.put([Letter(NOW, sealed(ANNE, 1))])
        assert await link.exchange(session, ASKER, 5) is None
        assert await link.exchange(session, ASKER, 5) is None
        assert len(hub.asked) == 1, "in the meantime it is not asked"
        clock.advance(2)
        hub.answer = handing_out(sealed(BOB, 1))
        reply = await link.exchange(session, ASKER, 5)
        assert reply is not None
        assert hub.asked[-1].envelopes == (sealed(ANNE, 1),)


async def test_a_silent_hub_does_not_hold_up_the_round(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whoever does not answer within the time limit is away."""
    assert hub_link.TIMEOUT.total == 5.0
    monkeypatch.setattr(hub_link, "TIMEOUT", aiohttp.ClientTimeout(total=0.1))
    async with rogue_hub(handing_out()) as hub, open_session() as session:
        hub.answering = False
        assert await link_to(hub.url).exchange(session, ASKER, 5) is None


@pytest.mark.parametrize("url", ["http://127.0.0.1:1", "http://no-such-host.invalid"])
async def test_nobody_there_is_no_error(url: str) -> None:
    """A closed port or an unknown name is a hub that is away."""
    async with open_session() as session:
        assert await link_to(url).exchange(session, ASKER, 5) is None
