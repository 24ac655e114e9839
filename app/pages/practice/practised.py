"""Which kinds of puzzles are practised, as the settings say it, and how that is changed; pure.

In the settings no kinds at all are all that are built in, and no deck. What they name and is not
here any more goes with the first change. Members of a swarm on decks practise these, whatever the
settings say.
"""

from collections.abc import Collection, Sequence
from functools import partial

from msgspec.structs import replace

from app.state.fields import Field
from app.state.intents import Keep
from core.api.decks import DecksShown
from core.settings import Settings

_KINDS = Field("practice", "kinds")


def practised(settings: Settings, shown: DecksShown) -> frozenset[str]:
    """The tasks of ``shown`` that are practised."""
    if shown.swarm:
        return frozenset(shown.swarm_tasks)
    built_in = frozenset(kind.task for kind in shown.built_in)
    named = frozenset(settings.practice.kinds)
    return (named & (built_in | {deck.task for deck in shown.decks})) if named else built_in


def missing(settings: Settings, shown: DecksShown) -> bool:
    """Something that is to be practised is not here, so practice cannot begin."""
    if shown.swarm:
        return shown.missing > 0
    return len(practised(settings, shown)) < len(frozenset(settings.practice.kinds))


def choosing(tasks: Collection[str], shown: DecksShown) -> Keep | None:
    """The wish to practise ``tasks`` and nothing else; None where that would be nothing."""
    built_in = [kind.task for kind in shown.built_in]
    every = [*(deck.task for deck in shown.decks), *built_in]
    chosen = [task for task in every if task in tasks]
    if not chosen:
        return None
    return _KINDS.keep(() if chosen == built_in else tuple(chosen))


def forgetting(task: str) -> Keep:
    """The wish to practise ``task`` no more; where it was all, what is built in."""
    return Keep(partial(_without, task=task))


def _without(settings: Settings, *, task: str) -> Settings:
    kept: Sequence[str] = [kind for kind in settings.practice.kinds if kind != task]
    return replace(settings, practice=replace(settings.practice, kinds=tuple(kept)))
