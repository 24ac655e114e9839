"""What a hub does with a request, bytes in and bytes out."""

from collections import Counter
from collections.abc import AsyncIterator, Sequence
from contextlib import aclosing
from random import Random

import pytest

from core.errors import WireError
from core.hub.census import Census
from core.hub.reception import LABEL_LIFE_S, Clocks, Labels, Reception
from core.hub.sqlite_store import MEMORY, SqliteStore
from core.hub.store import Sample, StoreLimits
from core.net.limits import Rates
from core.rollouts.types import PeerId
from core.wire.codec import AUTHOR_RATE, PLACE_BYTES, SITE_AUTHORS, Rate, Reason, encode
from core.wire.envelope import seal
from core.wire.exchange import ExchangeReply, ExchangeRequest, decode_reply
from core.wire.identity import Identity
from tests.envelopes import (
    ANNE,
    BOB,
    CAROL,
    NOW,
    PLAIN_PAYLOAD,
    SWARM,
    FakeClock,
    group,
    identity,
    plain_header,
    public_key,
    sealed,
    signed,
    stamp,
)

SITE = "192.0.2.7"
LABELS = Labels(CAROL)


class Desk:
    """A reception with a clock to turn."""

    def __init__(self, store: SqliteStore, clock: FakeClock, rates: Rates) -> None:
        self.clock = clock
        self.reception = Reception(store, rates, Clocks(clock, clock), LABELS, Census(clock))

    async def ask(
        self, who: Identity, sent: Sequence[bytes] = (), want: int = 8, site: str = SITE
    ) -> ExchangeReply:
        request = ExchangeRequest(bytes.fromhex(who.peer_id), want, tuple(sent))
        return decode_reply(await self.reception.serve(SWARM, encode(request), site))


@pytest.fixture
async def desk() -> AsyncIterator[Desk]:
    clock = FakeClock()
    async with aclosing(SqliteStore(MEMORY, clock=clock, rng=Random(1))) as store:
        yield Desk(store, clock, Rates())


async def test_two_nodes_meet(desk: Desk) -> None:
    """What one brings the other one takes along, byte for byte, and never its own."""
    of_anne, of_bob = sealed(ANNE, 1), sealed(BOB, 1)
    here = [LABELS.told(public_key(who), LABELS.kept(SITE), NOW) for who in (ANNE, BOB)]
    nobody = ExchangeReply(0, ("ok",), (), (), (here[0],))
    assert await desk.ask(ANNE, [of_anne]) == nobody
    found = ExchangeReply(1, ("ok",), (of_anne,), (), (here[1], here[1]))
    assert await desk.ask(BOB, [of_bob]) == found
    found = ExchangeReply(1, (), (of_bob,), (), (here[0], here[0]))
    assert await desk.ask(ANNE) == found
    tally = desk.reception.tally
    assert (tally.accepted, tally.served, tally.exchanges) == (2, 2, 3)


async def test_bad_envelopes_do_not_spoil_good_ones(desk: Desk) -> None:
    """Each envelope has its own verdict, in the order in which they were sent."""
    good = sealed(ANNE, 5)
    sent = [
        b"junk",
        good,
        good[:-1] + b"\x00",
        good,
        sealed(ANNE, 4),
        sealed(ANNE, 6, NOW - 700),
        signed(ANNE, plain_header(ANNE, 7), [*PLAIN_PAYLOAD, "answer"]),
        sealed(ANNE, 8),
    ]
    reply = await desk.ask(ANNE, sent)
    assert reply.verdicts == (
        "schema", "ok", "digest", "replayed", "ok", "clock", "schema", "ok",
    )  # fmt: skip
    assert (await desk.ask(BOB)).peers == 1
    assert desk.reception.tally.rejected == {"schema": 2, "digest": 1, "replayed": 1, "clock": 1}


async def test_what_is_no_request_is_refused_as_a_whole(desk: Desk) -> None:
    """Bytes of another kind raise, and change nothing."""
    for body in (b"", b"\x00", sealed(ANNE, 1), encode(ExchangeReply(0, (), ()))):
        with pytest.raises(WireError):
            await desk.reception.serve(SWARM, body, SITE)
    assert (await desk.ask(BOB)).peers == 0


async def test_an_author_is_kept_to_its_rate(desk: Desk) -> None:
    """Beyond its burst an author waits; others at the same address do not."""
    sent = [sealed(ANNE, n) for n in range(1, AUTHOR_RATE.burst + 2)]
    verdicts = [
        v for i in range(0, 129, 43) for v in (await desk.ask(ANNE, sent[i:][:43])).verdicts
    ]
    assert verdicts == ["ok"] * AUTHOR_RATE.burst + ["rate"]
    assert (await desk.ask(BOB, [sealed(BOB, 1)])).verdicts == ("ok",)
    desk.clock.advance(1)
    assert (await desk.ask(ANNE, [sealed(ANNE, 500)])).verdicts == ("ok",)


