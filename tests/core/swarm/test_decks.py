"""Decks and hubs, as a member sees them: real hubs, and some that are no good."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, aclosing
from pathlib import Path

import aiohttp
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.decks.library import DeckLibrary, InstalledDeck
from core.errors import DeckError, SwarmError, UsageError
from core.hub.decks import DeckLimits
from core.hub.server import HubFace, HubLimits, serving
from core.hub.sqlite_store import MEMORY, SqliteStore
from core.hub.store import StoreLimits
from core.swarm.decks import (
    DeckSharer,
    DeckSwarm,
    get_deck,
    open_deck_session,
    put_deck,
)
from core.swarm.directory import NamedHub
from core.wire.codec import Rate
from core.wire.deck import deck_name, pack_deck
from core.wire.identity import Identity
from core.wire.invite import Invite
from core.wire.secrecy import SwarmKeys
from tests.envelopes import ANNE, BOB, KEYS
from tests.rogue_hub import handing_out, rogue_hub
from tests.swarm_decks import OddHub, deck_data, sha256, swarm_of

DATA = deck_data()
NOWHERE = NamedHub("http://127.0.0.1:1")
BOTH = pytest.mark.parametrize("keys", [None, KEYS], ids=["open", "private"])


class World(AsyncExitStack):
    """Hubs, and somebody who asks them."""

    session: aiohttp.ClientSession

    async def hub(
        self, who: Identity = ANNE, decks: DeckLimits | None = None, limits: HubLimits | None = None
    ) -> NamedHub:
        bounds = StoreLimits(decks=decks or DeckLimits())
        store = await self.enter_async_context(aclosing(SqliteStore(MEMORY, bounds)))
        face = HubFace(who)
        url = await self.enter_async_context(serving(store, limits=limits, face=face))
        return NamedHub(url, who.peer_id)

    async def odd(self, hub: OddHub) -> NamedHub:
        return await self.enter_async_context(hub.open())


@pytest.fixture
async def world() -> AsyncIterator[World]:
    async with World() as opened:
        opened.session = await opened.enter_async_context(open_deck_session([]))
        yield opened


@BOTH
async def test_what_one_leaves_another_fetches(world: World, keys: SwarmKeys | None) -> None:
    """Once: what a hub has already is not sent again."""
    hub, swarm = await world.hub(), swarm_of(DATA, keys=keys)
    assert await put_deck(world.session, hub, swarm, DATA)
    assert not await put_deck(world.session, hub, swarm, DATA)
    assert await get_deck(world.session, [hub], swarm, sha256(DATA)) == DATA


async def test_a_swarm_is_that_of_its_invite() -> None:
    """With its name on the wire, its keys and its decks."""
    invite = Invite(1, "orchard", (), bytes(32), (sha256(DATA),))
    swarm = DeckSwarm.of(invite)
    assert (swarm.name, swarm.decks) == (invite.swarm, invite.decks)
    assert swarm.url("http://hub.example/", sha256(DATA)).endswith(
        f"/v1/swarms/{invite.swarm}/decks/{deck_name(invite.keys, sha256(DATA))}"
    )


@BOTH
@pytest.mark.parametrize(
    "odd",
    [
        OddHub(body=b"garbage"),
        OddHub(body=b""),
        OddHub(body=deck_data("Other")),
        OddHub(body=pack_deck(KEYS, deck_data("Other"))),
        OddHub(body=DATA, media="text/html"),
        OddHub(body=bytes(8_200_000)),
        OddHub(status=302),
        OddHub(status=500),
        OddHub(status=404),
        OddHub(kind="node"),
    ],
    ids=lambda hub: f"{hub.kind} {hub.status} {len(hub.body)} {hub.media}",
)
async def test_a_hub_of_no_use_is_passed_over(
    world: World, odd: OddHub, keys: SwarmKeys | None
) -> None:
    """Whatever it sends; the next one is asked, and one that is away costs no more."""
    swarm = swarm_of(DATA, keys=keys)
    bad, good = await world.odd(odd), await world.hub()
    await put_deck(world.session, good, swarm, DATA)
    asked = [NOWHERE, bad, good]
    assert await get_deck(world.session, asked, swarm, sha256(DATA)) == DATA


@given(st.binary(max_size=300))
async def test_hostile_bytes_are_a_sentence(body: bytes) -> None:
    """Nothing but ``SwarmError`` comes out of what a hub sends."""
    async with OddHub(body=body).open() as hub, open_deck_session([]) as session:
        with pytest.raises(SwarmError, match="is not the deck"):
            await get_deck(session, [hub], swarm_of(DATA), sha256(DATA))


async def test_what_is_named_and_no_deck_is_a_sentence(world: World) -> None:
    """An author may have named anything; no other hub could have another one."""
    hub, swarm, junk = await world.hub(), swarm_of(b"junk"), b"no deck}"
    await put_deck(world.session, hub, swarm, junk)
    with pytest.raises(DeckError, match="no deck that this Waggle can read"):
        await get_deck(world.session, [hub, NOWHERE], swarm, sha256(junk))


async def test_a_deck_that_nobody_keeps_is_told_as_such(world: World) -> None:
    """With what to do: its author brings it back."""
    hubs = [await world.hub(), await world.hub(BOB)]
    with pytest.raises(SwarmError, match="Ask whoever invited you to start Waggle once"):
        await get_deck(world.session, hubs, swarm_of(DATA), sha256(DATA))


async def test_one_that_may_be_where_nobody_answers_is_not(world: World) -> None:
    """Then the hub that is away is named."""
    hubs = [await world.hub(), NOWHERE]
    with pytest.raises(SwarmError, match=r"127\.0\.0\.1:1 does not answer"):
        await get_deck(world.session, hubs, swarm_of(DATA), sha256(DATA))


async def test_without_any_hub_there_is_a_sentence(world: World) -> None:
    """An invite need not name one, and decks are fetched nowhere else."""
    with pytest.raises(SwarmError, match="names no meeting point"):
        await get_deck(world.session, [], swarm_of(DATA), sha256(DATA))


async def test_somebody_else_in_the_hubs_place_gets_nothing(world: World) -> None:
    """Whom the invite names has to answer, before anything is sent."""
    url = (await world.hub(ANNE)).url
    with pytest.raises(SwarmError, match="Somebody else answers"):
        await put_deck(world.session, NamedHub(url, BOB.peer_id), swarm_of(DATA), DATA)
    await put_deck(world.session, NamedHub(url, ANNE.peer_id), swarm_of(DATA), DATA)


async def test_what_is_no_hub_is_said_to_be_none(world: World) -> None:
    """A node answers in the place of one: a new invite would not help."""
    async with rogue_hub(handing_out()) as other:
        other.kind = "node"
        with pytest.raises(SwarmError, match=r"What answers at .* is no meeting point"):
            await put_deck(world.session, NamedHub(other.url), swarm_of(DATA), DATA)


@pytest.mark.parametrize(
    ("odd", "words"),
    [
        (OddHub(status=404, body=b"404: Not Found"), "of another release, which keeps no decks"),
        (OddHub(status=413, body=b"<html>too large</html>"), "takes no deck of this size"),
        (OddHub(status=507, body=b"quota\n"), "keeps no more decks for this swarm"),
        (OddHub(status=503, body=b"busy\n"), "is busy"),
        (OddHub(status=503, body=b"<html>overloaded</html>" * 9), "is busy"),
        (OddHub(status=429, body=b"slow down"), "is busy"),
        (OddHub(head=429), "is busy"),
        (OddHub(head=503), "is busy"),
        (OddHub(head=500), r"would not serve \(500\)"),
        (OddHub(status=503, body=b"store\n"), r"would not serve \(store\)"),
        (OddHub(status=502, body=bytes(500)), r"would not serve \(502\)"),
    ],
    ids=lambda it: f"{it.head} {it.status}" if isinstance(it, OddHub) else "",
)
async def test_why_a_hub_takes_no_deck_is_said(world: World, odd: OddHub, words: str) -> None:
    """In one sentence for each reason, and what to do."""
    with pytest.raises(SwarmError, match=words) as error:
        await put_deck(world.session, await world.odd(odd), swarm_of(DATA), DATA)
    assert ". " in str(error.value)


async def test_a_real_hub_says_why(world: World) -> None:
    """Quota and rate, as it says them itself."""
    full = await world.hub(decks=DeckLimits(swarm_decks=0))
    with pytest.raises(SwarmError, match="keeps no more decks"):
        await put_deck(world.session, full, swarm_of(DATA), DATA)
    for limits in (HubLimits(deck_puts=Rate(0.001, 0)), HubLimits(deck_gets=Rate(0.001, 0))):
        hurried = await world.hub(limits=limits)
        with pytest.raises(SwarmError, match="is busy"):
            await put_deck(world.session, hurried, swarm_of(DATA), DATA)


async def test_an_improper_address_is_wrong_usage(world: World) -> None:
    """As everywhere."""
    with pytest.raises(UsageError, match="no address of a meeting point"):
        await put_deck(world.session, NamedHub("nonsense"), swarm_of(DATA), DATA)


@pytest.mark.usefixtures("flipped_names")
async def test_a_name_that_nobody_agreed_to_does_not_lead_inside(
    world: World, tmp_path: Path
) -> None:
    """Neither for who fetches a deck nor for who brings one back; a name that was typed does."""
    odd = OddHub()
    url = (await world.odd(odd)).url.replace("127.0.0.1", "hub.example.org")
    swarm, library = swarm_of(DATA), library_of(tmp_path, DATA)
    invited, typed = NamedHub(url, stays_outside=True), NamedHub(url)
    async with open_deck_session([invited]) as session:
        with pytest.raises(SwarmError, match="does not answer"):
            await get_deck(session, [invited], swarm, sha256(DATA))
    await DeckSharer(swarm, [invited], library).share()
    assert odd.asked == []
    await DeckSharer(swarm, [typed], library).share()
    assert odd.asked == ["HEAD", "PUT"]


def library_of(folder: Path, *decks: bytes) -> DeckLibrary:
    library = DeckLibrary(folder)
    for deck in decks:
        library.install(deck)
    return library


async def test_a_member_brings_back_what_a_hub_has_lost(world: World, tmp_path: Path) -> None:
    """Of its swarm's decks those that it has, to every hub that answers."""
    other = deck_data("Other")
    swarm, hubs = swarm_of(DATA, other), [await world.hub(), NOWHERE, await world.hub(BOB)]
    await put_deck(world.session, hubs[0], swarm, DATA)
    foreign = deck_data("Foreign")  # in the library, and none of this swarm's
    await DeckSharer(swarm, hubs, library_of(tmp_path, DATA, foreign)).share()
    for hub in (hubs[0], hubs[2]):
        assert await get_deck(world.session, [hub], swarm, sha256(DATA)) == DATA
        for absent in (other, foreign):
            with pytest.raises(SwarmError, match="Nobody keeps"):
                await get_deck(world.session, [hub], swarm, sha256(absent))


