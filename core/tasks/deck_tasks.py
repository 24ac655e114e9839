"""The kinds of puzzles that decks make, beside those that are built in."""

import hashlib
from collections.abc import Mapping, Sequence
from typing import Final

from core.decks.deck import Matcher, task_of
from core.decks.library import DeckLibrary, InstalledDeck
from core.errors import UsageError
from core.i18n import translatable
from core.paths import Home
from core.rollouts.types import TaskId, cell_name
from core.settings import Settings
from core.tasks.catalog import Preset, Task, TaskCatalog, VerifierName, load_catalog
from core.wire.invite import Invite, read_swarm

_VERIFIERS: Final[Mapping[Matcher, VerifierName]] = {
    "text": "text",
    "caseless": "folded",
    "integer": "integer",
    "decimal": "near",
    "fraction": "ratio",
    "choice": "label",
    "words": "set",
}


def task_of_deck(installed: InstalledDeck) -> Task:
    """The kind of puzzle that a deck makes; its name says which deck, to the byte."""
    deck = installed.deck
    return Task(
        id=TaskId(installed.task),
        dataset="",
        title=deck.name,
        levels=(Preset(settings=()),) * len(deck.levels),
        verifier=_VERIFIERS[deck.matcher],
        specialty=False,
        starter=True,
    )


def with_decks(catalog: TaskCatalog, decks: Sequence[InstalledDeck]) -> TaskCatalog:
    """``catalog`` and a task for each of ``decks``, under the same ruleset.

    A deck's task is named by its digest, so no two nodes mean different puzzles by it.
    """
    tasks = [task_of_deck(one) for one in decks]
    return TaskCatalog([*catalog.tasks, *tasks], catalog.ruleset, decks)


def practised_catalog(home: Home, kinds: Sequence[str]) -> TaskCatalog:
    """All that is built in; or, where ``kinds`` names any, these tasks and decks alone.

    Raises:
        UnknownTaskError: one of them is neither built in nor a deck on this computer.
        DeckError: one is the kind of a deck that is not here, or a name that several have.
    """
    catalog = load_catalog()
    if not kinds:
        return catalog
    built_in = {task.id for task in catalog.tasks}
    others = [kind for kind in kinds if kind not in built_in]
    library = DeckLibrary(home.decks)
    for kind in others:
        if not kind.startswith(task_of("")) and not library.called(kind):
            catalog.task(kind)  # says which there are
    decks = {one.task: one for one in map(library.find, others)}  # each once, by whichever names
    return with_decks(catalog, list(decks.values())).only([*(built_in & set(kinds)), *decks])


def scope_of(catalog: TaskCatalog) -> str | None:
    """What a skill in ``catalog`` is a mean over: 16 hex characters of its cells' SHA-256.

    None for everything that is built in, as skills were before anything else could be practised.
    """
    if catalog.tasks == load_catalog().tasks:
        return None
    cells = sorted(cell_name(task, level) for task, level in catalog.cells())
    return hashlib.sha256(" ".join(cells).encode()).hexdigest()[:16]


def decks_in(invite: Invite, library: DeckLibrary) -> tuple[list[InstalledDeck], list[bytes]]:
    """Of the decks of ``invite`` those that are here, and the SHA-256 of those that are not."""
    found = {digest: library.get(digest.hex()) for digest in invite.decks}
    here = [deck for deck in found.values() if deck is not None]
    return here, [digest for digest, deck in found.items() if deck is None]


def unshared_kinds(catalog: TaskCatalog, swarm: str) -> frozenset[TaskId]:
    """The decks of ``catalog`` that the invite to ``swarm`` does not name.

    No try at them is shared: right answers would show strangers what is in a person's own file.

    Raises:
        UsageError: ``swarm`` is neither an invite nor the name of an open swarm.
    """
    named = {task_of(digest.hex()) for digest in read_swarm(swarm).decks}
    return frozenset(catalog.decks) - named


def kinds_in_swarm(swarm: str, home: Home) -> tuple[str, ...]:
    """What a swarm on decks practises; empty where its invite names none.

    Raises:
        UsageError: a deck is not on this computer, so nobody agreed to it; or ``swarm`` is
            neither an invite nor the name of an open swarm.
    """
    here, missing = decks_in(read_swarm(swarm), DeckLibrary(home.decks))
    if missing:
        raise UsageError(
            translatable(
                "This swarm practises decks that are not on this computer. "
                "See them first, and agree to them, on the page Swarm."
            )
        )
    return tuple(deck.task for deck in here)


def practised_kinds(settings: Settings, home: Home) -> tuple[str, ...]:
    """The kinds that a run with these settings practises; empty: all that are built in.

    Those of the swarm come first: where its invite names decks, all members practise them alone.

    Raises:
        UsageError: as ``kinds_in_swarm`` does.
    """
    return kinds_in_swarm(settings.swarm.name, home) or settings.practice.kinds
