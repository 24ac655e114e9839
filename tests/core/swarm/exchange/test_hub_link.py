"""The line to one hub, with hubs that misbehave in every way that HTTP allows."""

import asyncio
import zlib
from collections.abc import Iterator
from contextlib import closing
from random import Random

import aiohttp
import pytest

from core.net import asking
from core.net.addresses import parse_hub_url
from core.net.asking import IMPOSTOR, open_session
from core.net.limits import TokenBuckets
from core.rollouts.types import PeerId
from core.swarm.backoff import Timing
from core.swarm.exchange.hub_link import (
    BUSY_S,
    GREET_EVERY_S,
    OTHER_VERSION,
    TAKES_NOTHING_S,
    HubLink,
    Wish,
)
from core.swarm.exchange.outbox import Letter, Outbox
from core.wire.codec import (
    AUTHOR_RATE,
    AUTHOR_SLOTS,
    ITEM_LIFE_S,
    MAX_EXCHANGE_BYTES,
    PROTOCOL,
    Reason,
    encode,
)
from core.wire.exchange import MEDIA_TYPE, ExchangeReply, ExchangeRequest
from tests.envelopes import ANNE, BOB, NOW, SWARM, FakeClock, public_key, sealed
from tests.present import present
from tests.rogue_hub import Answer, handing_out, ok, rogue_hub

ASKER = public_key(ANNE)
EMPTY = encode(ExchangeReply(0, (), ()))
WISH = Wish(ASKER, 5)


@pytest.fixture
def outbox() -> Iterator[Outbox]:
    with closing(Outbox(None, SWARM)) as opened:
        yield opened


def link_to(url: str, clock: FakeClock | None = None, peer: PeerId | None = None) -> HubLink:
    clock = clock or FakeClock()
    return HubLink(parse_hub_url(url), SWARM, Timing(clock, clock, Random(1)), peer)


def letters(*numbers: int) -> list[Letter]:
    return [Letter(number, NOW, sealed(ANNE, number)) for number in numbers]


def dawdling(asked: asyncio.Event) -> Answer:
    """A hub that tells when it was asked, and says nothing."""

    def answer(_: ExchangeRequest) -> bytes:
        asked.set()
        return b""

    return answer


async def test_an_exchange_empties_the_outbox(outbox: Outbox) -> None:
    """What the hub gave a verdict on, good or bad, is not sent again."""
    outbox.put(letters(1, 2))
    async with rogue_hub(handing_out(sealed(BOB, 1), peers=3)) as hub, open_session() as session:
        link = link_to(hub.url)
        assert not link.holds_ours()
        reply = present(await link.exchange(session, WISH, outbox))
        assert (reply.peers, reply.envelopes) == (3, (sealed(BOB, 1),))
        assert link.holds_ours()
        await link.exchange(session, Wish(ASKER, 0), outbox)
    first, second = hub.asked
    assert (first.author, first.want) == (ASKER, 5)
    assert first.envelopes == (sealed(ANNE, 1), sealed(ANNE, 2))
    assert second.envelopes == ()


async def test_verdicts_are_counted_within_bounds(outbox: Outbox) -> None:
    """A hub cannot fill memory with reasons of its own invention."""
    async with rogue_hub(handing_out(verdict="clock")) as hub, open_session() as session:
        link = link_to(hub.url)
        outbox.put(letters(1))
        await link.exchange(session, WISH, outbox)
        assert link.refused == {"clock": 1}
        found = [link.clock_is_wrong]
        await link.exchange(session, WISH, outbox)
        assert [*found, link.clock_is_wrong] == [True, None], "then nothing was sent"
        assert not link.holds_ours()
        for number in range(2, 100):
            hub.answer = handing_out(verdict=f"because {number}")
            outbox.put(letters(number))
            await link.exchange(session, WISH, outbox)
        assert link.refused == {"clock": 1, "other": 98}
        assert not link.clock_is_wrong


async def test_what_a_hub_holds_is_sure_for_half_its_life(outbox: Outbox) -> None:
    """After that it may be gone from there, and the hub is not to blame."""
    clock = FakeClock()
    outbox.put(letters(1))
    async with rogue_hub(handing_out()) as hub, open_session() as session:
        link = link_to(hub.url, clock)
        await link.exchange(session, WISH, outbox)
        clock.advance(ITEM_LIFE_S / 2 - 1)
        assert link.holds_ours()
        clock.advance(1)
        assert not link.holds_ours()
        clock.now = NOW - 1
        assert not link.holds_ours(), "nor is anything sure after the clock was turned back"


