"""``waggle hub``: host a meeting point for a swarm."""

import argparse
import asyncio
import sys
from contextlib import suppress
from functools import partial

from core.cli.parsing import Commands
from core.hub.census import Census
from core.hub.run import DEFAULT_LISTEN, HubOptions, run_hub
from core.net.addresses import parse_hub_url
from core.paths import Home
from core.rollouts.types import PeerId
from core.services.hosting import addresses_of
from core.swarm.directory import load_swarms
from core.wire.identity import load_or_create_identity

EXAMPLE = "Example: waggle hub --listen 127.0.0.1:8765"


def add_to(commands: Commands) -> None:
    """Declare the command."""
    parser = commands.add_parser("hub", help="host a meeting point for others", epilog=EXAMPLE)
    parser.add_argument(
        "--listen", default=DEFAULT_LISTEN, metavar="HOST:PORT", help="default: %(default)s"
    )
    parser.add_argument(
        "--store",
        metavar="STORE",
        help="where rollouts are kept for a few minutes: sqlite:PATH, redis://HOST:PORT or "
        "redis+cluster://HOST:PORT (default: sqlite:hub.sqlite in the home)",
    )
    parser.add_argument(
        "--url", default="", metavar="URL", help="where others find it, if not at --listen"
    )
    parser.add_argument(
        "--behind-proxy",
        action="store_true",
        help="visitors come by a proxy on this computer, such as Caddy, which names them",
    )
    parser.add_argument(
        "--announce",
        action=argparse.BooleanOptionalAction,
        default=False,
        help="let others find it through the BitTorrent network (default: no)",
    )
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """Serve until interrupted."""
    home = Home(arguments.home)
    home.prepare()
    store = arguments.store or f"sqlite:{home.root / 'hub.sqlite'}"
    url = parse_hub_url(arguments.url).url if arguments.url else ""
    choice = HubOptions(arguments.listen, store, url, arguments.behind_proxy)
    identity = load_or_create_identity(home.hub_identity)
    announcer = partial(_announce_swarms, home) if arguments.announce else None
    with suppress(KeyboardInterrupt):
        asyncio.run(run_hub(choice, identity, partial(_tell_ready, identity.peer_id), announcer))
    return 0


def _tell_ready(peer: PeerId, url: str) -> None:
    sys.stdout.write(
        f"The meeting point is open at {addresses_of(url)[0]}. Press Ctrl-C to close it.\n"
        f"Its id is {peer}; an invite may name it: waggle invite new --name NAME --hub URL#ID\n"
    )
    sys.stdout.flush()


async def _announce_swarms(home: Home, census: Census, port: int) -> None:
    """Announce the listed swarms and those that are here, as long as the hub is open."""
    from core.swarm.dht.hub_announcing import announce_hub

    listed = [swarm.name for swarm in load_swarms()]
    await announce_hub(home.dht, port, lambda: [*census.names(), *listed])
