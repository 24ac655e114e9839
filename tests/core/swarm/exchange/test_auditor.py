"""Asking hubs under made-up names."""

from contextlib import closing
from random import Random

from core.net.addresses import parse_hub_url
from core.net.asking import open_session
from core.swarm.backoff import Timing
from core.swarm.exchange.auditor import AUDIT_EVERY, MOST_HUBS, SAMPLE, Auditor
from core.swarm.exchange.hub_link import HubLink, Wish
from core.swarm.exchange.outbox import Letter, Outbox
from core.swarm.exchange.validation import Self
from core.swarm.membership import Address, Source
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

TIMING = Timing(FakeClock(), FakeClock(), Random(1))


def auditor(keys: SwarmKeys | None = None) -> Auditor:
    swarm = SWARM if keys is None else keys.swarm
    return Auditor(Self(ANNE.peer_id, swarm, RULESET, keys), TIMING)


def source_of(hub: RogueHub) -> Source:
    return Source(Address(hub.url), "hub", "named")


async def rounds_until_found(audit: Auditor, hub: RogueHub, most: int, *, send: bool = True) -> int:
    """After how many exchanges fault was found; 0: never."""
    link = HubLink(parse_hub_url(hub.url), SWARM, TIMING)
    with closing(Outbox(None, SWARM)) as outbox:
        async with open_session() as session:
            for number in range(1, most + 1):
                if send:
                    outbox.put([Letter(number, NOW, sealed(ANNE, number))])
                await link.exchange(session, Wish(public_key(ANNE), 0), outbox)
                if await audit.finds_fault(session, source_of(hub), link):
                    return number
    return 0


async def test_a_hub_is_asked_now_and_then_as_somebody_else() -> None:
    """In every eighth exchange, each time under another name, for a sample, with nothing in it."""
    async with rogue_hub(handing_out(sealed(ANNE, 1))) as hub:
        assert not await rounds_until_found(auditor(), hub, 4 * AUDIT_EVERY)
        strangers = [asked for asked in hub.asked if asked.author != public_key(ANNE)]
    assert len(strangers) == len({asked.author for asked in strangers}) == 4
    assert {(asked.want, asked.envelopes, asked.receipts) for asked in strangers} == {
        (SAMPLE, (), ())
    }


async def test_a_hub_that_withholds_is_found() -> None:
    """It claims the five who are there, and hands out four of them: after six questions."""
    others = [sealed(identity(number), 1) for number in range(3, 7)]
    async with rogue_hub(handing_out(*others, peers=5)) as hub:
        assert await rounds_until_found(auditor(), hub, 100) == 6 * AUDIT_EVERY


async def test_forged_authors_are_no_excuse() -> None:
    """What is not signed counts for nobody: such a hub hands out nothing."""
    others = [sealed(identity(number), 1)[:-1] + b"\xc2" for number in range(3, 19)]
    async with rogue_hub(handing_out(*others, peers=10**9)) as hub:
        assert await rounds_until_found(auditor(), hub, 100) == 5 * AUDIT_EVERY


async def test_nothing_is_asked_where_nothing_was_left() -> None:
    """Whoever sent nothing, or was refused, has nothing to miss."""
    async with rogue_hub(handing_out(sealed(BOB, 1))) as hub:
        assert not await rounds_until_found(auditor(), hub, 10 * AUDIT_EVERY, send=False)
        hub.answer = handing_out(sealed(BOB, 1), verdict="rate")
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
    """No answer is no proof."""

    def leaving() -> Answer:
        honest = handing_out(sealed(ANNE, 1))
        return lambda asked: honest(asked) if asked.author == public_key(ANNE) else b""

    async with rogue_hub(leaving()) as hub:
        assert not await rounds_until_found(auditor(), hub, 4 * AUDIT_EVERY)


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