async def test_a_hub_that_long_refuses_everything_is_known(outbox: Outbox) -> None:
    """Once it was offered something all the while, whatever it says; until it takes something."""
    clock = FakeClock()
    async with rogue_hub(handing_out(verdict="rate")) as hub, open_session() as session:
        link = link_to(hub.url, clock)
        outbox.put(letters(1))
        seen = []
        for seconds in (TAKES_NOTHING_S - 1, 1, 0):
            await link.exchange(session, WISH, outbox)
            clock.advance(seconds)
            seen.append(link.takes_nothing())
        assert seen == [False, False, True]
        hub.answer = handing_out()
        await link.exchange(session, WISH, outbox)
        assert not link.takes_nothing()
        clock.advance(TAKES_NOTHING_S)
        await link.exchange(session, WISH, outbox)
        assert not link.takes_nothing(), "nothing was offered"


async def test_what_somebody_else_brought_first_is_not_ours_there(outbox: Outbox) -> None:
    """It lies at that place, so its absence accuses nobody; who always says so takes nothing."""
    clock = FakeClock()
    async with rogue_hub(handing_out(verdict=Reason.REPLAYED)) as hub, open_session() as session:
        link = link_to(hub.url, clock)
        for number in (1, 2):
            outbox.put([Letter(number, clock(), sealed(ANNE, number))])
            await link.exchange(session, WISH, outbox)
            clock.advance(TAKES_NOTHING_S)
        assert (link.holds_ours(), link.takes_nothing()) == (False, True)
        hub.answer = judging(Reason.REPLAYED, "ok")
        outbox.put([Letter(number, clock(), sealed(ANNE, number)) for number in (3, 4)])
        await link.exchange(session, WISH, outbox)
        assert (link.holds_ours(), link.takes_nothing()) == (True, False)


async def test_two_refusals_long_after_one_another_are_none_all_the_while(outbox: Outbox) -> None:
    """A hub that was busy in the evening and is busy in the morning may have been free between."""
    clock = FakeClock()
    async with rogue_hub(handing_out(verdict="rate")) as hub, open_session() as session:
        link = link_to(hub.url, clock)
        seen = []
        for number, seconds in enumerate((TAKES_NOTHING_S + 1, TAKES_NOTHING_S, 0), start=1):
            outbox.put([Letter(number, clock(), sealed(ANNE, number))])
            await link.exchange(session, WISH, outbox)
            clock.advance(seconds)
            seen.append(link.takes_nothing())
        assert (seen, len(hub.asked)) == ([False, False, True], 3)


async def test_a_sample_sends_nothing(outbox: Outbox) -> None:
    """Not even what waits."""
    outbox.put(letters(1))
    async with rogue_hub(handing_out(sealed(BOB, 1))) as hub, open_session() as session:
        reply = present(await link_to(hub.url).sample(session, Wish(bytes(32), 16)))
        assert reply.envelopes == (sealed(BOB, 1),)
    assert (hub.asked[0].author, hub.asked[0].want) == (bytes(32), 16)
    assert hub.asked[0].envelopes == ()


async def test_what_becomes_of_a_sample_says_nothing_of_exchanges(outbox: Outbox) -> None:
    """Refused, or left once the round is over: the next exchange is made at once, and in full."""
    async with rogue_hub(handing_out()) as hub, open_session() as session:
        link, asked = link_to(hub.url), asyncio.Event()
        assert await link.exchange(session, WISH, outbox) is not None
        outbox.put(letters(*range(1, 41)))
        hub.answer, hub.stays = dawdling(asked), True
        async with asyncio.TaskGroup() as group:
            sample = group.create_task(link.sample(session, WISH))
            await asked.wait()
            sample.cancel()
        hub.answer = said(b"HTTP/1.1 500 Oops\r\nContent-Length: 0\r\n\r\n")
        assert await link.sample(session, WISH) is None
        assert (link.answers, link.failure) == (True, "")
        hub.answer, hub.stays = handing_out(), False
        assert await link.exchange(session, WISH, outbox) is not None
    assert len(hub.asked[-1].envelopes) == 40


