"""The decks of an invite, from the library of one to that of another."""

from collections.abc import AsyncIterator
from contextlib import aclosing
from pathlib import Path

import pytest

from core.decks.deck import Deck, Flashcard, encode_deck
from core.decks.library import DeckLibrary
from core.errors import DeckError, SwarmError, UsageError
from core.hub.decks import DeckLimits
from core.hub.server import serving
from core.hub.sqlite_store import MEMORY, SqliteStore
from core.hub.store import StoreLimits
from core.services.swarm_decks import (
    adopt,
    deck_hubs,
    deliver_decks,
    digests_of,
    fetch_decks,
)
from core.swarm.directory import NamedHub
from core.tasks.deck_tasks import decks_in
from core.wire.invite import Invite, InvitedHub
from tests.envelopes import ANNE, public_key
from tests.swarm_decks import deck_data, sha256

SECRET = bytes(range(32))
DATA, OTHER = deck_data(), deck_data("Other")
NOWHERE = InvitedHub("http://127.0.0.1:1")


@pytest.fixture
async def hub() -> AsyncIterator[InvitedHub]:
    limits = StoreLimits(decks=DeckLimits(swarm_decks=2))
    async with aclosing(SqliteStore(MEMORY, limits)) as store, serving(store) as url:
        yield InvitedHub(url)


def invite_of(*decks: bytes, hubs: tuple[InvitedHub, ...] = (), name: str = "orchard") -> Invite:
    return Invite(1, name, hubs, SECRET, tuple(map(sha256, decks)))


@pytest.fixture
def library(tmp_path: Path) -> DeckLibrary:
    return DeckLibrary(tmp_path / "decks")


@pytest.fixture
def author(tmp_path: Path) -> DeckLibrary:
    return DeckLibrary(tmp_path / "author")


async def test_from_one_library_to_another(
    hub: InvitedHub, author: DeckLibrary, library: DeckLibrary
) -> None:
    """Delivered, fetched, examined; kept only when it is adopted, and then as of others."""
    decks = [author.install(data) for data in (DATA, OTHER)]
    invite = invite_of(DATA, OTHER, hubs=(NOWHERE, hub))
    went = await deliver_decks(invite, decks)
    assert [(one.url, one.error is None) for one in went] == [(NOWHERE.url, False), (hub.url, True)]
    here, missing = decks_in(invite, library)
    assert (here, missing) == ([], list(invite.decks))
    drafts = await fetch_decks(invite, missing, deck_hubs(invite))
    assert [draft.installed.data for draft in drafts] == [DATA, OTHER]
    assert library.decks() == []
    adopt(drafts, library)
    here, missing = decks_in(invite, library)
    assert (here, missing) == (decks, [])
    assert all(map(library.is_of_others, here))
    assert not any(map(author.is_of_others, decks))


@pytest.mark.usefixtures("flipped_names")
async def test_a_name_leads_inside_only_where_the_person_typed_it(
    hub: InvitedHub, author: DeckLibrary
) -> None:
    """Of an invite that is made anew of somebody else's, whose name it may be."""
    deck = author.install(DATA)
    named = InvitedHub(hub.url.replace("127.0.0.1", "hub.example.org"))
    invite = invite_of(DATA, hubs=(named,))
    with pytest.raises(SwarmError, match="does not answer"):
        await deliver_decks(invite, [deck])
    (went,) = await deliver_decks(invite, [deck], typed=[named.url])
    assert went.error is None
    with pytest.raises(SwarmError, match="does not answer"):
        await fetch_decks(invite, invite.decks, deck_hubs(invite))
    assert len(await fetch_decks(invite, invite.decks, deck_hubs(invite, [named.url]))) == 1


async def test_what_was_ones_own_before_stays_so(
    hub: InvitedHub, author: DeckLibrary, library: DeckLibrary
) -> None:
    """Whoever invites to it, and though it is adopted once more; what is removed is forgotten."""
    invite = invite_of(DATA, hubs=(hub,))
    await deliver_decks(invite, [author.install(DATA)])
    own = library.install(DATA)
    drafts = await fetch_decks(invite, invite.decks, deck_hubs(invite))
    adopt(drafts, library)
    assert not library.is_of_others(own)
    library.remove(own)
    adopt(drafts, library)
    assert library.is_of_others(own)
    library.remove(own)
    assert not library.is_of_others(library.install(DATA))


async def test_a_deck_with_errors_is_not_kept(library: DeckLibrary, hub: InvitedHub) -> None:
    """Nor is any other of that invite: they are agreed to together."""
    cards = (Flashcard("Which?", ("no number",)),)
    bad = encode_deck(Deck(format=1, name="Bad", matcher="integer", cards=cards))
    invite = invite_of(DATA, bad, hubs=(hub,))
    authors = DeckLibrary(Path(library.path_of(library.install(OTHER))).parent.parent / "bad")
    await deliver_decks(invite, [authors.install(data) for data in (DATA, bad)])
    drafts = await fetch_decks(invite, invite.decks, deck_hubs(invite))
    with pytest.raises(DeckError, match="can never be right"):
        adopt(drafts, library)
    assert [one.deck.name for one in library.decks()] == ["Other"]


async def test_it_has_to_go_well_somewhere(author: DeckLibrary, hub: InvitedHub) -> None:
    """An invite whose decks nobody can fetch is not made."""
    deck = author.install(DATA)
    with pytest.raises(SwarmError, match="does not answer"):
        await deliver_decks(invite_of(DATA, hubs=(NOWHERE,)), [deck])
    with pytest.raises(UsageError, match="Name one"):
        await deliver_decks(invite_of(DATA), [deck])
    three = [author.install(deck_data(name)) for name in ("1", "2", "3")]
    with pytest.raises(SwarmError, match="keeps no more decks"):
        await deliver_decks(invite_of(hubs=(hub,)), three)


def test_an_invite_names_each_deck_once_and_not_too_many(author: DeckLibrary) -> None:
    """Nine are one too many."""
    decks = [author.install(deck_data(str(number))) for number in range(9)]
    assert digests_of([*decks[:8], decks[0]]) == tuple(bytes.fromhex(d.digest) for d in decks[:8])
    with pytest.raises(UsageError, match="at most 8 decks"):
        digests_of(decks)


def test_where_decks_may_be() -> None:
    """At the hubs of the invite, and those that the person added."""
    named = InvitedHub("http://hub.example", public_key(ANNE))
    urls = ["http://10.0.0.1:8765", "HTTP://hub.example:80/"]  # the latter is the one that is named
    assert deck_hubs(invite_of(hubs=(named,)), urls) == [
        NamedHub(named.url, ANNE.peer_id),
        NamedHub(urls[0]),
    ]
    assert deck_hubs(invite_of()) == []


@pytest.mark.parametrize("prefix", ["", "deck_"])
def test_no_deck_is_called_by_the_digest_of_another(prefix: str, library: DeckLibrary) -> None:
    """An invite could bring one of such a name, to be practised in place of one's own."""
    own = library.install(DATA)
    library.install(deck_data(f"{prefix}{own.digest[:32]}"))
    for name in (own.task, own.digest, own.digest[:32]):
        assert library.find(name) == own


def test_a_damaged_deck_is_missing(library: DeckLibrary) -> None:
    """So that it is fetched again."""
    deck = library.install(DATA)
    library.path_of(deck).write_bytes(b"{")
    assert decks_in(invite_of(DATA), library) == ([], [sha256(DATA)])
