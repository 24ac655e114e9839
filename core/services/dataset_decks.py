"""Decks of public data sets: a table is fetched from a model hub and read like a file."""

import tempfile
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from core.decks.limits import MAX_NAME
from core.paths import explain_os_error
from core.services.decks import DeckDraft, DeckWish, draft_of_table
from core.services.progress import ProgressCounter, reporting
from core.services.service import SendReply, ServiceContext
from core.services.tables import table_of
from core.threads import aside

if TYPE_CHECKING:  # types only: the list of decks is there at once
    from core.models.download.listing import Listing
    from core.models.download.transfer import TransferOptions


@dataclass(frozen=True, slots=True)
class DatasetWish:
    """Which table of which data set a person wants."""

    repo: str  # owner/name
    path: str | None = None
    split: str | None = None
    rows: int | None = None  # the first ones, at most MAX_CARDS; None: all


async def draft_of_dataset(
    wanted: DatasetWish,
    wish: DeckWish,
    context: ServiceContext,
    tell: SendReply,
    consider: Callable[[str, str], None] = lambda _path, _commit: None,
) -> DeckDraft:
    """Fetch a table as it is now and make a deck of it; nothing is kept.

    What ``wish`` leaves empty of name, author and licence is what the hub says. ``consider`` is
    told what is going to be fetched, by its path, and at which commit.

    Raises:
        DeckError: there is no such table, it cannot be read, or no row of it is good.
        ModelError: the hub cannot be reached, refuses, or sends something else.
        HomeError: there is no room for the table.
    """
    from core.datasets.dataset import choose, is_parquet, listing_of, look_up
    from core.datasets.parquet import require_pyarrow
    from core.models.download.bandwidth import BandwidthLimit
    from core.models.download.hub import Hub
    from core.models.download.hub_token import find_token
    from core.models.download.transfer import TransferOptions

    bandwidth = BandwidthLimit(context.settings().network.models_bytes_s)
    options = TransferOptions(Hub(find_token), bandwidth=bandwidth)
    found = await aside(lambda _: look_up(options.hub, wanted.repo))
    path = choose(found, wanted.path, wanted.split)
    if is_parquet(path):
        require_pyarrow()  # before anything is fetched in vain
    listing = listing_of(found, path)
    consider(path, found.commit)
    data = await _fetch(found.repo, listing, options, tell)
    completed = replace(
        wish,
        name=wish.name or found.name[:MAX_NAME],
        author=wish.author or found.owner,
        licence=wish.licence or found.licence,
    )
    return await aside(lambda _: _draft(path, data, wanted.rows, completed))


async def _fetch(
    repo: str, listing: "Listing", options: "TransferOptions", tell: SendReply
) -> bytes:
    """The one file of ``listing``, checked; where the line breaks it goes on from there."""
    from core.models.download.transfer import DownloadProgress, Transfer

    (record,) = listing.files
    counter = ProgressCounter("downloading", total=record.size)
    progress = DownloadProgress(record.size, counter.report, counter.enter)
    transfer = Transfer(repo, listing, options, progress)
    with tempfile.TemporaryDirectory(prefix="waggle-", ignore_cleanup_errors=True) as name:
        folder = Path(name)
        try:
            transfer.require_space(folder, record.size)
            with reporting(counter, tell):
                async with transfer.session() as session:
                    await transfer.get(session, folder, record)
            return await aside(lambda _: (folder / record.name).read_bytes())
        except OSError as error:
            raise explain_os_error(error, folder) from error


def _draft(path: str, data: bytes, rows: int | None, wish: DeckWish) -> DeckDraft:
    from core.datasets.dataset import is_parquet
    from core.datasets.parquet import lines_of_parquet

    if is_parquet(path):
        columns = {part: _name(column) for part, column in wish.columns.items()}
        path, data = f"{path}.jsonl", lines_of_parquet(data, columns, rows)
    return draft_of_table(table_of(path, data, rows), wish)


def _name(column: str | int | None) -> str | None:
    return column if isinstance(column, str) else None