async def test_the_right_hub_is_greeted_now_and_then(outbox: Outbox) -> None:
    """Once, and again after some minutes, after a failure, and when the clock was set."""
    clock = FakeClock()
    async with rogue_hub(handing_out()) as hub, open_session() as session:
        link = link_to(hub.url, clock, hub.identity.peer_id)
        for _ in range(3):
            assert await link.exchange(session, WISH, outbox) is not None
        assert hub.greeted == 1
        clock.advance(GREET_EVERY_S)
        assert await link.exchange(session, WISH, outbox) is not None
        assert hub.greeted == 2
        hub.answer = said(b"")
        assert await link.exchange(session, WISH, outbox) is None
        clock.advance(2)
        hub.answer = handing_out()
        assert await link.exchange(session, WISH, outbox) is not None
        assert hub.greeted == 3
        clock.now = clock.now - 3_600
        assert await link.exchange(session, WISH, outbox) is not None
        assert hub.greeted == 4


async def test_the_hubs_clock_is_compared(outbox: Outbox) -> None:
    """And once this one was set, it is compared anew."""
    clock = FakeClock(NOW - 400)
    async with rogue_hub(handing_out()) as hub, open_session() as session:
        link = link_to(hub.url, clock)
        seen = [link.ahead_s]
        for _ in range(2):
            await link.exchange(session, WISH, outbox)
            seen.append(link.ahead_s)
            clock.advance(400)
        assert seen == [None, 400, 0]


async def test_an_impostor_is_told_nothing(outbox: Outbox) -> None:
    """Another key than the invite's: neither envelopes nor who asks reach it."""
    clock = FakeClock()
    outbox.put(letters(1))
    async with rogue_hub(handing_out()) as hub, open_session() as session:
        link = link_to(hub.url, clock, BOB.peer_id)
        assert await link.exchange(session, WISH, outbox) is None
        found = [link.failure]
        clock.advance(2)
        assert await link.sample(session, WISH) is None
        assert (hub.greeted, hub.asked) == (2, [])
        hub.identity = BOB
        clock.advance(60)
        assert await link.exchange(session, WISH, outbox) is not None
        assert [*found, link.failure] == [IMPOSTOR, ""]
        assert hub.asked[0].envelopes == (sealed(ANNE, 1),)


async def test_a_hello_that_nobody_waits_for_proves_nothing(outbox: Outbox) -> None:
    """Who takes the place of a known hub and stalls until it is left is asked again who it is."""
    clock = FakeClock()
    async with rogue_hub(handing_out()) as hub, open_session() as session:
        link = link_to(hub.url, clock, hub.identity.peer_id)
        assert await link.exchange(session, WISH, outbox) is not None
        clock.advance(GREET_EVERY_S)
        hub.identity, hub.stalls = BOB, asyncio.Event()
        async with asyncio.TaskGroup() as group:
            exchange = group.create_task(link.exchange(session, WISH, outbox))
            await hub.stalls.wait()
            exchange.cancel()
        hub.stalls = None
        clock.advance(1)
        outbox.put(letters(1))
        assert await link.exchange(session, WISH, outbox) is None
        assert (hub.greeted, link.failure) == (3, IMPOSTOR)
        assert [asked.envelopes for asked in hub.asked] == [()]


@pytest.mark.parametrize("lack", ["no hello", "a node"])
async def test_what_is_no_hub_is_told_nothing(lack: str, outbox: Outbox) -> None:
    """A web server without a hello, or a node that answers in a hub's place."""
    outbox.put(letters(1))
    async with rogue_hub(handing_out()) as hub, open_session() as session:
        hub.greets = lack != "no hello"
        hub.kind = "node" if lack == "a node" else "hub"
        assert await link_to(hub.url).exchange(session, WISH, outbox) is None
        assert (hub.greeted, hub.asked) == (1, [])


async def test_a_broken_outbox_keeps_nothing_from_being_heard(
    outbox: Outbox, caplog: pytest.LogCaptureFixture
) -> None:
    """What others tried comes all the same, and the log says what is wrong."""
    outbox.put(letters(1))
    async with rogue_hub(handing_out(sealed(BOB, 1))) as hub, open_session() as session:
        link = link_to(hub.url)
        outbox._db.execute("PRAGMA query_only = ON")  # noqa: SLF001 - a disk that became read-only
        reply = present(await link.exchange(session, WISH, outbox))
        assert reply.envelopes == (sealed(BOB, 1),)
        outbox.close()
        assert await link.exchange(session, WISH, outbox) is not None
    assert caplog.text.count("Move it away") == 2
    assert [len(asked.envelopes) for asked in hub.asked] == [1, 0]


