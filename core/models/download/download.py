"""Fetches a model: whole and checked, or not at all.

Files grow in the draft folder of ``core.models.catalog.library``; an interrupted download goes on
there. Cancel one by cancelling its task.
"""

import shutil
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path

from msgspec.structs import replace

from core.errors import BusyError, MemoryShortError, ModelError
from core.i18n import translatable
from core.models.catalog.catalog import ModelSpec, id_of, is_repository, load_models
from core.models.catalog.inspection import (
    check_description,
    check_listed,
    check_weights,
    derive_spec,
)
from core.models.catalog.library import GO_ON, NOTE, Library
from core.models.catalog.manifest import FileRecord, Manifest
from core.models.download.listing import Listing
from core.models.download.transfer import (
    DownloadProgress,
    Report,
    Transfer,
    TransferOptions,
    part_name,
)
from core.paths import explain_os_error
from core.threads import aside, to_the_end


@dataclass(frozen=True, slots=True)
class Wanted:
    """A model to be fetched."""

    id: str
    title: str
    repo: str
    spec: ModelSpec | None  # None: it is in no catalogue

    def describe(self, folder: Path) -> ModelSpec:
        """The model as it lies in ``folder``.

        Raises:
            ModelError: it is of no use.
        """
        if self.spec is None:
            return derive_spec(self.repo, folder)
        return replace(self.spec, folder=folder)


def wanted(name: str, library: Library) -> Wanted:
    """Understand what a person asked for: an id of the catalogue, ``owner/name``, or an id here.

    Raises:
        UnknownModelError: none of these.
        ModelError: that model ships with Waggle.
    """
    catalogue = load_models()
    if catalogue.find(name) is None:
        begun = None if is_repository(name) else library.find_begun(name)
        repo = begun.repo if begun is not None else name
        if is_repository(repo):
            return Wanted(id_of(repo), repo, repo, None)
    spec = catalogue.get(name)
    if spec.repo is None:
        raise ModelError(
            translatable("{} ships with Waggle. There is nothing to download.", spec.title)
        )
    return Wanted(spec.id, spec.title, spec.repo, spec)


Consider = Callable[[ModelSpec], None]
"""Is told what is going to be fetched, and may raise MemoryShortError."""


async def fetch(
    wish: Wanted,
    library: Library,
    options: TransferOptions,
    report: Report,
    consider: Consider = lambda _: None,
) -> Manifest:
    """Fetch a model, or the rest of it; one that is there already is replaced.

    Raises:
        UnknownModelError: the hub knows no such model.
        ModelError: it cannot be fetched now, or would be of no use; nothing was installed.
        BusyError: whether it is of use cannot be told now; what came in so far is kept.
        MemoryShortError: ``consider`` found it too large.
        HomeError: the disk refuses, for one because it is full; what came in so far is kept.
    """
    gated = wish.spec is not None and wish.spec.gated
    listing = await aside(lambda _: options.hub.listing(wish.repo, gated=gated))
    await to_the_end(library.sweep)
    manifest = Manifest(wish.id, wish.repo, listing.commit, listing.files)
    with library.draft(wish.id) as draft:
        progress = DownloadProgress(listing.size, report, options.on_stage)
        transfer = Transfer(wish.title, listing, options, progress)
        try:
            there = await to_the_end(lambda: _tidy(draft, listing))
            transfer.require_space(draft, listing.size - there + options.spare)
            await to_the_end(lambda: library.note(draft, manifest))
            used = await _complete(wish, listing, transfer, draft, consider)
        except OSError as error:
            raise explain_os_error(error, draft, GO_ON) from error
        manifest = Manifest(wish.id, wish.repo, used.commit, used.files)
        await to_the_end(lambda: library.publish(draft, manifest))
    return manifest


async def _complete(
    wish: Wanted, listing: Listing, transfer: Transfer, draft: Path, consider: Consider
) -> Listing:
    """Fill and check ``draft``, the description first: it may spare gigabytes; what is used."""
    async with transfer.session() as session:
        for record in listing.description:
            await transfer.get(session, draft, record)
        async with _discarding(draft):
            spec, used = await _understand(wish, listing, draft)
        for record in set(listing.files) - set(used.files):  # an older try may have fetched them
            for path in _places(draft, record):
                path.unlink(missing_ok=True)
        transfer.narrow(used)
        try:
            consider(spec)
        except MemoryShortError:  # gigabytes that came in before are kept
            if not any(path.exists() for r in used.weights for path in _places(draft, r)):
                shutil.rmtree(draft, ignore_errors=True)
            raise
        for record in used.weights:
            await transfer.get(session, draft, record)
    async with _discarding(draft):
        await aside(lambda _: check_weights(spec))
    return used


async def look_up(wish: Wanted, options: TransferOptions, folder: Path) -> tuple[ModelSpec, int]:
    """Fetch the description of a model alone into ``folder``; what it is, and bytes of the whole.

    Raises:
        UnknownModelError: the hub knows no such model.
        ModelError: it cannot be had now, or would be of no use.
        HomeError: the disk refuses.
    """
    gated = wish.spec is not None and wish.spec.gated
    listing = await aside(lambda _: options.hub.listing(wish.repo, gated=gated))
    transfer = Transfer(
        wish.title, listing, options, DownloadProgress(listing.size, lambda *_: None)
    )
    try:
        async with transfer.session() as session:
            for record in listing.description:
                await transfer.get(session, folder, record)
    except OSError as error:
        raise explain_os_error(error, folder) from error
    spec, used = await _understand(wish, listing, folder)
    return spec, used.size


async def _understand(wish: Wanted, listing: Listing, folder: Path) -> tuple[ModelSpec, Listing]:
    """The model that the files in ``folder`` describe, and the files that it needs.

    Raises:
        ModelError: such a model is of no use.
    """
    spec = wish.describe(folder)
    await aside(lambda _: check_description(spec))
    needed = check_listed(spec, {record.name for record in listing.weights})
    return spec, listing.with_weights(needed)


def _places(draft: Path, record: FileRecord) -> tuple[Path, Path]:
    """Where ``record`` lies in ``draft``: complete, and on its way."""
    return draft / record.name, draft / part_name(record)


def _tidy(draft: Path, listing: Listing) -> int:
    """Drop what belongs to another version of the model; the bytes that remain.

    The note stays, without which nobody would learn of them.
    """
    kept = {draft / NOTE, *(path for r in listing.files for path in _places(draft, r))}
    for path in draft.iterdir():
        if path not in kept:
            path.unlink()
    return sum(path.stat().st_size for path in draft.iterdir())


@asynccontextmanager
async def _discarding(draft: Path) -> AsyncIterator[None]:
    """Keep nothing of a model that is of no use; of one that may be, all."""
    try:
        yield
    except BusyError:
        raise
    except ModelError:
        await to_the_end(lambda: shutil.rmtree(draft, ignore_errors=True))
        raise
