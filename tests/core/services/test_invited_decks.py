"""Decks of invites as the window has them shared, looked at and kept."""

import asyncio
import socket
from collections.abc import AsyncIterator
from contextlib import aclosing
from pathlib import Path

import pytest

from core.api.decks import (
    MOST_DECKS,
    SAMPLES,
    AdoptDecks,
    DeckOffered,
    DeckProgress,
    DecksShown,
    FetchDecks,
    ShowDecks,
)
from core.api.pipe import MAX_LINE, encode
from core.api.protocol import decode_answer
from core.api.requests import Reply
from core.api.skills import ShowSkills, SkillsShown
from core.api.swarm import (
    MOST_INVITED_DECKS,
    InviteMade,
    InviteShown,
    LeavingDecks,
    MakeInvite,
    ShowInvite,
)
from core.decks.deck import Deck, Flashcard, encode_deck
from core.decks.library import DeckLibrary
from core.errors import DeckError, SwarmError, UsageError
from core.hub.decks import DeckLimits
from core.hub.server import serving
from core.hub.sqlite_store import MEMORY, SqliteStore
from core.hub.store import StoreLimits
from core.paths import Home
from core.services.invited_decks import DeckOffers
from core.services.service import ServiceContext
from core.settings import Settings, SwarmSettings, save_settings
from core.wire.codec import MAX_DECKS_IN_INVITE
from core.wire.invite import Invite, InvitedHub, write_invite
from tests.asking_services import answer_to, answers_to
from tests.swarm_decks import OddHub, deck_data, sha256

DATA, OTHER = deck_data(), deck_data("Other")
NOWHERE = "http://127.0.0.1:1"
MARKUP = "<b>Sums</b><img src='http://a.example/x'>"


@pytest.fixture
async def url() -> AsyncIterator[str]:
    limits = StoreLimits(decks=DeckLimits(swarm_decks=8))
    async with aclosing(SqliteStore(MEMORY, limits)) as store, serving(store) as where:
        yield where


@pytest.fixture
def author(tmp_path: Path) -> ServiceContext:
    return ServiceContext(Home(tmp_path / "author"))


@pytest.fixture
def guest(tmp_path: Path) -> ServiceContext:
    return ServiceContext(Home(tmp_path / "guest"))


def nobody(_: Reply) -> None:
    """Hear what is told, and do nothing about it."""


def kept(place: ServiceContext) -> list[str]:
    return [deck.digest for deck in DeckLibrary(place.home.decks).decks()]


async def share(
    author: ServiceContext, *hubs: str, decks: tuple[bytes, ...] = (DATA,)
) -> tuple[InviteMade, list[LeavingDecks]]:
    """The invite that the window of the author makes, and what it said on the way."""
    library = DeckLibrary(author.home.decks)
    digests = tuple(library.install(data).digest for data in decks)
    request = MakeInvite(swarm="our-class", hubs=hubs, is_private=True, decks=digests)
    *way, made = await answers_to(request, author)
    assert isinstance(made, InviteMade)
    return made, [one for one in way if isinstance(one, LeavingDecks)]


async def fetch(link: str, guest: ServiceContext, offers: DeckOffers) -> list[DeckOffered]:
    told: list[Reply] = []
    await offers.fetch(FetchDecks(link=link), guest, told.append)
    assert all(decode_answer(encode(one)) == one for one in told)
    return [one for one in told if isinstance(one, DeckOffered)]


