"""``waggle export``: take today's model away, for other programs."""

import argparse
import asyncio
from pathlib import Path

from core.api.models import ExportModel
from core.cli.output import say
from core.cli.parsing import Commands
from core.cli.progress import watched
from core.errors import UsageError
from core.models.catalog.library import find_model
from core.paths import Home
from core.services.backups import rounds_learnt
from core.services.exports import export_model
from core.services.service import ServiceContext
from core.settings import load_settings
from core.storage.files import size_of

EXAMPLE = "Example: waggle export --to gguf --quant q8_0 --out my-spark.gguf"
_WHAT = {
    "gguf": "one file for llama.cpp and the apps built on it",
    "merged": "a folder for transformers, with what was learnt folded in",
    "peft": "a folder with what was learnt alone, for PEFT",
}


def add_to(commands: Commands) -> None:
    """Declare the command."""
    parser = commands.add_parser(
        "export",
        help="take today's model away, for other programs",
        epilog=EXAMPLE,
        description="; ".join(f"{form}: {what}" for form, what in _WHAT.items()),
    )
    parser.add_argument("--to", choices=sorted(_WHAT), required=True, help="in which form")
    parser.add_argument(
        "--out", type=Path, required=True, metavar="PATH", help="the file or folder to write"
    )
    parser.add_argument(
        "--model", help="model to export (default: the one chosen in the window, at first spark)"
    )
    parser.add_argument(
        "--quant", choices=("f16", "q8_0"), help="precision of a gguf file (default: f16)"
    )
    parser.add_argument("--force", action="store_true", help="replace an earlier export")
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """Export the model as it was last saved; it may be practising meanwhile."""
    if arguments.quant and arguments.to != "gguf":
        raise UsageError("Only gguf has a choice of --quant. Leave it away.")
    home = Home(arguments.home)
    spec = find_model(arguments.model or load_settings(home.settings).window.model, home)
    rounds = rounds_learnt(home.checkpoints / spec.id)
    after = f"after {rounds} rounds" if rounds else "before its first round"
    say(f"Writing {spec.title} {after} as {_WHAT[arguments.to]}.")
    request = ExportModel(
        model=spec.id,
        form=arguments.to,
        path=str(arguments.out),
        quant=arguments.quant or "f16",
        replace=arguments.force,
    )
    try:
        with watched(f"Writing {spec.title}") as tell:
            asyncio.run(export_model(request, ServiceContext(home), tell))
    except UsageError as error:
        hint = "The place is --out; --force replaces an earlier export."
        raise UsageError(f"{error} {hint}") from error
    say(f"{arguments.out} is ready ({size_of(arguments.out) / 1e6:,.1f} MB).")
    return 0
