"""What a person does with decks in the window: see what there is, keep, look at, remove, try."""

import asyncio
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from threading import Event

from core.api.decks import (
    MOST_DECKS,
    BuiltInKind,
    DeckKept,
    DeckOpened,
    DeckPlan,
    DeckProgress,
    DecksShown,
    DeckTried,
    ExportDeck,
    KeepDeck,
    LookAtDeck,
    RemoveDeck,
    SampleQuestion,
    ShowDecks,
    TryDeck,
)
from core.api.requests import done
from core.decks.library import DeckLibrary, InstalledDeck
from core.errors import CheckpointError, DeckError, ModelError, UnknownModelError, WaggleError
from core.i18n import remarks_of, translatable
from core.models.catalog.library import find_model
from core.paths import Home
from core.rollouts.types import cell_name
from core.services.data_folder import at_rest
from core.services.deck_preview import draft_of_plan
from core.services.deck_trial import trial_words, try_deck
from core.services.deck_words import samples_of, told_of
from core.services.decks import DeckDraft, install, require_room
from core.services.service import SendReply, ServiceContext
from core.services.skills import bounded, restore_skills
from core.storage.files import deliver
from core.tasks.catalog import TaskCatalog, load_catalog
from core.tasks.deck_tasks import decks_in, with_decks
from core.tasks.skills import Skills, load_base_skills
from core.threads import aside
from core.wire.invite import VERSION, Invite, read_swarm


@dataclass(frozen=True, slots=True)
class RemovedDeck:
    """A deck that is not here any more."""

    name: str
    is_chosen: bool  # ``practice.kinds`` names it; as long as it does, practice cannot begin


async def show_decks(request: ShowDecks, context: ServiceContext, tell: SendReply) -> None:
    """Answer with all that can be practised."""
    tell(await asyncio.to_thread(_show, context, request.model))


async def keep_deck(request: KeepDeck, context: ServiceContext, tell: SendReply) -> None:
    """Make the deck and keep it.

    Raises:
        DeckError: there is none in the file, it has an error, or there are too many already.
        HomeError: it cannot be written.
    """
    made = await aside(lambda stop: _keep(context.home, request.plan, stop))
    tell(DeckKept(deck=told_of(made)))


async def remove_deck(request: RemoveDeck, context: ServiceContext, tell: SendReply) -> None:
    """Forget a deck; the window, which alone writes the settings, takes it out of these.

    Raises:
        WaggleError: as ``remove`` does.
    """
    removed = await asyncio.to_thread(remove, context, request.digest)
    words = translatable(
        "{} is not here any more. What was learnt from it stays.", f"“{removed.name}”"
    )
    tell(done(words))


def remove(context: ServiceContext, name: str) -> RemovedDeck:
    """Forget the deck that a person calls ``name``, or the beginning of whose digest that is.

    Raises:
        HomeInUseError: a node runs, and its judge may be about to read it.
        HomeError: it cannot be removed.
        DeckError: it is not here, or there are several.
    """
    library = DeckLibrary(context.home.decks)
    installed = library.find(name)
    with at_rest(context.home):
        is_chosen = _is_chosen(context, library, installed)
        library.remove(installed)
    return RemovedDeck(installed.deck.name, is_chosen)


def _is_chosen(context: ServiceContext, library: DeckLibrary, deck: InstalledDeck) -> bool:
    """Whether the settings name ``deck``, in whichever way; not where they cannot be read."""
    kinds: tuple[str, ...] = ()
    with suppress(WaggleError):
        kinds = context.settings().practice.kinds
    built_in = {task.id for task in load_catalog().tasks}
    return any(_means(library, kind, deck) for kind in kinds if kind not in built_in)


def _means(library: DeckLibrary, name: str, deck: InstalledDeck) -> bool:
    try:
        return library.find(name) == deck
    except DeckError:
        return False