async def test_a_deck_gets_from_one_window_to_another(
    url: str, author: ServiceContext, guest: ServiceContext
) -> None:
    """Left at a hub, told with its questions, kept when agreed to, and practised from then on."""
    made, way = await share(author, url)
    assert [(one.done, one.total) for one in way] == [(0, 1)]
    assert (made.swarm.decks, made.swarm.is_private, made.troubles) == (1, True, ())
    shown = await answer_to(ShowInvite(link=made.link), guest, InviteShown)
    assert (shown.missing, shown.swarm.decks) == (1, 1)
    *way_there, offered = await answers_to(FetchDecks(link=made.link), guest)
    assert [type(one) for one in way_there] == [DeckProgress, DeckProgress]
    assert isinstance(offered, DeckOffered)
    deck = offered.deck
    assert (deck.name, deck.author, deck.licence, deck.language) == (
        "Sums",
        "Anne",
        "CC0-1.0",
        "en",
    )
    assert len(offered.questions) == SAMPLES
    assert kept(guest) == [], "nobody has agreed yet"
    await answers_to(AdoptDecks(link=made.link), guest)
    assert kept(guest) == [deck.digest]
    library = DeckLibrary(guest.home.decks)
    assert all(map(library.is_of_others, library.decks()))
    assert (await answer_to(ShowInvite(link=made.link), guest, InviteShown)).missing == 0
    save_settings(Settings(swarm=SwarmSettings(name=made.link)), guest.home.settings)
    assert guest.practice().kinds == (deck.task,)
    skills = await answer_to(ShowSkills(model="spark"), guest, SkillsShown)
    assert [kind.task for kind in skills.kinds] == [deck.task]
    decks = await answer_to(ShowDecks(model="spark"), guest, DecksShown)
    assert (decks.swarm, decks.swarm_tasks, decks.missing) == ("our-class", (deck.task,), 0)


async def test_whoever_agrees_after_the_hub_has_gone_has_the_decks_all_the_same(
    author: ServiceContext, guest: ServiceContext
) -> None:
    """They were fetched to be looked at."""
    offers = DeckOffers()
    async with aclosing(SqliteStore(MEMORY, StoreLimits())) as store, serving(store) as url:
        made, _ = await share(author, url)
        await fetch(made.link, guest, offers)
    await offers.adopt(AdoptDecks(link=made.link), guest, nobody)
    assert len(kept(guest)) == 1


async def test_a_helper_that_was_started_anew_fetches_once_more(
    url: str, author: ServiceContext, guest: ServiceContext
) -> None:
    """Whoever read for long agrees to the same bytes."""
    made, _ = await share(author, url, decks=(DATA, OTHER))
    assert len(await fetch(made.link, guest, DeckOffers())) == 2
    await DeckOffers().adopt(AdoptDecks(link=made.link), guest, nobody)
    assert len(kept(guest)) == 2


async def test_what_each_meeting_point_says_is_told(url: str, author: ServiceContext) -> None:
    """The invite is good where one of them has the decks."""
    made, way = await share(author, NOWHERE, url)
    (trouble,) = made.troubles
    assert NOWHERE in trouble.words
    assert trouble.remarks
    assert [(one.done, one.total) for one in way] == [(0, 2), (1, 2)]


async def test_no_invite_to_decks_that_nobody_could_get(author: ServiceContext) -> None:
    """Those of a new one have to get somewhere."""
    with pytest.raises(UsageError, match="Name one"):
        await share(author)


async def test_a_deck_that_was_removed_is_not_shared(url: str, author: ServiceContext) -> None:
    """Another window may have done so meanwhile."""
    request = MakeInvite(swarm="our-class", hubs=(url,), decks=(sha256(DATA).hex(),))
    with pytest.raises(DeckError, match="not on this computer any more"):
        await answers_to(request, author)


async def test_a_copy_of_an_invite_is_made_whatever_its_meeting_points_say(
    url: str, author: ServiceContext, guest: ServiceContext
) -> None:
    """Its members have the decks; a meeting point that is new gets them, too."""
    made, _ = await share(author, url)
    again = MakeInvite(swarm=made.link, hubs=(NOWHERE,))
    *_, copy = await answers_to(again, author)
    assert isinstance(copy, InviteMade)
    assert copy.swarm.decks == 1
    assert len(copy.troubles) == 1
    (of_guest,) = await answers_to(again, guest)  # who has none of them
    assert isinstance(of_guest, InviteMade)
    assert of_guest.troubles == ()


@pytest.mark.usefixtures("flipped_names")
async def test_a_name_that_was_typed_may_lead_inside(url: str, author: ServiceContext) -> None:
    """Decks are left there; not so under a name that an invite brought along."""
    made, _ = await share(author, url.replace("127.0.0.1", "hub.example.org"))
    assert made.troubles == ()
    again = MakeInvite(swarm=made.link, hubs=(), is_private=True)
    *_, copy = await answers_to(again, author)
    assert isinstance(copy, InviteMade)
    assert len(copy.troubles) == 1


