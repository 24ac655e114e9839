"""Decks of invites, in the window: left at meeting points, and looked at before they are kept."""

import asyncio
from collections.abc import Sequence
from typing import Final

from core.api.decks import AdoptDecks, DeckOffered, DeckProgress, FetchDecks
from core.api.swarm import HubTrouble, LeavingDecks
from core.decks.library import DeckLibrary
from core.errors import DeckError
from core.i18n import remarks_of, translatable, words_of
from core.paths import Home
from core.services.deck_preview import findings_of
from core.services.deck_words import samples_of, told_of
from core.services.decks import DeckDraft, require_room
from core.services.service import SendReply, ServiceContext
from core.wire.invite import Invite, read_swarm


def count_missing(invite: Invite, home: Home) -> int:
    """How many of the decks of ``invite`` are not in ``home``, or damaged there."""
    return len(_missing(invite, home))


async def leave_invited(
    invite: Invite,
    context: ServiceContext,
    tell: SendReply,
    *,
    typed: Sequence[str],
    is_new: bool,
) -> Sequence[HubTrouble]:
    """Leave the decks of ``invite`` at its meeting points; what went wrong at some of them.

    ``typed``: those of them that the person named themselves.
    ``is_new``: nobody else has these decks yet, so that they have to be here, and to get somewhere.

    Raises:
        DeckError: one is not here.
        UsageError: there is no meeting point.
        SwarmError: it went wrong at all of them.
    """
    if not invite.decks:
        return ()
    from core.services.swarm_decks import deliver_decks, leave_decks
    from core.tasks.deck_tasks import decks_in

    here, missing = await asyncio.to_thread(decks_in, invite, DeckLibrary(context.home.decks))
    if missing and is_new:
        raise DeckError(translatable("A deck is not on this computer any more. Add it again."))

    def on_progress(done: int, total: int) -> None:
        tell(LeavingDecks(done=done, total=total))

    work = deliver_decks if is_new else leave_decks
    proxy = context.settings().network.proxy
    went = await work(invite, here, proxy, on_progress, typed) if here else []
    errors = (words_of(one.error) for one in went if one.error is not None)
    return [HubTrouble(words=str(words), remarks=remarks_of(words)) for words in errors]


class DeckOffers:
    """Fetches decks of others for the person to look at, and keeps those that they agree to.

    In between the decks stay in memory, those of the latest invite alone. Whoever takes longer than
    this process lives has them fetched once more: their names are their bytes.
    """

    def __init__(self) -> None:
        self._drafts: dict[bytes, DeckDraft] = {}

    async def fetch(self, request: FetchDecks, context: ServiceContext, tell: SendReply) -> None:
        """Tell each deck of the invite that is not here.

        Raises:
            UsageError: it is no invite.
            SwarmError: a deck cannot be had.
            DeckError: one is none that can be used here.
        """
        invite = read_swarm(request.link)
        self._drafts = await self._fetched(invite, context, tell)
        for draft in self._drafts.values():
            tell(await asyncio.to_thread(_offer_of, draft))

    async def adopt(self, request: AdoptDecks, context: ServiceContext, tell: SendReply) -> None:
        """Keep all of them.

        Raises:
            UsageError: it is no invite.
            SwarmError: a deck cannot be had.
            DeckError: one has an error, or there are too many already; nothing was kept.
            HomeError: they cannot be written.
        """
        from core.services.swarm_decks import adopt

        drafts = await self._fetched(read_swarm(request.link), context, tell)
        await asyncio.to_thread(_make_room, context.home, len(drafts))
        await asyncio.to_thread(adopt, list(drafts.values()), DeckLibrary(context.home.decks))
        self._drafts = {}

    async def _fetched(
        self, invite: Invite, context: ServiceContext, tell: SendReply
    ) -> dict[bytes, DeckDraft]:
        """The decks of ``invite`` that are not kept yet, by their SHA-256."""
        from core.services.swarm_decks import deck_hubs, fetch_decks

        settings = context.settings()
        missing = await asyncio.to_thread(_missing, invite, context.home)
        had = {one: self._drafts[one] for one in missing if one in self._drafts}
        wanted = [one for one in missing if one not in had]
        tell(DeckProgress(done=len(had), total=len(missing)))

        def on_draft(draft: DeckDraft) -> None:
            had[bytes.fromhex(draft.installed.digest)] = draft
            tell(DeckProgress(done=len(had), total=len(missing)))

        hubs = deck_hubs(invite, settings.swarm.hubs)
        if wanted:
            await fetch_decks(invite, wanted, hubs, settings.network.proxy, on_draft)
        return {one: had[one] for one in missing}


offers: Final = DeckOffers()
"""Of a helper, of which a process has one."""


def _missing(invite: Invite, home: Home) -> list[bytes]:
    from core.tasks.deck_tasks import decks_in

    return decks_in(invite, DeckLibrary(home.decks))[1]


def _offer_of(draft: DeckDraft) -> DeckOffered:
    installed = draft.installed
    numbers = range(1, len(installed.deck.cards) + 1)
    return DeckOffered(
        deck=told_of(installed),
        questions=samples_of(installed),
        findings=findings_of(draft.findings, numbers),
    )


def _make_room(home: Home, more: int) -> None:
    """Check that there is room.

    Raises:
        DeckError: there is none.
    """
    home.prepare()
    if more:
        require_room(DeckLibrary(home.decks).decks(), more)