class TornOnceLibrary(DeckLibrary):
    """Cannot be read the first time, for a reason that nobody thought of."""

    is_torn = True

    def get(self, digest: str) -> InstalledDeck | None:
        if self.is_torn:
            self.is_torn = False
            raise MemoryError
        return super().get(digest)


@pytest.mark.parametrize("kind", [DeckLibrary, TornOnceLibrary])
async def test_it_goes_on_beside_everything_else(
    world: World, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, kind: type[DeckLibrary]
) -> None:
    """At the start at once, and again after whatever went wrong; it ends when it is told to."""
    if kind is TornOnceLibrary:
        monkeypatch.setattr("core.swarm.decks.SHARE_EVERY_S", 0.0)
    hub, swarm = await world.hub(), swarm_of(DATA)
    library_of(tmp_path, DATA)
    sharer = DeckSharer(swarm, [hub], kind(tmp_path))
    async with asyncio.timeout(10), asyncio.TaskGroup() as group:
        running = group.create_task(sharer.run())
        while True:
            try:
                await get_deck(world.session, [hub], swarm, sha256(DATA))
                break
            except SwarmError:
                pass
        running.cancel()


async def test_who_has_none_of_them_asks_for_nothing(world: World, tmp_path: Path) -> None:
    """Nor does a swarm without decks."""
    odd = OddHub()
    hub = await world.odd(odd)
    await DeckSharer(swarm_of(DATA), [hub], library_of(tmp_path)).share()
    await DeckSharer(swarm_of(), [hub], library_of(tmp_path, DATA)).share()
    assert odd.asked == []
