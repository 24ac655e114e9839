"""Fetching models, checking and removing them: for the helper and the command line."""

import asyncio
from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext
from threading import Event

from core.api.models import (
    FetchModel,
    ForgetHubToken,
    HubTokenShown,
    ModelDone,
    RemoveModel,
    RemovePart,
    SetHubToken,
    ShowHubToken,
    VerifyModel,
)
from core.errors import ModelError
from core.i18n import translatable
from core.models.catalog.catalog import ModelSpec, load_models
from core.models.catalog.library import Library, remove_copies
from core.models.catalog.manifest import Manifest, OnBytes
from core.models.download.bandwidth import BandwidthLimit
from core.models.memory.fit import roomiest_budget
from core.models.memory.machine import machine_for
from core.paths import Home
from core.services.progress import ProgressCounter, reporting
from core.services.service import SendReply, ServiceContext
from core.threads import aside


async def show_hub_token(_request: ShowHubToken, _context: ServiceContext, tell: SendReply) -> None:
    """Answer whether there is a token.

    Raises:
        ModelError: what was found is no token.
    """
    from core.models.download.hub_token import find_token

    tell(HubTokenShown(is_kept=await asyncio.to_thread(find_token) is not None))


async def set_hub_token(request: SetHubToken, _context: ServiceContext, tell: SendReply) -> None:
    """Keep a token in this computer's keyring.

    Raises:
        ModelError: it is none, or there is no keyring.
    """
    from core.models.download.hub_token import keep_token

    await asyncio.to_thread(keep_token, request.token.strip())
    tell(HubTokenShown(is_kept=True))


async def forget_hub_token(
    _request: ForgetHubToken, _context: ServiceContext, tell: SendReply
) -> None:
    """Take the token out of the keyring; the environment may still hold one.

    Raises:
        ModelError: there is no keyring.
    """
    from core.models.download.hub_token import find_token, keep_token

    await asyncio.to_thread(keep_token, "")
    tell(HubTokenShown(is_kept=await asyncio.to_thread(find_token) is not None))


async def fetch_model(
    request: FetchModel,
    context: ServiceContext,
    tell: SendReply,
    consider: Callable[[ModelSpec], None] = lambda _: None,
) -> None:
    """Fetch a model, or the rest of it; one that is here and whole is left as it is.

    ``consider`` is told what is going to be fetched, before its weights are.

    Raises:
        WaggleError: it cannot be fetched; what came in so far is kept.
    """
    from core.models.download.download import fetch, wanted
    from core.models.download.hub import Hub
    from core.models.download.hub_token import find_token
    from core.models.download.transfer import TransferOptions

    library = Library(context.home.models)
    wish = wanted(request.model, library)
    manifest, counter = library.find(wish.id), ProgressCounter("waiting")

    def weigh(spec: ModelSpec) -> None:
        consider(spec)
        if not request.anyway:
            roomiest_budget(spec, machine_for(spec, context.settings()))  # raises MemoryShortError

    with reporting(counter, tell):
        if manifest is None or await _damaged(library, manifest, counter):
            undone = translatable("{} was not downloaded again", wish.title)
            alone = nullcontext() if manifest is None else working_alone(context.home, undone)
            settings = context.settings()
            options = TransferOptions(
                Hub(find_token),
                on_stage=counter.enter,
                bandwidth=BandwidthLimit(settings.network.models_bytes_s),
                spare=settings.rules.disk_spare,
            )
            counter.report(0, 0)
            with alone:
                manifest = await fetch(wish, library, options, counter.report, weigh)
    tell(ModelDone(size=manifest.size))


async def remove_part(request: RemovePart, context: ServiceContext, tell: SendReply) -> None:
    """Throw away what came in of a download.

    Raises:
        WaggleError: there is no such model, or it is being fetched right now.
    """
    library = Library(context.home.models)
    begun = library.find_begun(request.model)
    freed = 0 if begun is None else await asyncio.to_thread(library.discard, begun.id)
    tell(ModelDone(size=freed))


async def verify_model(request: VerifyModel, context: ServiceContext, tell: SendReply) -> None:
    """Compare a fetched model with what its hub announced.

    Raises:
        ModelError: it was not fetched, or is damaged.
    """
    manifest, damaged = await find_damage(request, context, tell)
    if damaged:
        raise ModelError(translatable("Damaged: {}. Download the model again.", ", ".join(damaged)))
    tell(ModelDone(size=manifest.size))


async def find_damage(
    request: VerifyModel, context: ServiceContext, tell: SendReply
) -> tuple[Manifest, list[str]]:
    """A fetched model, and the names of its files that are not what its hub announced.

    Raises:
        ModelError: it was not fetched.
    """
    library = Library(context.home.models)
    manifest = library.find(request.model)
    if manifest is None:
        raise ModelError(
            translatable("{} was not downloaded, so there is nothing to check.", request.model)
        )
    counter = ProgressCounter("verifying", total=manifest.size)
    with reporting(counter, tell):
        return manifest, await _damaged(library, manifest, counter)


async def remove_model(request: RemoveModel, context: ServiceContext, tell: SendReply) -> None:
    """Delete a fetched model and what was made from it; what it learnt is kept.

    Raises:
        WaggleError: a node runs, or there is nothing to remove.
    """
    freed = await asyncio.to_thread(remove, request.model, context.home)
    tell(ModelDone(size=freed))


def remove(name: str, home: Home) -> int:
    """Delete a fetched model and what was made from it; the bytes set free.

    Raises:
        ModelError: it ships with Waggle, or nothing of it is here.
        HomeInUseError: a node runs, and may be reading it.
    """
    from core.models.download.download import wanted

    shipped = load_models().find(name)
    if shipped is not None and shipped.repo is None:
        raise ModelError(
            translatable("{} comes with Waggle and stays. Nothing was removed.", shipped.title)
        )
    library = Library(home.models)
    begun = library.find_begun(name)
    model_id = begun.id if begun is not None else wanted(name, library).id
    home.prepare()
    # A running node reads the files, or the copies made of them.
    with working_alone(home, translatable("{} was not removed", name)):
        freed = library.remove(model_id) + remove_copies(home, model_id)
    if not freed:
        raise ModelError(
            translatable("Nothing of {} was on this computer; nothing was removed.", name)
        )
    return freed


def working_alone(home: Home, undone: str) -> AbstractContextManager[None]:
    """Hold ``home`` within a block.

    Raises:
        HomeInUseError: a node holds it; the message says what was therefore left ``undone``.
    """
    from core.services.data_folder import at_rest

    words = translatable(
        "A Waggle is running on {}, so {}. Stop it, then try again.", home.root, undone
    )
    return at_rest(home, words)


async def _damaged(library: Library, manifest: Manifest, counter: ProgressCounter) -> list[str]:
    """The names of the files that are not what was fetched; ``counter`` counts what was read."""
    counter.enter("verifying")
    counter.report(0, manifest.size)
    return await aside(lambda stop: library.damaged(manifest, _until(stop, counter.add)))


def _until(stop: Event, count: OnBytes) -> OnBytes:
    """``count``, that gives up once nobody waits any more."""

    def on_stage(size: int) -> None:
        if stop.is_set():
            raise InterruptedError
        count(size)

    return on_stage