async def test_replaying_somebody_does_not_silence_them(desk: Desk) -> None:
    """Whoever sends Anne's envelopes from elsewhere uses up their own allowance, not hers."""
    first = sealed(ANNE, 1)
    await desk.ask(ANNE, [first])
    for _ in range(4):
        await desk.ask(CAROL, [first] * 64, site="198.51.100.9")
    assert (await desk.ask(ANNE, [sealed(ANNE, 2)])).verdicts == ("ok",)


async def test_a_key_in_ever_new_swarms_is_as_many_authors(desk: Desk) -> None:
    """The sequences that each took are remembered, and pushed out those of everybody else."""
    verdicts = Counter[str]()
    for number in range(SITE_AUTHORS + 9):
        swarm = f"swarm{number}"
        sent = seal(ANNE, group(ANNE.peer_id), stamp(1, swarm=swarm))
        request = encode(ExchangeRequest(public_key(ANNE), 0, (sent,)))
        verdicts.update(decode_reply(await desk.reception.serve(swarm, request, SITE)).verdicts)
    assert verdicts == {"ok": SITE_AUTHORS, "rate": 9}
    again = [sealed(ANNE, 1)]
    assert (await desk.ask(ANNE, again, site="198.51.100.9")).verdicts == ("ok",)


async def test_an_address_is_kept_to_its_rate() -> None:
    """Making up new authors does not help: envelopes are counted per address, too."""
    clock = FakeClock()
    rates = Rates(address_envelopes=Rate(1, 3), address_exchanges=Rate(1, 2))
    async with aclosing(SqliteStore(MEMORY, clock=clock)) as store:
        desk = Desk(store, clock, rates)
        reply = await desk.ask(ANNE, [sealed(ANNE, n) for n in range(1, 6)])
        assert reply.verdicts == ("ok", "ok", "ok", "rate", "rate")
        assert (await desk.ask(BOB, [sealed(BOB, 1)])).verdicts == ("rate",)
        assert (await desk.ask(BOB, [sealed(BOB, 1)], site="elsewhere")).verdicts == ("ok",)
        assert [desk.reception.admits(SITE) for _ in range(3)] == [True, True, False]


async def test_a_network_of_many_addresses_is_kept_to_four_times_that() -> None:
    """An IPv6 network has 65,536 of them, at no price."""
    clock = FakeClock()
    rates = Rates(address_envelopes=Rate(1, 3), address_exchanges=Rate(1, 2))
    sites = [f"2a01:4f8:1:{number}::/64" for number in range(10)]
    async with aclosing(SqliteStore(MEMORY, clock=clock)) as store:
        desk = Desk(store, clock, rates)
        verdicts = Counter[str]()
        for number, site in enumerate(sites):
            sent = [sealed(identity(number), sequence) for sequence in range(1, 4)]
            verdicts.update((await desk.ask(identity(number), sent, site=site)).verdicts)
        assert verdicts == {"ok": 12, "rate": 18}
        assert sum(desk.reception.admits(site) for site in sites) == 8
        assert (await desk.ask(ANNE, [sealed(ANNE, 9)])).verdicts == ("ok",)


async def test_reasons_are_known_words(desk: Desk) -> None:
    """Verdicts are few and fixed, so that they can be counted without bound."""
    reply = await desk.ask(ANNE, [bytes([n]) * n for n in range(64)])
    assert set(reply.verdicts) <= {reason.value for reason in Reason}


async def test_verdicts_stay_with_their_envelopes_when_the_rate_refills_meanwhile() -> None:
    """After the first that is too much the rest is refused as well, so that none is mixed up."""
    clock = FakeClock()

    def ticking() -> float:
        clock.advance(0.4)
        return clock()

    async with aclosing(SqliteStore(MEMORY, clock=clock, rng=Random(1))) as store:
        rates = Rates(address_envelopes=Rate(1.0, 3))
        reception = Reception(store, rates, Clocks(clock, ticking), LABELS, Census(clock))
        sent = tuple(sealed(ANNE, number, clock()) for number in range(1, 11))
        request = ExchangeRequest(bytes.fromhex(ANNE.peer_id), 0, sent)
        reply = decode_reply(await reception.serve(SWARM, encode(request), SITE))
        drawn = await store.draw(SWARM, 64, BOB.peer_id)
    taken = [data for data, verdict in zip(sent, reply.verdicts, strict=True) if verdict == "ok"]
    assert 3 <= len(taken) < 10
    assert set(taken) == set(drawn.envelopes)


async def test_nobody_is_waited_for_while_a_draw_is_held() -> None:
    """Else as many draws of megabytes as there are askers would lie in memory at a time."""
    calls: list[str] = []

    class Told(SqliteStore):
        async def draw(self, swarm: str, k: int, exclude: PeerId) -> Sample:
            calls.append("draw")
            return await super().draw(swarm, k, exclude)

        async def collect(self, swarm: str, author: PeerId) -> tuple[bytes, ...]:
            calls.append("collect")
            return await super().collect(swarm, author)

    clock = FakeClock()
    async with aclosing(Told(MEMORY, clock=clock, rng=Random(1))) as store:
        await Desk(store, clock, Rates()).ask(ANNE)
    assert calls[-1] == "draw"


