"""All commands with their options. It takes a second to import, as they do."""

import argparse

from core.cli import (
    bench,
    deck,
    doctor,
    exam,
    export,
    hub,
    invite,
    join,
    lab,
    models,
    skills,
    tasks,
)
from core.cli.parsing import add_common
from core.version import VERSION

COMMANDS = (join, hub, invite, deck, models, skills, exam, export, tasks, doctor, bench, lab)


def build_parser() -> argparse.ArgumentParser:
    """All commands with their options and examples."""
    parser = argparse.ArgumentParser(
        prog="waggle",
        description="Lend this computer to a swarm that trains small language models together.",
        epilog="Example: waggle join --solo --rounds 20",
    )
    add_common(parser)
    parser.add_argument("--version", action="version", version=f"%(prog)s {VERSION}")
    commands = parser.add_subparsers(title="commands", metavar="COMMAND", required=True)
    for command in COMMANDS:
        command.add_to(commands)
    for name in set(commands.choices):
        add_common(commands.choices[name], again=True)
    return parser
