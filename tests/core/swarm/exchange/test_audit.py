"""Noticing a hub that withholds, and accusing no other one; in numbers, without any network."""

from collections.abc import Callable
from contextlib import closing
from random import Random

import pytest

from core.net.addresses import parse_hub_url
from core.net.asking import open_session
from core.rollouts.types import PeerId
from core.swarm.backoff import Timing
from core.swarm.exchange.audit import (
    AUDIT_EVERY,
    AUDIT_EVERY_S,
    MOST_AUTHORS,
    MOST_HUBS,
    MOST_UNHEARD,
    SAMPLE,
    Audit,
    Auditor,
)
from core.swarm.exchange.hub_link import HubLink, Wish
from core.swarm.exchange.outbox import Letter, Outbox
from core.swarm.exchange.validation import Self
from core.swarm.membership import Address, Source
from core.wire.codec import CLOCK_WINDOW_S
from core.wire.secrecy import SwarmKeys, check_membership
from tests.envelopes import (
    ANNE,
    BOB,
    KEYS,
    NOW,
    RULESET,
    SWARM,
    FakeClock,
    identity,
    public_key,
    sealed,
)
from tests.rogue_hub import Answer, RogueHub, handing_out, rogue_hub

OWN = PeerId("own")

Draw = Callable[[Random, int], list[PeerId]]


def author(number: int) -> PeerId:
    return OWN if number == 0 else PeerId(str(number))


def of_one_group_each(rng: Random, n: int) -> list[PeerId]:
    """A sample of ``n`` authors who have one group there."""
    return [author(number) for number in rng.sample(range(n), min(SAMPLE, n))]


def of_many_groups_each(rng: Random, n: int) -> list[PeerId]:
    """A sample of ``n`` authors who have plenty there: some come twice."""
    return [author(rng.randrange(n)) for _ in range(SAMPLE)]


def without_own(authors: list[PeerId]) -> list[PeerId]:
    return [one for one in authors if one != OWN]


def samples_until_found(n: int, claimed: int, seed: int, most: int) -> int | None:
    """How many samples of a hub that withholds own items and has ``n`` authors in all."""
    rng, audit = Random(seed), Audit()
    for number in range(1, most + 1):
        if audit.add_sample(OWN, without_own(of_one_group_each(rng, n)), claimed):
            return number
    return None


@pytest.mark.parametrize("draw", [of_one_group_each, of_many_groups_each])
@pytest.mark.parametrize("n", [1, 5, 50, 1_000, 20_000])
def test_an_honest_hub_is_hardly_ever_accused(n: int, draw: Draw) -> None:
    """Of 200 hubs with 100 samples of each, less than 1 %."""
    accused = 0
    for seed in range(200):
        rng, audit = Random(seed), Audit()
        accused += any(audit.add_sample(OWN, draw(rng, n), n) for _ in range(100))
    assert accused < 2


@pytest.mark.parametrize("n", [20, 24, 30])
def test_chance_accuses_no_honest_hub(n: int) -> None:
    """Three weeks of a question a minute, where silences of some samples are most likely."""
    rng, audit = Random(n), Audit()
    samples = (of_one_group_each(rng, n) for _ in range(30_000))
    assert not any(audit.add_sample(OWN, authors, n) for authors in samples)


@pytest.mark.parametrize(("n", "within"), [(2, 28), (5, 12), (16, 7), (50, 50), (500, 575)])
def test_a_hub_that_withholds_is_found(n: int, within: int) -> None:
    """One that says truly how many authors there are: within so many samples, in every seed."""
    found = [samples_until_found(n, n, seed, within) for seed in range(50)]
    assert None not in found


@pytest.mark.parametrize("claimed", [1, 10**9])
def test_withholding_everything_is_soon_noticed(claimed: int) -> None:
    """A hub that hands out nobody, however many it says are there: in the ninth sample."""
    audit = Audit()
    assert [audit.add_sample(OWN, [], claimed) for _ in range(9)] == [False] * 8 + [True]


@pytest.mark.parametrize(("n", "within"), [(5, 24), (50, 66), (500, 640)])
def test_a_false_number_of_authors_is_no_excuse(n: int, within: int) -> None:
    """One that claims a billion gives itself away by handing out the same few again and again."""
    found = [samples_until_found(n, 10**9, seed, within) for seed in range(50)]
    assert None not in found


