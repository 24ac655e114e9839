"""What ``waggle doctor`` sees of the network; none of it is needed to practise.

Nothing here takes longer than ``PATIENCE_S``, not even a name service that does not answer.
"""

import asyncio
import importlib.util
import time
from typing import Final

import aiohttp
from aiohttp import web

from core.engine.desk.care import Finding
from core.errands.findings import look_at
from core.errors import SwarmError, UsageError, WaggleError, WireError
from core.net.addresses import parse_hub_url
from core.net.asking import open_session
from core.net.greeting import greet
from core.net.listening import Place, listening
from core.net.serving import ServerLimits
from core.net.tls import meet, server_context
from core.rollouts.types import PeerId
from core.settings import SwarmSettings
from core.swarm.directory import hubs_of
from core.swarm.interfaces import look_around
from core.swarm.words import SKEW_WORTH_TELLING_S
from core.wire.identity import Identity
from core.wire.invite import peer_of, read_swarm

PATIENCE_S: Final = 4.0
_WHOLE_SECONDS: Final = 2  # of which hellos tell
Hub = tuple[str, PeerId | None]  # URL, and who has to be there

_EXTRAS: Final = {
    "libtorrent": "finds others through the BitTorrent network: pip install 'waggle[dht]'",
    "redis": "lets a hub of yours keep its rollouts in Redis: pip install 'waggle[hub]'",
}


def look_at_network(settings: SwarmSettings, proxy: str = "") -> list[Finding]:
    """All that can be said of it in a few seconds."""
    return [
        look_at("local network", _local_network, needed=False),
        look_at("door", lambda: asyncio.run(_door()), needed=False),
        *asyncio.run(_meeting_points(settings, proxy)),
        *(_extra(name) for name in _EXTRAS),
    ]


def _local_network() -> str:
    judgement = look_around()
    if judgement.words is not None:
        raise SwarmError(judgement.words)
    names = ", ".join(sorted(one.name for one in judgement.usable))
    return f"others nearby can be looked for on {names}"


async def _door() -> str:
    """Open a port as a node does, and knock at it.

    Raises:
        SwarmError: nobody could ask this computer directly.
    """
    who = Identity.generate()
    place = Place("", 0, server_context(who))
    try:
        async with listening(web.Application(), place, ServerLimits()) as port:
            met = await meet("127.0.0.1", port)
    except SwarmError as error:
        raise SwarmError(
            f"Nobody can ask this computer directly ({error}). "
            "Let Waggle open ports in the firewall, or meet others at hubs."
        ) from error
    if met.peer != who.peer_id:
        raise SwarmError("Somebody else answers at this computer's ports. Ask who looks after it.")
    return "a port can be opened for others on this network"


async def _meeting_points(settings: SwarmSettings, proxy: str) -> list[Finding]:
    try:
        invite = read_swarm(settings.name)
    except UsageError as error:
        return [Finding("swarm", ok=False, words=str(error))]
    hubs: list[Hub] = [(hub.url, peer_of(hub)) for hub in invite.hubs]
    hubs += [(url, None) for url in (*settings.hubs, *hubs_of(invite.name))]
    if not hubs:
        words = "none is named; others are met on this network and by invites"
        return [Finding("meeting points", ok=True, words=words, needed=False)]
    async with open_session(proxy=proxy) as session:
        return list(await asyncio.gather(*(_meeting_point(session, hub) for hub in hubs)))


async def _meeting_point(session: aiohttp.ClientSession, hub: Hub) -> Finding:
    url, peer = hub
    try:
        async with asyncio.timeout(PATIENCE_S):
            words = await _greeted(session, url, peer)
    except (aiohttp.ClientError, OSError, ValueError, WireError) as error:
        words = (
            f"{url} does not answer ({str(error) or type(error).__name__}). "
            "Check its address and this computer's connection."
        )
    except WaggleError as error:
        words = str(error)
    else:
        return Finding("meeting point", ok=True, words=words, needed=False)
    return Finding("meeting point", ok=False, words=words, needed=False)


async def _greeted(session: aiohttp.ClientSession, url: str, peer: PeerId | None) -> str:
    """What is to be said of a hub that answers.

    Raises:
        aiohttp.ClientError, OSError, ValueError, WireError: it does not.
        WaggleError: it is of no use as things are.
    """
    hello = await greet(session, parse_hub_url(url).url)
    if hello.kind != "hub" or peer not in (None, hello.peer_id):
        raise SwarmError(f"Somebody else answers at {url}. Ask for a new invite.")
    ahead = hello.time - time.time()
    if abs(ahead) > SKEW_WORTH_TELLING_S:
        raise SwarmError(
            f"{url} answers, but its clock is {abs(ahead) / 60:.0f} minutes "
            f"{'before' if ahead > 0 else 'behind'} this computer's. Set the clock."
        )
    apart = "the same time" if abs(ahead) <= _WHOLE_SECONDS else f"a clock {abs(ahead):.0f} s apart"
    return f"{url} answers, with {apart}"


def _extra(name: str) -> Finding:
    here = importlib.util.find_spec(name) is not None
    words = "installed" if here else f"not installed; it {_EXTRAS[name]}"
    return Finding(name, ok=here, words=words, needed=False)
