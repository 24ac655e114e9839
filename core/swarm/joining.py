"""Entering a swarm by every way that is open, and leaving it again."""

import logging
import re
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import AsyncExitStack, aclosing, asynccontextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

from core.errors import HomeError, SwarmError, UsageError
from core.i18n import translatable
from core.net.addresses import parse_hub_url
from core.settings import MOST_PORT
from core.swarm.address_book import load_addresses, save_addresses
from core.swarm.background import kept, running
from core.swarm.dht.discovery import Dht
from core.swarm.dht.internet import Here, InternetFinder, leads_outside
from core.swarm.dht.state import opened_dht, read_state
from core.swarm.directory import NamedHub
from core.swarm.exchange.direct_server import DirectServer, ServerOptions
from core.swarm.exchange.validation import Self
from core.swarm.lan.discovery import Lan, LanContext, LanFinder
from core.swarm.lan.neighbours import LanNotice
from core.swarm.membership import Address, Source
from core.swarm.network import NetworkOptions, SwarmNetwork
from core.wire.identity import Identity

_PORT = re.compile(r"[0-9]{1,5}")
_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Ways:
    """Addresses, discovery methods and files by which others are met."""

    hubs: tuple[NamedHub, ...] = ()
    nodes: tuple[str, ...] = ()  # HOST:PORT
    lan: bool = True  # find those on this network, and be found there
    port: int = 0  # where others may ask this node; 0: any free one
    internet: Path | None = None  # the DHT's node table; None: the DHT is left alone
    known: Path | None = None  # file with those that the DHT found in earlier days
    beside: Callable[[], Awaitable[None]] | None = None  # is done as long as one takes part

    @property
    def remembered(self) -> Path | None:
        """``known``, if the DHT may look for others; else it is neither read nor written."""
        return None if self.internet is None else self.known


@asynccontextmanager
async def joined(
    identity: Identity, own: Self, ways: Ways, options: NetworkOptions
) -> AsyncIterator[SwarmNetwork]:
    """Take part in ``own.swarm`` within the block.

    Raises:
        UsageError: an address is malformed.
        HomeError: what is kept on disk cannot be opened.
    """
    named = [*map(_hub, ways.hubs), *(_node(at) for at in ways.nodes)]
    async with AsyncExitStack() as opened:
        network = await opened.enter_async_context(aclosing(SwarmNetwork(identity, own, options)))
        known = load_addresses(ways.remembered, own.swarm) if ways.remembered else []
        for source in [*named, *filter(leads_outside, known)]:
            network.members.add(source)
        port = 0
        if ways.lan or ways.internet is not None:
            port = await _open_server(opened, identity, network, options, ways.port)
        if ways.lan and port:
            await _open_lan(opened, LanNotice(identity.peer_id, own.swarm, port), network, options)
        if ways.internet is not None:
            here = Here(identity.peer_id, own.swarm, port)
            await _open_internet(opened, here, network, options, ways.internet)
        if ways.beside is not None:
            await opened.enter_async_context(running(ways.beside))
        async with kept(lambda: _save_sources(ways, own.swarm, network, options)):
            yield network


async def _open_server(
    opened: AsyncExitStack,
    identity: Identity,
    network: SwarmNetwork,
    options: NetworkOptions,
    port: int,
) -> int:
    """Let others ask this node directly; the port, or 0 where that does not work."""
    server = DirectServer(
        identity,
        network.own.swarm,
        network.served,
        network.take_receipt,
        ServerOptions(
            timing=options.timing, folder=options.outbox.parent if options.outbox else None
        ),
    )
    network.counters |= {
        "requests": server.tally.refused,
        "receipts in requests": server.tally.rejected,
    }
    try:
        return await opened.enter_async_context(server.serving(port=port))
    except SwarmError as error:
        _log.warning("Nobody can ask this node directly: %s", error)
        return 0


async def _open_lan(
    opened: AsyncExitStack, notice: LanNotice, network: SwarmNetwork, options: NetworkOptions
) -> None:
    lan = Lan(notice, LanContext(moved=network.hurry))
    network.counters["announcements"] = lan.refused
    await opened.enter_async_context(aclosing(lan))
    await lan.open()
    network.finders.append(LanFinder(lan, options.timing.steady))


async def _open_internet(
    opened: AsyncExitStack, here: Here, network: SwarmNetwork, options: NetworkOptions, table: Path
) -> None:
    dht = Dht(state=read_state(table), timing=options.timing)
    network.counters["addresses"] = dht.refused
    await opened.enter_async_context(opened_dht(dht, table))

    def hubs() -> list[Address]:
        chosen = network.members.choose("hub", options.timing.wall(), options.timing.rng)
        return [source.address for source in chosen]

    finder = InternetFinder(dht, here, hubs, options.timing)
    await opened.enter_async_context(running(finder.run))
    network.finders.append(finder)
    network.when_moved.append(finder.prove_again)


def _hub(hub: NamedHub) -> Source:
    address = Address(parse_hub_url(hub.url).url)
    return Source(address, "hub", "named", hub.peer, stays_outside=hub.stays_outside)


def _node(place: str) -> Source:
    host, _, port = place.rpartition(":")
    if not host or not _PORT.fullmatch(port) or not 0 < int(port) <= MOST_PORT:
        raise UsageError(
            translatable(
                "{} is no address of a node. Write it like 192.168.1.5:40123.", f"{place[:300]!r}"
            )
        )
    return Source(Address(place), "node", "named", host=host.strip("[]"), port=int(port))


def _save_sources(ways: Ways, swarm: str, network: SwarmNetwork, options: NetworkOptions) -> None:
    if ways.remembered is not None:
        with suppress(HomeError):  # a help only
            save_addresses(
                ways.remembered, swarm, network.members.worth_keeping(options.timing.wall())
            )
