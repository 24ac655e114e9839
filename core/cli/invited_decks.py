"""The decks of an invite, for ``waggle join``: shown, and agreed to once, before they are kept."""

import asyncio
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from core.cli.output import is_agreed
from core.decks.library import DeckLibrary
from core.errors import UsageError
from core.paths import Home
from core.services.deck_words import samples_of
from core.services.decks import DeckDraft
from core.services.swarm_decks import adopt, fetch_decks
from core.swarm.directory import NamedHub
from core.tasks.deck_tasks import decks_in
from core.wire.invite import Invite


@dataclass(frozen=True, slots=True)
class DeckConsent:
    """How a person is asked."""

    tell: Callable[[str], None]
    agreed: bool = False  # on the command line already


def invited_kinds(
    invite: Invite, hubs: Sequence[NamedHub], home: Home, proxy: str, consent: DeckConsent
) -> tuple[str, ...]:
    """The kinds of puzzles that the decks of ``invite`` make, once all are kept in ``home``.

    Those that are not there yet are fetched from ``hubs`` by ``proxy``, and the person is asked;
    none of it where the invite names no decks.

    Raises:
        UsageError: the person did not agree, or nobody is there to ask.
        SwarmError: a deck cannot be had.
        DeckError: one has an error.
    """
    library = DeckLibrary(home.decks)
    _, missing = decks_in(invite, library)
    if missing:
        if not consent.agreed and not sys.stdin.isatty():
            raise UsageError(
                "This swarm practises decks of others that you have not seen. "
                "If you want to practise them all the same, add --agree-to-decks."
            )
        drafts = asyncio.run(fetch_decks(invite, missing, hubs, proxy))
        for draft in drafts:
            _show(draft, consent.tell)
        if not consent.agreed and not is_agreed("Practise these?", consent.tell):
            raise UsageError("Nothing was kept. Ask whoever gave you the invite about the decks.")
        adopt(drafts, library)
    here, _ = decks_in(invite, library)
    return tuple(deck.task for deck in here)


def _show(draft: DeckDraft, tell: Callable[[str], None]) -> None:
    deck = draft.installed.deck
    tell(f"“{deck.name}”: {len(deck.cards)} cards and {len(deck.templates)} templates")
    for what, said in (
        ("author", deck.author),
        ("licence", deck.licence),
        ("language", deck.language),
    ):
        tell(f"{what}: {said or 'not said'}")
    for finding in draft.findings:
        tell(f"{'error' if finding.is_error else 'note'}: {finding.words}")
    for sample in samples_of(draft.installed):
        tell(_indented(f"[level {sample.level}] {sample.question}"))
        tell(_indented(f"    {sample.answers}"))


def _indented(text: str) -> str:
    """``text`` with all of its lines set in, so that none looks like one of Waggle's own."""
    return "\n".join(f"  {line}" for line in text.splitlines())