def test_a_truly_large_hub_is_believed() -> None:
    """Among a million authors nobody expects to see oneself, and hardly anybody twice."""
    rng, audit = Random(1), Audit()
    for _ in range(2_000):
        sample = [author(rng.randrange(1, 10**6)) for _ in range(SAMPLE)]
        assert not audit.add_sample(OWN, sample, 10**6)


def test_being_seen_again_clears_a_hub() -> None:
    """Silence counts from the last time on, however long it was before."""
    rng, audit = Random(1), Audit()
    for _ in range(50):
        silence = [without_own(of_one_group_each(rng, 50)) for _ in range(15)]
        assert not any(audit.add_sample(OWN, sample, 50) for sample in silence)
        assert not audit.add_sample(OWN, [OWN], 50)


def test_an_empty_hub_is_not_suspected() -> None:
    """It says that nobody is there: a restart may have lost everything."""
    audit = Audit()
    assert not any(audit.add_sample(OWN, [], 0) for _ in range(1_000))


def test_what_is_remembered_is_bounded() -> None:
    """A hub that makes up new authors for every sample fills no memory."""
    audit = Audit()
    for number in range(2_000):
        audit.add_sample(OWN, [PeerId(f"{number}-{n}") for n in range(SAMPLE)], 10**9)
    assert len(audit._authors.seen) < MOST_AUTHORS + SAMPLE  # noqa: SLF001 - memory is what is tested


HERE = b"here"


def of_places(rng: Random, neighbours: int, others: int) -> tuple[list[PeerId], list[bytes]]:
    """What a hub draws of the own place, where so many others are, and of as many other places.

    Sixteen items at most, the places in turn; and the labels, of the own place first.
    """
    places: list[list[PeerId]] = [[author(n)] for n in range(1_000, 1_000 + others)]
    places.append([author(n) for n in range(neighbours + 1)])
    drawn: list[tuple[PeerId, bytes]] = []
    order = rng.sample(range(len(places)), len(places))
    for place in places:
        rng.shuffle(place)
    for turn in range(SAMPLE):
        for number in order:
            if turn < len(places[number]) and len(drawn) < SAMPLE:
                at = HERE if number == others else b"%d" % number
                drawn.append((places[number][turn], at))
    return [who for who, _ in drawn], [HERE, *(at for _, at in drawn)]


@pytest.mark.parametrize(
    ("neighbours", "others"), [(30, 0), (30, 3), (30, 100), (3, 200), (60, 20)]
)
def test_an_honest_hub_is_not_accused_by_who_is_at_a_crowded_place(
    neighbours: int, others: int
) -> None:
    """A school behind one address is seldom drawn: of 60 hubs and 150 samples, one at most."""
    accused = 0
    for seed in range(60):
        rng, audit = Random(seed), Audit()
        for _ in range(150):
            authors, places = of_places(rng, neighbours, others)
            accused += audit.add_sample(OWN, authors, neighbours + others + 1, places)
    assert accused < 2


@pytest.mark.parametrize(("neighbours", "others"), [(0, 20), (5, 20), (30, 0)])
def test_a_hub_that_withholds_from_one_of_a_crowded_place_is_found(
    neighbours: int, others: int
) -> None:
    """Whatever number of authors it claims: within 400 samples, in every seed."""
    for seed in range(20):
        rng, audit = Random(seed), Audit()
        found = False
        for _ in range(400):
            authors, places = of_places(rng, neighbours, others)
            kept = [(who, at) for who, at in zip(authors, places[1:], strict=True) if who != OWN]
            labels = [HERE, *(at for _, at in kept)]
            found = found or audit.add_sample(OWN, [who for who, _ in kept], 10**9, labels)
        assert found


def test_calling_others_neighbours_is_no_excuse() -> None:
    """Those who are shown as such come again soon."""
    for seed in range(20):
        rng, audit = Random(seed), Audit()
        samples = (without_own(of_one_group_each(rng, 50)) for _ in range(1_500))
        labelled = ((one, [HERE, HERE, *(who.encode() for who in one[1:])]) for one in samples)
        assert any(audit.add_sample(OWN, authors, 10**9, places) for authors, places in labelled)


