"""The local network as zeroconf carries it: one service announced, packets of others read.

zeroconf is used in three ways that differ from its examples:

1. Names follow from a node's key, so nobody is asked whether one is free: a stranger who claims it
   could otherwise keep this node silent, and it would take more than a second.
2. What others say is read from the packets as they come, not by a browser with a question for every
   name: its memory would grow with every name that a stranger makes up.
3. One instance for IPv4 and one for IPv6, since one socket for both misses IPv4 on some systems.
"""

import asyncio
import logging
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from typing import Final

import zeroconf
from zeroconf import (  # type: ignore[attr-defined]  # public names that its list leaves out
    DNSAddress,
    DNSOutgoing,
    DNSPointer,
    DNSQuestion,
    DNSRecord,
    DNSService,
    DNSText,
)
from zeroconf.asyncio import AsyncServiceInfo, AsyncZeroconf

from core.swarm.lan.interfaces import IpInterface, is_four
from core.swarm.lan.neighbours import MAX_ADDRESSES, SERVICE_TYPE, Claim, LanNotice

FAILURES: Final = (OSError, RuntimeError, ValueError, zeroconf.Error)
"""What zeroconf raises where a network does not work; OSError includes timeouts."""

CLOSE_S: Final = 1.5
"""Seconds for the goodbyes, which take a quarter of one."""

_START_S: Final = 2.0
_LEAVING_S: Final = 0.05
_QUERY: Final = 0  # flags of a packet
_PTR: Final = 12  # what is asked for: names of services
_IN: Final = 1
_MOST_CLAIMS: Final = 64  # from one packet, which holds 9 kB at most

logging.getLogger("zeroconf").setLevel(logging.CRITICAL)  # ``Lan.trouble`` says it to people


class MdnsTransport:
    """One running zeroconf, for one family of addresses."""

    def __init__(
        self, addresses: Sequence[IpInterface], notice: LanNotice, hosts: Sequence[str]
    ) -> None:
        """Speak from ``addresses``, all of one family, and announce ``notice`` at ``hosts``.

        Raises:
            one of ``FAILURES``: a socket cannot be had.
        """
        family = zeroconf.IPVersion.V4Only if is_four(addresses[0]) else zeroconf.IPVersion.V6Only
        numeric: list[str | int | tuple[tuple[str, int, int], int]]
        numeric = [str(address.ip) for address in addresses]
        self._zeroconf = AsyncZeroconf(numeric, ip_version=family)
        self._info = AsyncServiceInfo(
            SERVICE_TYPE,
            notice.name,
            port=notice.port,
            properties=notice.properties,
            server=f"{notice.label}.local.",
            parsed_addresses=list(hosts[:MAX_ADDRESSES]),
        )
        self._announcing: asyncio.Future[None] | None = None

    async def start(self, parser: "MdnsParser") -> None:
        """Listen, then announce; repetitions follow by themselves within half a second.

        Raises:
            one of ``FAILURES``: it does not start in time.
        """
        await self._zeroconf.zeroconf.async_wait_for_start(timeout=_START_S)
        self._zeroconf.zeroconf.async_add_listener(parser, None)
        self._announcing = asyncio.ensure_future(
            await self._zeroconf.async_register_service(self._info, cooperating_responders=True)
        )

    def ask(self) -> None:
        """Ask who is there, without naming those known, so that everybody answers to all."""
        question = DNSOutgoing(_QUERY)
        question.add_question(DNSQuestion(SERVICE_TYPE, _PTR, _IN))
        self._zeroconf.zeroconf.async_send(question)

    async def close(self, *, goodbye: bool) -> None:
        """Let go of the sockets within ``CLOSE_S`` seconds, after a ``goodbye`` or without."""
        if self._announcing is not None:
            self._announcing.cancel()
        if not goodbye:
            self._zeroconf.zeroconf.registry.async_remove(self._info)
        with suppress(*FAILURES):
            async with asyncio.timeout(CLOSE_S):
                await close_zeroconf(self._zeroconf)
        self._zeroconf.zeroconf.close()  # where that took too long; else nothing is left to do


class MdnsParser(zeroconf.RecordUpdateListener):
    """Turns the records of one packet into claims and goodbyes."""

    def __init__(self, on_records: Callable[[list[Claim], list[str]], None]) -> None:
        """``on_records`` takes what was announced and the names of the services that end."""
        super().__init__()
        self._on_records = on_records

    def async_update_records(
        self,
        zc: zeroconf.Zeroconf,  # noqa: ARG002 - the signature is zeroconf's
        now: float,
        records: list[zeroconf.RecordUpdate],
    ) -> None:
        """Called by zeroconf once per packet, and for what it forgets."""
        fresh: list[DNSRecord] = []
        goodbyes: list[str] = []
        for record in (update.new for update in records):
            if not record.is_expired(now):
                fresh.append(record)
            elif isinstance(record, DNSPointer) and record.ttl == 0:
                goodbyes.append(record.alias)
        claims = list(_claims(fresh))
        if claims or goodbyes:
            self._on_records(claims, goodbyes)

    def async_update_records_complete(self) -> None:
        """Called by zeroconf after it; nothing is left to do."""


async def close_zeroconf(running: AsyncZeroconf) -> None:
    """Say goodbye for what ``running`` still announces, and close its sockets.

    A transport of Windows that is closed while it sends never closes its socket, so it is given a
    moment to send there, and then ended.
    """
    await running.async_unregister_all_services()
    if sys.platform == "win32":
        await asyncio.sleep(_LEAVING_S)
    await running.async_close()
    if sys.platform == "win32":
        for reader in running.zeroconf.engine.readers:
            reader.transport.abort()
        await asyncio.sleep(0)  # that is when sockets are closed


def _claims(records: Sequence[DNSRecord]) -> Iterator[Claim]:
    """Announcements that one packet holds in full: a service, its text, and addresses."""
    texts: dict[str, bytes] = {}
    addresses: dict[str, list[bytes]] = {}
    services = []
    for record in records:
        if isinstance(record, DNSText):
            texts[record.key] = record.text
        elif isinstance(record, DNSAddress):
            addresses.setdefault(record.key, []).append(record.address)
        elif isinstance(record, DNSService) and record.key.endswith(f".{SERVICE_TYPE}"):
            services.append(record)
    for service in services[:_MOST_CLAIMS]:
        if service.key in texts:
            found = addresses.get(service.server_key, [])[:MAX_ADDRESSES]
            yield Claim(service.key, texts[service.key], service.port, tuple(found))
