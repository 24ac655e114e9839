"""``waggle hub``: host a meeting point for a swarm."""

import argparse
import asyncio
import sys
from contextlib import suppress

from core.cli.parsing import Commands
from core.hub.run import DEFAULT_LISTEN, run_hub
from core.paths import Home

EXAMPLE = "Example: waggle hub --listen 127.0.0.1:8765"


def add_to(commands: Commands) -> None:
    """Declare the command."""
    parser = commands.add_parser("hub", help="host a meeting point for others", epilog=EXAMPLE)
    parser.add_argument(
        "--listen", default=DEFAULT_LISTEN, metavar="HOST:PORT", help="default: %(default)s"
    )
    parser.add_argument(
        "--store",
        metavar="sqlite:PATH",
        help="where rollouts are kept for a few minutes (default: hub.sqlite in the home)",
    )
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """Serve until interrupted."""
    home = Home(arguments.home)
    home.prepare()
    store = arguments.store or f"sqlite:{home.root / 'hub.sqlite'}"
    with suppress(KeyboardInterrupt):
        asyncio.run(run_hub(arguments.listen, store, _announce))
    return 0


def _announce(url: str) -> None:
    sys.stdout.write(f"The meeting point is open at {url}. Press Ctrl-C to close it.\n")
    sys.stdout.flush()
