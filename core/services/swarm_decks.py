"""The decks that an invite names: left at its hubs, and fetched, examined and kept by who joins."""

import asyncio
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from core.decks.library import DeckLibrary, InstalledDeck
from core.errors import DeckError, SwarmError, UsageError
from core.i18n import together, translatable, words_of
from core.services.decks import DeckDraft, draft_of_bytes
from core.swarm.decks import DeckSwarm, distinct, get_deck, open_deck_session, put_deck
from core.swarm.directory import NamedHub, hubs_for
from core.wire.codec import MAX_DECKS_IN_INVITE
from core.wire.invite import Invite

OnProgress = Callable[[int, int], None]
"""Told how much is done, of how much."""


def _nobody(_done: int, _total: int) -> None:
    """Nobody wants to know."""


@dataclass(frozen=True, slots=True)
class DeckDelivery:
    """How it went to leave decks at one hub."""

    url: str
    error: SwarmError | None = None  # None: all are there


def deck_hubs(invite: Invite, urls: Iterable[str] = ()) -> list[NamedHub]:
    """The meeting points at which the decks of ``invite`` may be, and ``urls`` of one's own."""
    return distinct(hubs_for(invite, urls))


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


async def leave_decks(
    invite: Invite,
    decks: Sequence[InstalledDeck],
    proxy: str = "",
    on_progress: OnProgress = _nobody,
    typed: Iterable[str] = (),
) -> list[DeckDelivery]:
    """Leave ``decks`` at every meeting point of ``invite``; how it went at each.

    ``typed``: those of them that the person named themselves.
    """
    went: list[DeckDelivery] = []
    hubs = deck_hubs(invite, typed)
    async with open_deck_session(hubs, proxy) as session:
        for hub in hubs:
            on_progress(len(went), len(hubs))
            try:
                for deck in decks:
                    await put_deck(session, hub, DeckSwarm.of(invite), deck.data)
                went.append(DeckDelivery(hub.url))
            except SwarmError as error:
                went.append(DeckDelivery(hub.url, error))
    return went


async def deliver_decks(
    invite: Invite,
    decks: Sequence[InstalledDeck],
    proxy: str = "",
    on_progress: OnProgress = _nobody,
    typed: Iterable[str] = (),
) -> list[DeckDelivery]:
    """Do the same, and insist on one meeting point that has them.

    Raises:
        UsageError: the invite names none.
        SwarmError: it went wrong at all of them; said of each.
    """
    if not invite.hubs:
        raise UsageError(
            translatable("Decks are handed on by meeting points, and none is named. Name one.")
        )
    went = await leave_decks(invite, decks, proxy, on_progress, typed)
    errors = [one.error for one in went if one.error is not None]
    if len(errors) == len(went):
        raise SwarmError(together(*map(words_of, errors)))
    return went


async def fetch_decks(
    invite: Invite,
    missing: Sequence[bytes],
    hubs: Sequence[NamedHub],
    proxy: str = "",
    on_draft: Callable[[DeckDraft], None] | None = None,
) -> list[DeckDraft]:
    """Fetch the ``missing`` decks of ``invite`` and examine them; nothing is kept.

    ``on_draft`` is told of each as it comes.

    Raises:
        SwarmError: one of them cannot be had.
        DeckError: one of them is none that can be used here.
    """
    drafts: list[DeckDraft] = []
    async with open_deck_session(hubs, proxy) as session:
        for digest in missing:
            data = await get_deck(session, hubs, DeckSwarm.of(invite), digest)
            drafts.append(await asyncio.to_thread(draft_of_bytes, data))
            if on_draft is not None:
                on_draft(drafts[-1])
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
