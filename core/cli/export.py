"""``waggle export``: take today's model away, for other programs."""

import argparse
import sys
from pathlib import Path

from core.cli.output import say
from core.cli.parsing import Commands
from core.errors import UsageError
from core.models.catalog.library import find_model
from core.paths import Home
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
    settings = load_settings(home.settings)
    spec = find_model(arguments.model or settings.window.model, home)
    from core.bootstrap import open_saved
    from core.models.export.export import ExportRequest, export_policy

    policy, progress = open_saved(home, spec)
    after = f"after {progress.round} rounds" if progress else "before its first round"
    say(f"Writing {spec.title} {after} as {_WHAT[arguments.to]}.")
    request = ExportRequest(arguments.to, arguments.out, arguments.quant or "f16", arguments.force)
    try:
        export_policy(policy, request, _show if sys.stdout.isatty() else _stay_silent)
    except UsageError as error:
        hint = "The place is --out; --force replaces an earlier export."
        raise UsageError(f"{error} {hint}") from error
    say(f"{arguments.out} is ready ({size_of(arguments.out) / 1e6:,.1f} MB).")
    return 0


def _show(share: float) -> None:
    sys.stdout.write(f"\r{share:4.0%} written" + ("\r" + " " * 12 + "\r" if share >= 1 else ""))
    sys.stdout.flush()


def _stay_silent(share: float) -> None:
    """A log is no place for a number that counts up."""