STEADY = FakeClock()
TIMING = Timing(FakeClock(), STEADY, Random(1))
A_WHILE_S = AUDIT_EVERY_S / AUDIT_EVERY
"""Between two exchanges; more often there is not a question for every eighth of them."""


def auditor(keys: SwarmKeys | None = None) -> Auditor:
    swarm = SWARM if keys is None else keys.swarm
    return Auditor(Self(ANNE.peer_id, swarm, RULESET, keys), TIMING)


def source_of(hub: RogueHub) -> Source:
    return Source(Address(hub.url), "hub", "named")


def to_strangers(said: bytes) -> Answer:
    """A hub that says this to whoever never shared anything, and follows the protocol else."""
    honest = handing_out(sealed(ANNE, 1))
    return lambda asked: honest(asked) if asked.author == public_key(ANNE) else said


async def rounds_until_found(audit: Auditor, hub: RogueHub, most: int, *, send: bool = True) -> int:
    """After how many exchanges fault was found; 0: never."""
    link = HubLink(parse_hub_url(hub.url), SWARM, TIMING)
    with closing(Outbox(None, SWARM)) as outbox:
        async with open_session() as session:
            for number in range(1, most + 1):
                if send:
                    outbox.put([Letter(number, NOW, sealed(ANNE, number))])
                await link.exchange(session, Wish(public_key(ANNE), 0), outbox)
                STEADY.advance(A_WHILE_S)
                if await audit.finds_fault(session, source_of(hub), link):
                    return number
    return 0


async def test_a_hub_is_asked_now_and_then_as_somebody_else() -> None:
    """In every eighth exchange, each time under another name, for a sample, with nothing in it.

    One that hands out what was left there is not accused: silence would be, from question 27 on.
    """
    async with rogue_hub(handing_out(sealed(ANNE, 1))) as hub:
        assert not await rounds_until_found(auditor(), hub, 30 * AUDIT_EVERY)
        strangers = [asked for asked in hub.asked if asked.author != public_key(ANNE)]
    assert len(strangers) == len({asked.author for asked in strangers}) == 30
    assert {(asked.want, asked.envelopes, asked.receipts) for asked in strangers} == {
        (SAMPLE, (), ())
    }


async def test_a_hub_that_withholds_is_found_auditor() -> None:
    """It claims the five who are there, and hands out four of them: after twelve questions."""
    others = [sealed(identity(number), 1) for number in range(3, 7)]
    async with rogue_hub(handing_out(*others, peers=5)) as hub:
        assert await rounds_until_found(auditor(), hub, 100) == 12 * AUDIT_EVERY


async def test_a_false_clock_is_no_excuse() -> None:
    """What a hub says of its own time does not keep it from being asked."""
    others = [sealed(identity(number), 1) for number in range(3, 7)]
    async with rogue_hub(handing_out(*others, peers=5)) as hub:
        hub.now += 61.0
        assert await rounds_until_found(auditor(), hub, 100) == 12 * AUDIT_EVERY


async def test_a_wrong_clock_here_accuses_nobody() -> None:
    """Others' items that look too old here were handed out all the same: of a thousand, sixteen.

    Own ones have to be fresh, or a hub could show those that are of no use to anybody.
    """
    old = NOW - CLOCK_WINDOW_S - 1
    others = [sealed(identity(n), 1, time=old) for n in range(3, 3 + SAMPLE)]
    async with rogue_hub(handing_out(*others, peers=1_000)) as hub:
        assert not await rounds_until_found(auditor(), hub, 10 * AUDIT_EVERY)
        hub.answer = handing_out(sealed(ANNE, 1, time=old), peers=2)
        assert await rounds_until_found(auditor(), hub, 10 * AUDIT_EVERY) == 9 * AUDIT_EVERY


async def test_a_hub_is_not_asked_more_than_once_a_minute() -> None:
    """However quick the rounds are."""
    async with rogue_hub(handing_out(sealed(ANNE, 1))) as hub:
        audit = auditor()
        link = HubLink(parse_hub_url(hub.url), SWARM, TIMING)
        with closing(Outbox(None, SWARM)) as outbox:
            outbox.put([Letter(1, NOW, sealed(ANNE, 1))])
            async with open_session() as session:
                await link.exchange(session, Wish(public_key(ANNE), 0), outbox)
                for _ in range(120):  # a minute of a starter
                    await audit.finds_fault(session, source_of(hub), link)
                    STEADY.advance(0.5)
        assert len(hub.asked) == 2


