"""``waggle models``: what can be trained here."""

import argparse

import msgspec

from core.cli.output import print_json, print_table
from core.cli.parsing import Commands
from core.models.catalog import ModelSpec, load_models

EXAMPLE = "Example: waggle models --json"


class Row(msgspec.Struct, frozen=True):
    """A model as ``--json`` prints it."""

    id: str
    title: str
    sentence: str
    family: str
    parameters: int
    licence: str


def add_to(commands: Commands) -> None:
    """Declare the command."""
    parser = commands.add_parser("models", help="list the models", epilog=EXAMPLE)
    parser.add_argument("--json", action="store_true", help="print JSON")
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """List the catalogue."""
    rows = [_row(spec) for spec in load_models().models]
    if arguments.json:
        print_json(rows)
    else:
        cells = [(r.id, f"{r.parameters / 1e6:.1f} million", r.sentence) for r in rows]
        print_table(["model", "parameters", "what it is"], cells)
    return 0


def _row(spec: ModelSpec) -> Row:
    return Row(spec.id, spec.title, spec.sentence, spec.family, spec.parameters, spec.licence)