async def test_other_bytes_than_those_of_the_invite_are_refused(guest: ServiceContext) -> None:
    """Whoever runs a hub cannot put another deck in the place of one, and nothing is kept."""
    async with OddHub(body=OTHER).open() as hub:
        link = write_invite(Invite(1, "our-class", (InvitedHub(hub.url),), b"", (sha256(DATA),)))
        offers = DeckOffers()
        with pytest.raises(SwarmError, match="not the deck of this swarm"):
            await fetch(link, guest, offers)
        with pytest.raises(SwarmError, match="not the deck of this swarm"):
            await offers.adopt(AdoptDecks(link=link), guest, nobody)
    assert kept(guest) == []


async def test_a_hub_that_never_answers_need_not_be_waited_for(guest: ServiceContext) -> None:
    """Cancelling ends it at once."""
    begun = asyncio.Event()
    with socket.create_server(("127.0.0.1", 0)) as deaf:
        hub = InvitedHub(f"http://127.0.0.1:{deaf.getsockname()[1]}")
        link = write_invite(Invite(1, "our-class", (hub,), b"", (sha256(DATA),)))
        work = DeckOffers().fetch(FetchDecks(link=link), guest, lambda _: begun.set())
        async with asyncio.TaskGroup() as group:
            task = group.create_task(work)
            await begun.wait()
            task.cancel()
    assert task.cancelled()
    assert kept(guest) == []


async def test_a_deck_with_an_error_is_told_with_it_and_not_kept(
    url: str, author: ServiceContext, guest: ServiceContext
) -> None:
    """Also where somebody agreed to it."""
    cards = (Flashcard("1 + 1?", ("two",)), Flashcard("1 + 2?", ("3",)))
    bad = encode_deck(Deck(format=1, name="Bad", matcher="integer", cards=cards))
    made, _ = await share(author, url, decks=(bad, DATA))
    offers = DeckOffers()
    first, second = await fetch(made.link, guest, offers)
    assert any(one.is_error for one in first.findings)
    assert not any(one.is_error for one in second.findings)
    with pytest.raises(DeckError):
        await offers.adopt(AdoptDecks(link=made.link), guest, nobody)
    assert kept(guest) == []


async def test_markup_is_told_letter_by_letter(
    url: str, author: ServiceContext, guest: ServiceContext
) -> None:
    """What the window does with it is the window's."""
    made, _ = await share(author, url, decks=(deck_data(MARKUP),))
    (offered,) = await fetch(made.link, guest, DeckOffers())
    assert offered.deck.name == MARKUP


async def test_the_longest_decks_fit_a_line(
    url: str, author: ServiceContext, guest: ServiceContext
) -> None:
    """Each travels by itself."""
    rows = tuple(
        Flashcard(f"{n} " + "\u4e2d" * 3_900, ("\u4e2d" * 900 + str(n),)) for n in range(12)
    )
    data = encode_deck(Deck(format=1, name="Long", matcher="text", cards=rows))
    made, _ = await share(author, url, decks=(data,))
    (offered,) = await fetch(made.link, guest, DeckOffers())
    assert len(encode(offered)) < MAX_LINE // 2


async def test_there_is_an_end_to_what_is_kept(
    url: str, author: ServiceContext, guest: ServiceContext
) -> None:
    """As for decks of one's own."""
    made, _ = await share(author, url)
    library = DeckLibrary(guest.home.decks)
    for number in range(MOST_DECKS):
        library.install(deck_data(f"Sums {number}", cards=6))
    with pytest.raises(DeckError, match="Remove one first"):
        await DeckOffers().adopt(AdoptDecks(link=made.link), guest, nobody)
    assert len(kept(guest)) == MOST_DECKS


def test_the_window_and_the_invite_know_the_same_bound() -> None:
    """Of decks in one."""
    assert MOST_INVITED_DECKS == MAX_DECKS_IN_INVITE