async def test_forged_authors_are_no_excuse() -> None:
    """What is not signed counts for nobody: such a hub hands out nothing."""
    others = [sealed(identity(number), 1)[:-1] + b"\xc2" for number in range(3, 19)]
    async with rogue_hub(handing_out(*others, peers=10**9)) as hub:
        assert await rounds_until_found(auditor(), hub, 100) == 9 * AUDIT_EVERY


async def test_nothing_is_asked_where_nothing_was_left() -> None:
    """Whoever sent nothing, was refused, or was forestalled by others has nothing to miss."""
    async with rogue_hub(handing_out(sealed(BOB, 1))) as hub:
        assert not await rounds_until_found(auditor(), hub, 10 * AUDIT_EVERY, send=False)
        for verdict in ("rate", "replayed"):
            hub.answer = handing_out(sealed(BOB, 1), verdict=verdict)
            assert not await rounds_until_found(auditor(), hub, 10 * AUDIT_EVERY)
        assert {asked.author for asked in hub.asked} == {public_key(ANNE)}


async def test_a_member_asks_as_another_member() -> None:
    """In a private swarm strangers get nothing, so the made-up name proves to know the secret."""
    async with rogue_hub(handing_out(peers=0)) as hub:
        await rounds_until_found(auditor(KEYS), hub, AUDIT_EVERY)
        asked = hub.asked[-1]
    assert asked.author != public_key(ANNE)
    check_membership(KEYS.swarm, asked.author, asked.membership)


async def test_a_hub_that_goes_away_in_between_is_not_accused() -> None:
    """No answer is no proof, of one that does not always answer to an exchange either."""
    async with rogue_hub(to_strangers(b"")) as hub:
        assert not await rounds_until_found(auditor(), hub, (MOST_UNHEARD - 1) * AUDIT_EVERY)
        audit = auditor()
        for _ in range(3):
            hub.answer = to_strangers(b"")
            assert not await rounds_until_found(audit, hub, (MOST_UNHEARD - 1) * AUDIT_EVERY)
            hub.answer = lambda _: b""
            assert not await rounds_until_found(audit, hub, AUDIT_EVERY)


@pytest.mark.parametrize("said", [b"", b"429 Slowly"])
async def test_a_hub_that_answers_nobody_new_is_found(said: bytes) -> None:
    """Nothing that it hands out shows that it withholds; whoever shared is served each time."""
    told = b"Content-Type: text/plain\r\nContent-Length: 4\r\n\r\nrate"
    async with rogue_hub(to_strangers(said and b"HTTP/1.1 " + said + b"\r\n" + told)) as hub:
        found = await rounds_until_found(auditor(), hub, 100)
    assert found == MOST_UNHEARD * AUDIT_EVERY


async def test_what_goes_wrong_with_an_audit_accuses_nobody(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """And ends no round, though nobody thought of it."""
    asked = 0

    async def burst(*_: object) -> None:
        nonlocal asked
        asked += 1
        raise IndexError("nobody thought of it")

    monkeypatch.setattr(HubLink, "sample", burst)
    async with rogue_hub(handing_out(sealed(BOB, 1))) as hub:
        assert not await rounds_until_found(auditor(), hub, 2 * AUDIT_EVERY)
    assert asked == 2


async def test_what_is_remembered_of_hubs_is_bounded() -> None:
    """However many there were."""
    audit = auditor()
    async with rogue_hub(handing_out(sealed(ANNE, 1))) as hub, open_session() as session:
        link = HubLink(parse_hub_url(hub.url), SWARM, TIMING)
        with closing(Outbox(None, SWARM)) as outbox:
            outbox.put([Letter(1, NOW, sealed(ANNE, 1))])
            await link.exchange(session, Wish(public_key(ANNE), 0), outbox)
        for number in range(MOST_HUBS + 5):
            source = Source(Address(f"http://{number}"), "hub", "dht")
            for _ in range(AUDIT_EVERY):
                await audit.finds_fault(session, source, link)
    assert len(audit._watched) == MOST_HUBS  # noqa: SLF001 - memory is what is tested
