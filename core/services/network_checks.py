"""Checks of the network for ``waggle doctor``; none of it is needed to practise.

Nothing here takes longer than ``TIMEOUT_S``, not even a name service that does not answer.
"""

import asyncio
import importlib.util
import time
from typing import Final

import aiohttp
from aiohttp import web

from core.api.maintenance import Finding
from core.errors import SwarmError, UsageError, WaggleError, WireError
from core.i18n import TranslatableText, translatable
from core.net.addresses import parse_hub_url
from core.net.asking import FAILURES, open_session, why_not
from core.net.greeting import greet
from core.net.listening import ListenAddress, listening
from core.net.names import PublicNames
from core.net.serving import ServerLimits
from core.net.tls import meet, server_context
from core.rollouts.types import PeerId
from core.services.findings import ailing, found, look_at
from core.settings import SwarmSettings
from core.swarm.directory import NamedHub, hubs_for
from core.swarm.lan.interfaces import look_around
from core.swarm.status_text import SKEW_WORTH_TELLING_S
from core.wire.codec import Reason
from core.wire.identity import Identity
from core.wire.invite import read_swarm

TIMEOUT_S: Final = 4.0
_WHOLE_SECONDS: Final = 2  # of which hellos tell

_EXTRAS: Final = {
    "libtorrent": translatable(
        "not installed; with the package libtorrent others are found through the BitTorrent network"
    ),
    "redis": translatable(
        "not installed; with the package redis a hub of yours can keep its rollouts in Redis"
    ),
}


def check_network(settings: SwarmSettings, proxy: str = "") -> list[Finding]:
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
    return translatable("others nearby can be looked for on {}", names)


async def _door() -> str:
    """Open a port as a node does, and knock at it.

    Raises:
        SwarmError: nobody could ask this computer directly.
    """
    who = Identity.generate()
    place = ListenAddress("", 0, server_context(who))
    try:
        async with listening(web.Application(), place, ServerLimits()) as port:
            met = await meet("127.0.0.1", port)
    except SwarmError as error:
        raise SwarmError(
            translatable(
                "Nobody can ask this computer directly ({}). "
                "Let Waggle open ports in the firewall, or meet others at hubs.",
                error,
            )
        ) from error
    if met.peer != who.peer_id:
        raise SwarmError(
            translatable("Somebody else answers at this computer's ports. Ask who looks after it.")
        )
    return translatable("a port can be opened for others on this network")


async def _meeting_points(settings: SwarmSettings, proxy: str) -> list[Finding]:
    try:
        invite = read_swarm(settings.name)
    except UsageError as error:
        return [ailing("swarm", error)]
    hubs = hubs_for(invite, settings.hubs)
    if not hubs:
        words = translatable("none is named; others are met on this network and by invites")
        return [found("meeting points", words, needed=False)]
    names = PublicNames(proxy, (hub.url for hub in hubs if not hub.stays_outside))
    async with open_session(names, proxy) as session:
        return list(await asyncio.gather(*(_meeting_point(session, hub) for hub in hubs)))


async def _meeting_point(session: aiohttp.ClientSession, hub: NamedHub) -> Finding:
    url, peer, _ = hub
    try:
        async with asyncio.timeout(TIMEOUT_S):
            words = await _greeted(session, url, peer)
    except FAILURES as error:
        words = translatable(
            "{} does not answer ({}). Check its address and this computer's connection.",
            url,
            why_not(error),
        )
        return found("meeting point", words, ok=False, needed=False)
    except UsageError as error:  # no address at all, with which no run begins
        return ailing("meeting point", error)
    except WaggleError as error:
        return ailing("meeting point", error, needed=False)
    return found("meeting point", words, needed=False)


async def _greeted(session: aiohttp.ClientSession, url: str, peer: PeerId | None) -> str:
    """A sentence about a hub that answers.

    Raises:
        aiohttp.ClientError, OSError, ValueError, WireError: it does not.
        WaggleError: it is of no use as things are.
    """
    try:
        hello = await greet(session, parse_hub_url(url).url)
    except WireError as error:
        if error.reason != Reason.VERSION:
            raise
        raise SwarmError(
            translatable(
                "{} is a meeting point of another release. "
                "Update Waggle; if it is up to date, the meeting point has to be.",
                url,
            )
        ) from error
    if hello.kind != "hub" or peer not in (None, hello.peer_id):
        raise SwarmError(translatable("Somebody else answers at {}. Ask for a new invite.", url))
    ahead = hello.time - time.time()
    if abs(ahead) > SKEW_WORTH_TELLING_S:
        raise SwarmError(_clock_is_off(url, ahead))
    if abs(ahead) <= _WHOLE_SECONDS:
        return translatable("{} answers, with the same time", url)
    return translatable("{} answers, with a clock {} s apart", url, f"{abs(ahead):.0f}")


def _clock_is_off(url: str, ahead: float) -> TranslatableText:
    minutes = f"{abs(ahead) / 60:.0f}"
    if ahead > 0:
        return translatable(
            "{} answers, but its clock is {} minutes before this computer's. Set the clock.",
            url,
            minutes,
        )
    return translatable(
        "{} answers, but its clock is {} minutes behind this computer's. Set the clock.",
        url,
        minutes,
    )


def _extra(name: str) -> Finding:
    here = importlib.util.find_spec(name) is not None
    return found(name, translatable("installed") if here else _EXTRAS[name], ok=here, needed=False)
