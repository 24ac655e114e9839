"""The decks that an invite names: left at its hubs, and fetched, examined and kept by who joins."""

import asyncio
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from core.decks.library import DeckLibrary, InstalledDeck
from core.errors import DeckError, SwarmError, UsageError
from core.i18n import translatable
from core.services.decks import DeckDraft, draft_of_bytes
from core.swarm.decks import DeckHub, DeckSwarm, distinct, get_deck, open_deck_session, put_deck
from core.swarm.directory import hubs_for
from core.wire.codec import MAX_DECKS_IN_INVITE
from core.wire.invite import Invite


@dataclass(frozen=True, slots=True)
class DeckDelivery:
    """How it went to leave decks at one hub."""

    url: str
    error: SwarmError | None = None  # None: all are there


def deck_hubs(invite: Invite, urls: Iterable[str] = ()) -> list[DeckHub]:
    """The meeting points at which the decks of ``invite`` may be, and ``urls`` of one's own."""
    return distinct(hubs_for(invite, urls))


def decks_in(invite: Invite, library: DeckLibrary) -> tuple[list[InstalledDeck], list[bytes]]:
    """Of the decks of ``invite`` those that are here, and the SHA-256 of those that are not."""
    found = {digest: library.get(digest.hex()) for digest in invite.decks}
    here = [deck for deck in found.values() if deck is not None]
    return here, [digest for digest, deck in found.items() if deck is None]


def digests_of(decks: Sequence[InstalledDeck]) -> tuple[bytes, ...]:
    """The decks as an invite names them, each once.

    Raises:
        UsageError: they are too many for an invite.
    """
    digests = tuple(dict.fromkeys(bytes.fromhex(deck.digest) for deck in decks))
    if len(digests) > MAX_DECKS_IN_INVITE:
        raise UsageError(
            translatable("An invite names at most {} decks. Leave some out.", MAX_DECKS_IN_INVITE)
        )
    return digests


async def deliver_decks(
    invite: Invite, decks: Sequence[InstalledDeck], proxy: str = ""
) -> list[DeckDelivery]:
    """Leave ``decks`` at every meeting point of ``invite``; how it went at each.

    Raises:
        UsageError: it names none.
        SwarmError: it went wrong at all of them.
    """
    if not invite.hubs:
        raise UsageError(
            translatable(
                "Decks are handed on by meeting points, and this invite names none. "
                "Name one with --hub."
            )
        )
    went: list[DeckDelivery] = []
    async with open_deck_session(proxy) as session:
        for hub in deck_hubs(invite):
            try:
                for deck in decks:
                    await put_deck(session, hub, DeckSwarm.of(invite), deck.data)
                went.append(DeckDelivery(hub[0]))
            except SwarmError as error:
                went.append(DeckDelivery(hub[0], error))
    errors = [one.error for one in went if one.error is not None]
    if len(errors) == len(went):
        raise errors[0]
    return went


async def fetch_decks(
    invite: Invite, missing: Sequence[bytes], hubs: Sequence[DeckHub], proxy: str = ""
) -> list[DeckDraft]:
    """Fetch the ``missing`` decks of ``invite`` and examine them; nothing is kept.

    Raises:
        SwarmError: one of them cannot be had.
        DeckError: one of them is none that can be used here.
    """
    drafts: list[DeckDraft] = []
    async with open_deck_session(proxy) as session:
        for digest in missing:
            data = await get_deck(session, hubs, DeckSwarm.of(invite), digest)
            drafts.append(await asyncio.to_thread(draft_of_bytes, data))
    return drafts


def adopt(drafts: Sequence[DeckDraft], library: DeckLibrary) -> None:
    """Keep what was agreed to, as decks of others.

    Raises:
        DeckError: one of them has an error; nothing was kept.
        HomeError: it cannot be written.
    """
    for finding in (one for draft in drafts for one in draft.findings if one.is_error):
        raise DeckError(finding.words)
    for draft in drafts:
        library.install(draft.installed.data, of_others=True)
