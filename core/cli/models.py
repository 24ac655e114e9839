"""``waggle models``: what can be trained here; fetching models, checking and removing them."""

import argparse
import getpass
import sys
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext

from rich.console import Console
from rich.progress import (
    BarColumn,
    DownloadColumn,
    Progress,
    TextColumn,
    TimeRemainingColumn,
    TransferSpeedColumn,
)

from core.cli.model_list import row_of
from core.cli.output import print_item, print_json, print_table, say
from core.cli.parsing import Commands, add_common
from core.errors import MemoryShortError, ModelError
from core.models.catalog.catalog import ModelSpec, size_in_words
from core.models.catalog.library import Library
from core.models.catalog.manifest import Manifest
from core.models.download.progress import Report
from core.models.memory.fit import judge_fit
from core.models.memory.machine import machine_for
from core.net.proxy import use_proxy
from core.paths import Home
from core.services.model_inventory import trainable_models
from core.services.models import fetched, remove, require_fit, working_alone
from core.settings import load_settings

EXAMPLE = "Example: waggle models get smollm2-135m"


def add_to(commands: Commands) -> None:
    """Declare the command and its actions."""
    parser = commands.add_parser("models", help="list the models, or fetch one", epilog=EXAMPLE)
    parser.add_argument("--json", action="store_true", help="print JSON")
    parser.set_defaults(run=run)
    actions = parser.add_subparsers(title="actions", metavar="ACTION")
    for name, action, words in (
        ("get", _get, "fetch a model from Hugging Face, or the rest of it"),
        ("verify", _verify, "compare a fetched model with what its hub announced"),
        ("remove", _remove, "delete a fetched model"),
    ):
        sub = actions.add_parser(
            name, help=words, epilog=f"Example: waggle models {name} qwen3-0.6b"
        )
        sub.add_argument("model", help="an id of the list, or owner/name on Hugging Face")
        add_common(sub, again=True)
        sub.set_defaults(run=action)
        if action is _get:
            sub.add_argument(
                "--anyway", action="store_true", help="fetch it even if it is too large to train"
            )
    token = actions.add_parser(
        "token",
        help="keep an access token for Hugging Face in this computer's keyring",
        epilog="Example: waggle models token",
    )
    add_common(token, again=True)
    token.set_defaults(run=_token)


def run(arguments: argparse.Namespace) -> int:
    """List the catalogue and whatever else was fetched."""
    rows = [row_of(model) for model in trainable_models(Home(arguments.home))]
    if arguments.json:
        print_json(rows)
        return 0
    headings = ["model", "parameters", "download", "memory", "on this computer"]
    print_table(headings, [row.cells for row in rows])
    for row in rows:
        print_item(row.id, row.words)
    say()
    print_item("memory", "an estimate of what training takes at its peak.")
    return 0


def _get(arguments: argparse.Namespace) -> int:
    import asyncio

    from core.models.download.bandwidth import BandwidthLimit
    from core.models.download.download import fetch, wanted
    from core.models.download.hub import Hub
    from core.models.download.hub_token import find_token
    from core.models.download.transfer import TransferOptions

    home = Home(arguments.home)
    network = load_settings(home.settings).network
    use_proxy(network.proxy)
    library = Library(home.models)
    wish = wanted(arguments.model, library)
    home.prepare()
    manifest = library.find(wish.id)
    if manifest is not None and not _damaged(library, manifest):
        say(f"{wish.title} is on this computer already.")
        return 0
    if wish.spec is not None and wish.spec.terms:
        say(f"{wish.spec.licence}: {wish.spec.terms}")

    def consider(spec: ModelSpec) -> None:
        _say_whether_it_fits(spec, anyway=arguments.anyway)

    replaces = manifest is not None  # files that a running node reads
    undone = f"{wish.title} was not fetched again"
    means = TransferOptions(Hub(find_token), brake=BandwidthLimit(network.models_bytes_s))
    alone = working_alone(home, undone) if replaces else nullcontext()
    try:
        with alone, _progress(f"Fetching {wish.title}") as report:
            asyncio.run(fetch(wish, library, means, report, consider))
    except KeyboardInterrupt:
        raise ModelError(
            f"Stopped fetching {wish.title}. What came in is kept; "
            f"go on with: waggle models get {arguments.model}"
        ) from None
    say(f"{wish.title} is ready. Train it with: waggle join --model {wish.id}")
    return 0


def _say_whether_it_fits(spec: ModelSpec, *, anyway: bool) -> None:
    """Before the weights are fetched, which are nearly all of a model.

    Raises:
        MemoryShortError: it does not, and nobody insists.
    """
    machine = machine_for(spec)
    fit = judge_fit(spec, machine)
    say(
        f"{spec.title} on this computer: {fit.verdict}. Training takes about {fit.estimate.words}; "
        f"{size_in_words(machine.memory)} are free."
    )
    if anyway:
        return
    try:
        require_fit(spec)
    except MemoryShortError as error:
        raise MemoryShortError(f"{error} To fetch it all the same, add --anyway.") from error


def _verify(arguments: argparse.Namespace) -> int:
    library = Library(Home(arguments.home).models)
    manifest = fetched(library, arguments.model)
    damaged = _damaged(library, manifest)
    if damaged:
        raise ModelError(
            f"Of {manifest.id}, these files are damaged: {', '.join(damaged)}. "
            f"Fetch it again with: waggle models get {manifest.repo}"
        )
    say(f"{manifest.id} is whole: {len(manifest.files)} files of {manifest.repo}.")
    return 0


def _remove(arguments: argparse.Namespace) -> int:
    freed = remove(arguments.model, Home(arguments.home))
    say(f"Removed {arguments.model}; {size_in_words(freed)} are free again.")
    return 0


def _token(_arguments: argparse.Namespace) -> int:
    from core.models.download.hub_token import keep_token

    question = "Access token of huggingface.co/settings/tokens (empty removes it): "
    try:
        token = getpass.getpass(question).strip()
    except EOFError:
        raise ModelError(
            "The input ended before a token came. Run this in a terminal and paste the token there."
        ) from None
    keep_token(token)
    say("The keyring of this computer keeps it." if token else "The token is gone.")
    return 0


def _damaged(library: Library, manifest: Manifest) -> list[str]:
    done = 0
    with _progress(f"Checking {manifest.id}") as report:

        def read(count: int) -> None:
            nonlocal done
            done += count
            report(done, manifest.size)

        return library.damaged(manifest, read)


@contextmanager
def _progress(words: str) -> Iterator[Report]:
    """A bar on stderr; nothing where nobody watches."""
    columns = (
        TextColumn("{task.description}"),
        BarColumn(),
        DownloadColumn(),
        TransferSpeedColumn(),
        TimeRemainingColumn(),
    )
    console = Console(stderr=True)
    with Progress(
        *columns, console=console, transient=True, disable=not sys.stderr.isatty()
    ) as bar:
        task = bar.add_task(words, total=None)

        def report(done: int, total: int) -> None:
            bar.update(task, completed=done, total=total)

        yield report
