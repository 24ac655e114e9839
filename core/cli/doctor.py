"""``waggle doctor``: is everything in order here, in words."""

import argparse
from pathlib import Path

from core.cli.output import print_json, say
from core.cli.parsing import Commands
from core.paths import Home
from core.services.checkup import look_at_everything
from core.services.findings import is_sound
from core.services.support_file import write_support_file

EXAMPLE = "Example: waggle doctor --json"


def add_to(commands: Commands) -> None:
    """Declare the command."""
    parser = commands.add_parser("doctor", help="check this computer", epilog=EXAMPLE)
    parser.add_argument("--json", action="store_true", help="print JSON")
    parser.add_argument(
        "--bundle",
        type=Path,
        metavar="FILE",
        help="also write a file for whoever helps you, without addresses, keys and invites",
    )
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """Look at everything; exit code 1 where something would keep a node from practising."""
    home = Home(arguments.home)
    findings = look_at_everything(home)
    if arguments.json:
        print_json(findings)
    else:
        for finding in findings:
            say(f"{finding.mark} {finding.area}: {finding.words}")
    if arguments.bundle is not None:
        words = write_support_file(arguments.bundle, home, findings)
        if not arguments.json:
            say(words)
    return 0 if is_sound(findings) else 1