async def test_the_log_quotes_no_hub(outbox: Outbox, caplog: pytest.LogCaptureFixture) -> None:
    """Only what kind of failure it was: a hub may say anything, at any length."""
    async with rogue_hub(said(b"What I say\r\n\r\n")) as hub, open_session() as session:
        assert await link_to(hub.url).exchange(session, WISH, outbox) is None
    assert f"{hub.url}: away (ClientResponseError: status 400)" in caplog.text
    assert "What I say" not in caplog.text


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
    "a store that fails": said(b"HTTP/1.1 503 No\r\nContent-Length: 5\r\n\r\nstore"),
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
    "a verdict too many": said(ok(encode(ExchangeReply(0, ("ok",) * 2, ())))),
    "no verdict": said(ok(EMPTY)),
}


BREAKING = {"silence", "half a body"}


@pytest.mark.parametrize("rogue", ROGUES)
async def test_a_rogue_hub_is_a_hub_that_is_away(rogue: str, outbox: Outbox) -> None:
    """Whatever it says: no error, no answer, nothing lost, and it is left alone for a while."""
    clock = FakeClock()
    outbox.put(letters(1))
    async with rogue_hub(ROGUES[rogue]) as hub, open_session() as session:
        link = link_to(hub.url, clock)
        assert await link.exchange(session, WISH, outbox) is None
        asked = len(hub.asked)
        assert asked == 1 + (rogue in BREAKING), "where the connection broke, once more"
        assert await link.exchange(session, WISH, outbox) is None
        assert len(hub.asked) == asked, "in the meantime it is not asked"
        clock.advance(2)
        hub.answer = handing_out(sealed(BOB, 1))
        assert await link.exchange(session, WISH, outbox) is not None
        assert hub.asked[-1].envelopes == (sealed(ANNE, 1),)


@pytest.mark.parametrize("why", [b"429 Slowly", b"503 Full"])
async def test_a_hub_that_is_asked_too_much_is_asked_again_soon(outbox: Outbox, why: bytes) -> None:
    """However often it says so, and without another hello, which would be one request more."""
    clock = FakeClock()
    async with rogue_hub(handing_out(peers=3)) as hub, open_session() as session:
        link = link_to(hub.url, clock)
        assert await link.exchange(session, WISH, outbox) is not None
        word = b"rate" if why.startswith(b"429") else b"busy"
        kind = b"Content-Type: text/plain\r\nContent-Length: 4"
        hub.answer = said(b"HTTP/1.1 " + why + b"\r\n" + kind + b"\r\n\r\n" + word)
        for _ in range(10):
            asked = len(hub.asked)
            assert await link.exchange(session, WISH, outbox) is None
            assert (len(hub.asked), link.failure, link.peers) == (asked + 1, Reason.RATE, 3)
            clock.advance(BUSY_S)
        assert hub.greeted == 1
        asked_again = asyncio.Event()
        hub.answer, hub.stays = dawdling(asked_again), True
        async with asyncio.TaskGroup() as group:
            exchange = group.create_task(link.exchange(session, WISH, outbox))
            await asked_again.wait()
            exchange.cancel()
        assert link.failure == "", "whoever says nothing does not say that"