async def test_what_comes_from_one_place_is_labelled_alike(desk: Desk) -> None:
    """The asker's own place first, then an envelope's each; each asker sees other labels."""
    for number, site in enumerate(["8.8.8.8", "8.8.8.9", "192.0.2.7", "2a01:4f8:1:2::/64"]):
        who = identity(10 + number)
        await desk.ask(who, [sealed(who, 1)], site=site)
    reply = await desk.ask(ANNE, site="192.0.2.7")
    again = await desk.ask(ANNE, site="192.0.2.7")
    other = await desk.ask(BOB, site="192.0.2.7")
    own, *places = reply.places
    assert sorted(Counter(places).values()) == [1, 1, 2]
    assert places.count(own) == 1
    assert set(again.places) == set(reply.places)
    assert not set(other.places) & set(reply.places)


async def test_names_at_one_address_are_one_voice(desk: Desk) -> None:
    """Sixty names there and two nodes elsewhere: each place gives as much as the others."""
    for number in range(60):
        who = identity(10 + number)
        await desk.ask(who, [sealed(who, 1)], site="203.0.113.9")
    for who, site in ((ANNE, "198.51.100.1"), (BOB, "198.51.100.2")):
        await desk.ask(who, [sealed(who, n) for n in range(1, 9)], site=site)
    reply = await desk.ask(CAROL, want=12)
    assert sorted(Counter(reply.places[1:]).values()) == [4, 4, 4]


async def test_one_network_cannot_empty_the_store() -> None:
    """However many addresses and names it has there, it displaces itself and nobody else."""
    clock, limits = FakeClock(), StoreLimits(bytes=100_000)
    texts = ("x" * 4_000, "y" * 4_000)
    async with aclosing(SqliteStore(MEMORY, limits, clock)) as store:
        desk = Desk(store, clock, Rates())
        for number in range(10, 15):
            await desk.ask(identity(number), [sealed(identity(number), 1)], site=f"8.8.{number}.8")
        for number in range(100, 140):
            sent = [sealed(identity(number), sequence, texts=texts) for sequence in (1, 2)]
            site = f"2a01:4f8:1:{number}::/64"
            assert (await desk.ask(identity(number), sent, site=site)).verdicts == ("ok", "ok")
        found = await desk.ask(ANNE, want=64)
        assert {sealed(identity(number), 1) for number in range(10, 15)} <= {*found.envelopes}
        assert (await store.stats()).bytes > 90_000, "it is full"


async def test_swarms_are_ordered_by_the_places_of_their_nodes() -> None:
    """Three keys at one address are less than two at two."""
    clock = FakeClock()
    census = Census(clock)
    visits = [(ANNE, "meadow", SITE), (BOB, "meadow", "198.51.100.7")]
    visits += [(identity(number), "pond", "203.0.113.9") for number in range(3, 6)]
    async with aclosing(SqliteStore(MEMORY, clock=clock)) as store:
        reception = Reception(store, Rates(), Clocks(clock, clock), LABELS, census)
        for who, swarm, site in visits:
            request = ExchangeRequest(
                public_key(who), 0, (seal(who, group(who.peer_id), stamp(1, swarm=swarm)),)
            )
            await reception.serve(swarm, encode(request), site)
    assert [(one.name, one.nodes) for one in census.view().swarms] == [("meadow", 2), ("pond", 3)]


def test_processes_of_one_identity_agree() -> None:
    """So they are one hub; another hub's labels mean nothing beside them."""
    one, same, other = Labels(ANNE), Labels(Identity.of(ANNE.key)), Labels(BOB)
    kept = one.kept("8.8.8.0/24")
    assert kept == same.kept("8.8.8.0/24") != other.kept("8.8.8.0/24")
    asker = public_key(CAROL)
    assert one.told(asker, kept, NOW) == same.told(asker, kept, NOW) != other.told(asker, kept, NOW)


def test_a_label_tells_only_which_places_are_alike() -> None:
    """Eight bytes, other ones for each place and each asker."""
    labels = Labels(ANNE)
    told = {
        labels.told(public_key(who), labels.kept(f"192.0.2.{n}"), NOW)
        for who in (BOB, CAROL)
        for n in range(50)
    }
    assert len(told) == 100
    assert {len(label) for label in told} == {PLACE_BYTES}


def test_a_label_lasts_for_a_day() -> None:
    """Long enough to bound a place's share, too short to follow anybody by."""
    labels = Labels(ANNE)
    kept, asker = labels.kept("192.0.2.1"), public_key(BOB)
    morning = NOW - NOW % LABEL_LIFE_S
    today = labels.told(asker, kept, morning)
    assert labels.told(asker, kept, morning + LABEL_LIFE_S - 1) == today
    assert labels.told(asker, kept, morning + LABEL_LIFE_S) != today