async def look_at_deck(request: LookAtDeck, context: ServiceContext, tell: SendReply) -> None:
    """Answer with some questions of a deck.

    Raises:
        DeckError: it is not here.
    """
    questions = await asyncio.to_thread(_sample, context.home, request.digest)
    tell(DeckOpened(digest=request.digest, questions=questions))


async def try_deck_on_request(request: TryDeck, context: ServiceContext, tell: SendReply) -> None:
    """Let a model try a deck, and say what that means.

    Raises:
        DeckError: there is no deck in the file, or none that is called so.
        WaggleError: the model or the judge cannot be used.
    """
    draft = await aside(lambda _stop: _draft_to_try(context.home, request))

    def on_progress(number: int, total: int) -> None:
        tell(DeckProgress(done=number, total=total))

    trial = await try_deck(context, request.model, draft, on_progress)
    words = trial_words(trial)
    tell(DeckTried(words=str(words), remarks=remarks_of(words), levels=trial.levels))


async def export_deck(request: ExportDeck, context: ServiceContext, tell: SendReply) -> None:
    """Write a deck to a file.

    Raises:
        DeckError: it is not here.
        HomeError: the file cannot be written.
    """
    path = Path(request.path)
    await asyncio.to_thread(_export, context.home, request.digest, path)
    tell(done(translatable("Saved: {}", path)))


def _export(home: Home, digest: str, path: Path) -> None:
    deliver(path, DeckLibrary(home.decks).find(digest).data)


def _draft_to_try(home: Home, request: TryDeck) -> DeckDraft:
    if request.plan is not None:
        return draft_of_plan(request.plan)
    return DeckDraft(DeckLibrary(home.decks).find(request.digest))


def _show(context: ServiceContext, model: str) -> DecksShown:
    home, swarm = context.home, Invite(VERSION, "")
    decks = DeckLibrary(home.decks).decks()[:MOST_DECKS]
    with suppress(WaggleError):  # settings that cannot be read are said where they are of use
        swarm = read_swarm(context.settings().swarm.name)
    here, missing = decks_in(swarm, DeckLibrary(home.decks))
    built_in = load_catalog()
    catalog = with_decks(built_in, decks)
    skills = _skills_of(home, model, catalog)
    kinds = [
        BuiltInKind(
            task=task.id,
            title=task.title,
            levels=len(task.levels),
            solved=_solved(skills, task.id, len(task.levels)),
        )
        for task in built_in.tasks
    ]
    told = [told_of(one, _solved(skills, one.task, len(one.deck.levels))) for one in decks]
    return DecksShown(
        model=model,
        decks=tuple(told),
        built_in=tuple(kinds),
        swarm=swarm.name if swarm.decks else "",
        swarm_tasks=tuple(deck.task for deck in here),
        missing=len(missing),
    )


def _skills_of(home: Home, model: str, catalog: TaskCatalog) -> Skills:
    """Those of ``model`` as last saved, as far as it is here; torch is not loaded."""
    skills = Skills(catalog)
    with suppress(UnknownModelError, ModelError, CheckpointError):  # the list is of use without
        spec = find_model(model, home)
        skills = Skills(catalog, load_base_skills(spec.folder))
        restore_skills(skills, home, spec)
    return skills


def _solved(skills: Skills, task: str, levels: int) -> float | None:
    """Mean share over ``levels``; what nobody knows is unsolved. None: nothing is known."""
    shares = [skills.share(cell_name(task, level)) for level in range(1, levels + 1)]
    if all(share is None for share in shares):
        return None
    return bounded(sum(share or 0.0 for share in shares) / levels)


def _keep(home: Home, plan: DeckPlan, stop: Event) -> InstalledDeck:
    home.prepare()
    library = DeckLibrary(home.decks)
    draft = draft_of_plan(plan)
    here = library.decks()
    require_room(here, more=0 if draft.installed in here else 1)
    if stop.is_set():
        raise InterruptedError  # nobody waits any more
    return install(draft, library)


def _sample(home: Home, digest: str) -> tuple[SampleQuestion, ...]:
    return samples_of(DeckLibrary(home.decks).find(digest))