async def test_a_silent_hub_does_not_hold_up_the_round(
    outbox: Outbox, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whoever does not answer within the time limit is away."""
    assert asking.TIMEOUT.total == 5.0
    monkeypatch.setattr(asking, "TIMEOUT", aiohttp.ClientTimeout(total=0.3))
    async with rogue_hub(handing_out()) as hub, open_session() as session:
        hub.answering = False
        assert await link_to(hub.url).exchange(session, WISH, outbox) is None
        assert len(hub.asked) == 1


async def test_an_exchange_that_nobody_waits_for_has_failed(outbox: Outbox) -> None:
    """The hub is left alone for a while, then gets fewer letters at once.

    Those that arrived all the same are not sent again when it says that it has them.
    """
    clock, asked = FakeClock(), asyncio.Event()
    outbox.put(letters(*range(1, 41)))
    async with rogue_hub(dawdling(asked)) as hub, open_session() as session:
        hub.stays = True
        link = link_to(hub.url, clock)
        async with asyncio.TaskGroup() as group:
            exchange = group.create_task(link.exchange(session, WISH, outbox))
            await asked.wait()
            exchange.cancel()
        assert exchange.cancelled()
        hub.answer, hub.stays = handing_out(verdict=Reason.REPLAYED), False
        assert await link.exchange(session, WISH, outbox) is None
        clock.advance(1)
        assert await link.exchange(session, WISH, outbox) is not None
        assert hub.greeted == 1, "it is known who is there"
        clock.advance(TAKES_NOTHING_S)
        for _ in range(2):
            assert await link.exchange(session, WISH, outbox) is not None
        assert not link.takes_nothing()
    assert [len(one.envelopes) for one in hub.asked] == [40, 32, 8, 0]


@pytest.mark.parametrize("url", ["http://127.0.0.1:1", "http://no-such-host.invalid"])
async def test_nobody_there_is_no_error(url: str, outbox: Outbox) -> None:
    """A closed port or an unknown name is a hub that is away."""
    async with open_session() as session:
        link = link_to(url)
        assert await link.exchange(session, WISH, outbox) is None
        assert link.ahead_s is None


def judging(*verdicts: str) -> Answer:
    """A hub with these verdicts on the letters of one exchange, as far as there are so many."""
    return lambda request: ok(encode(ExchangeReply(0, verdicts[: len(request.envelopes)], ())))


async def test_what_came_too_fast_is_sent_again(outbox: Outbox) -> None:
    """From the first letter on that was refused for its pace, and fewer of them at once."""
    outbox.put(letters(*range(1, 31)))
    some = judging(*["ok"] * 10, *[Reason.RATE] * 20)
    async with rogue_hub(some) as hub, open_session() as session:
        link = link_to(hub.url)
        await link.exchange(session, WISH, outbox)
        hub.answer = handing_out(verdict=Reason.RATE)
        await link.exchange(session, WISH, outbox)
        hub.answer = handing_out()
        for _ in range(3):
            await link.exchange(session, WISH, outbox)
    sent = [one.envelopes for one in hub.asked]
    assert [len(one) for one in sent] == [30, 10, 8, 12, 0]
    assert sent[1] == sent[0][10:20]
    assert sent[2] + sent[3] == sent[0][10:]


async def test_what_a_hub_gets_is_fresh_however_much_is_written(outbox: Outbox) -> None:
    """Twenty a second, as a starter does, of which a hub takes eight: none waits for its turn."""
    clock, a_second = FakeClock(), 20
    bucket, ages = TokenBuckets(AUTHOR_RATE, clock), list[float]()

    def at_its_rate(request: ExchangeRequest) -> bytes:
        verdicts = ["ok" if bucket.take(SWARM) else Reason.RATE for _ in request.envelopes]
        for data, verdict in zip(request.envelopes, verdicts, strict=True):
            ages.extend([clock() - float(data)] if verdict == "ok" else [])
        return judging(*verdicts)(request)

    async with rogue_hub(at_its_rate) as hub, open_session() as session:
        link = link_to(hub.url, clock)
        for half in range(180):
            written = range(half * a_second // 2, (half + 1) * a_second // 2)
            outbox.put([Letter(one, clock(), b"%f" % clock()) for one in written])
            await link.exchange(session, WISH, outbox)
            clock.advance(0.5)
    assert len(ages) > 90 * AUTHOR_RATE.per_second
    assert max(ages) <= AUTHOR_SLOTS / a_second


async def test_the_clock_is_no_last_word(outbox: Outbox) -> None:
    """A letter that was refused for it comes again, under a new time."""
    outbox.put(letters(1, 2))
    async with rogue_hub(handing_out(verdict=Reason.CLOCK)) as hub, open_session() as session:
        link = link_to(hub.url)
        await link.exchange(session, WISH, outbox)
        await link.exchange(session, WISH, outbox)
        later = letters(3, 4)
        outbox.refresh(NOW + 600, lambda _: later.pop(0))
        await link.exchange(session, WISH, outbox)
    assert [len(asked.envelopes) for asked in hub.asked] == [2, 0, 2]


async def test_a_hub_of_another_release_is_told_nothing_and_known_as_such(outbox: Outbox) -> None:
    """So that the person hears what to do, and nothing is sent that nobody could read."""
    outbox.put(letters(1))
    async with rogue_hub(handing_out()) as hub, open_session() as session:
        for version in (PROTOCOL - 1, PROTOCOL + 1):
            hub.version = version
            link = link_to(hub.url)
            assert await link.exchange(session, WISH, outbox) is None
            assert link.failure == OTHER_VERSION
        assert hub.asked == []
