"""``waggle models``: what can be trained here; fetching models, checking and removing them."""

import argparse
import asyncio
import getpass
import warnings

from core.api.models import FetchModel, VerifyModel
from core.cli.model_list import row_of
from core.cli.output import print_item, print_json, print_table, say
from core.cli.parsing import Commands, add_common, without_json
from core.cli.progress import watched
from core.errors import MemoryShortError, ModelError
from core.models.catalog.catalog import ModelSpec
from core.models.catalog.library import Library
from core.models.memory.fit import judge_fit
from core.models.memory.machine import machine_for, rounds_by
from core.net.proxy import use_proxy
from core.paths import Home
from core.services.model_inventory import trainable_models
from core.services.models import fetch_model, find_damage, remove
from core.services.service import ServiceContext
from core.settings import SettingsFile, load_settings
from core.storage.room import size_in_words

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
        sub.set_defaults(run=without_json(action))
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
    token.set_defaults(run=without_json(_token))


def run(arguments: argparse.Namespace) -> int:
    """List the catalogue and whatever else was fetched."""
    home = Home(arguments.home)
    load_settings(home.settings)  # what fits depends on them; the window does without broken ones
    rows = [row_of(model) for model in trainable_models(home)]
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
    from core.models.download.download import wanted

    home = Home(arguments.home)
    use_proxy(load_settings(home.settings).network.proxy)
    wish = wanted(arguments.model, Library(home.models))
    home.prepare()
    fetched = list[ModelSpec]()

    def consider(spec: ModelSpec) -> None:
        fetched.append(spec)
        _describe(spec, home)

    request = FetchModel(model=arguments.model, anyway=arguments.anyway)
    try:
        with watched(f"Fetching {wish.title}") as tell:
            asyncio.run(fetch_model(request, ServiceContext(home), tell, consider))
    except MemoryShortError as error:
        raise MemoryShortError(f"{error} To fetch it all the same, add --anyway.") from error
    except KeyboardInterrupt:
        raise ModelError(
            f"Stopped fetching {wish.title}. What came in is kept; "
            f"go on with: waggle models get {arguments.model}"
        ) from None
    if fetched:
        say(f"{wish.title} is ready. Train it with: waggle join --model {wish.id}")
    else:
        say(f"{wish.title} is on this computer already.")
    return 0


def _describe(spec: ModelSpec, home: Home) -> None:
    """Before the weights are fetched, which are nearly all of a model."""
    if spec.terms:
        say(f"{spec.licence}: {spec.terms}")
    settings = SettingsFile(home.settings).current()
    machine = machine_for(spec, settings)
    fit = judge_fit(spec, machine, rounds_by(settings))
    say(
        f"{spec.title} on this computer: {fit.words}. Training takes about {fit.estimate.words}; "
        f"{size_in_words(machine.memory)} are free for it."
    )


def _verify(arguments: argparse.Namespace) -> int:
    request, context = VerifyModel(model=arguments.model), ServiceContext(Home(arguments.home))
    with watched(f"Checking {arguments.model}") as tell:
        manifest, damaged = asyncio.run(find_damage(request, context, tell))
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
        with warnings.catch_warnings():
            warnings.simplefilter("error", getpass.GetPassWarning)  # there is no terminal
            token = getpass.getpass(question).strip()
    except (EOFError, getpass.GetPassWarning):
        raise ModelError(
            "No token came. Run this in a terminal and paste the token there."
        ) from None
    keep_token(token)
    say("The keyring of this computer keeps it." if token else "The token is gone.")
    return 0
