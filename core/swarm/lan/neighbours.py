"""Announcements of strangers on the local network, and the neighbours among them.

Anybody on the network can announce anything, also in the name of others, so a neighbour is a place
to knock at and nothing more: who answers there is proven later, by the key that its id is.

====================================  ==========  =================================================
limit                                 value       constant
====================================  ==========  =================================================
bytes of a TXT record                 400         MAX_TEXT_BYTES
addresses read, addresses kept        16, 8       MAX_ADDRESSES, MAX_HOSTS
neighbours, the newest stay           256         MOST_NEIGHBOURS
neighbours at one address             16          MOST_AT_ONE_HOST
seconds without hearing from one      900         LIFE_S
seconds deaf to one who said goodbye  0.5         FAREWELL_S; late answers cross the goodbye
====================================  ==========  =================================================
"""

import ipaddress
import re
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field, replace

from core.errors import WireError
from core.rollouts.types import PeerId
from core.settings import MOST_PORT, SWARM
from core.storage.bounded import BoundedDict
from core.swarm.lan.interfaces import IpNetwork
from core.wire.codec import Reason

SERVICE_TYPE = "_waggle._tcp.local."
VERSION = "1"

MAX_TEXT_BYTES = 400
MAX_ADDRESSES = 16
MAX_HOSTS = 8
MOST_NEIGHBOURS = 256
MOST_AT_ONE_HOST = 16
LIFE_S = 900.0
FAREWELL_S = 0.5

_PEER = re.compile(r"[0-9a-f]{64}")
_SWARM = re.compile(SWARM)

IpAddress = ipaddress.IPv4Address | ipaddress.IPv6Address


@dataclass(frozen=True, slots=True)
class LanNotice:
    """The announcement of a node on the local network; no user or host name is in it."""

    peer: PeerId
    swarm: str
    port: int  # of its own HTTPS server

    @property
    def label(self) -> str:
        """The first part of its names: of the service and of the server."""
        return self.peer[:16]

    @property
    def name(self) -> str:
        """The name of its service."""
        return f"{self.label}.{SERVICE_TYPE}"

    @property
    def properties(self) -> dict[str, str]:
        """The pairs of its TXT record."""
        return {"v": VERSION, "id": self.peer, "swarm": self.swarm}


@dataclass(frozen=True, slots=True)
class Neighbour:
    """Somebody seen on the local network; nothing of it is proven yet."""

    peer: PeerId
    hosts: tuple[str, ...]  # numeric: 192.168.1.5, fd00::2; best first
    port: int
    announced_at: float = field(default=0.0, compare=False)  # last time, in seconds of the clock


@dataclass(frozen=True, slots=True)
class Claim:
    """One announcement as it came in; nothing of it is checked yet."""

    name: str
    text: bytes  # the TXT record
    port: int
    addresses: tuple[bytes, ...]  # packed


def read_claim(claim: Claim, networks: Sequence[IpNetwork]) -> tuple[str, Neighbour]:
    """Swarm and neighbour that ``claim`` names, for a node on ``networks``.

    Raises:
        WireError: it breaks a rule; the reason is ``size``, ``schema``, ``version``, ``name``,
            ``port`` or ``address``.
    """
    if len(claim.text) > MAX_TEXT_BYTES:
        raise WireError(Reason.SIZE, f"{len(claim.text)} bytes of text")
    said = _read_text(claim.text)
    if said.get("v") != VERSION:
        raise WireError(Reason.VERSION)
    peer, swarm = said.get("id", ""), said.get("swarm", "")
    if not _PEER.fullmatch(peer) or not _SWARM.fullmatch(swarm):
        raise WireError(Reason.SCHEMA, "id or swarm")
    if claim.name.lower() != LanNotice(PeerId(peer), swarm, claim.port).name:
        raise WireError("name", "not that of its id")
    if not 1 <= claim.port <= MOST_PORT:
        raise WireError("port")
    hosts = choose_hosts(claim.addresses[:MAX_ADDRESSES], networks)
    if not hosts:
        raise WireError("address", "none to knock at")
    return swarm, Neighbour(PeerId(peer), hosts, claim.port)


def choose_hosts(addresses: Iterable[bytes], networks: Sequence[IpNetwork]) -> tuple[str, ...]:
    """The addresses to knock at: those on networks of our own first, IPv4 before IPv6.

    An address of the internet counts only on a network of our own, so that nobody nearby makes
    this node knock at computers of its choice far away.
    """
    ranked = []
    for packed in dict.fromkeys(addresses):
        ip = _unpacked(packed)
        if ip is None or ip.is_multicast or ip.is_unspecified:
            continue
        is_near = any(ip in network for network in networks)
        is_private = ip.is_private and not (ip.is_loopback or ip.is_link_local or ip.is_reserved)
        # A link-local IPv6 address means another computer on every interface.
        is_six = isinstance(ip, ipaddress.IPv6Address)
        if (is_near or is_private) and not (is_six and ip.is_link_local):
            ranked.append((not is_near, is_six, str(ip)))
    ranked.sort(key=lambda entry: entry[:2])
    return tuple(host for _, _, host in ranked[:MAX_HOSTS])


def _unpacked(packed: bytes) -> IpAddress | None:
    try:
        ip = ipaddress.ip_address(packed)
    except ValueError:
        return None
    return None if isinstance(ip, ipaddress.IPv6Address) and ip.ipv4_mapped else ip


def _read_text(text: bytes) -> dict[str, str]:
    """The pairs of a TXT record (RFC 6763, section 6): the first of a key counts.

    Raises:
        WireError: it is cut off, or not ASCII.
    """
    said: dict[str, str] = {}
    while text:
        length = 1 + text[0]
        if len(text) < length:
            raise WireError(Reason.SCHEMA, "a text that is cut off")
        try:
            key, _, value = text[1:length].decode("ascii").partition("=")
        except UnicodeDecodeError as error:
            raise WireError(Reason.SCHEMA, "a text beyond ASCII") from error
        said.setdefault(key.lower(), value)
        text = text[length:]
    return said


class Neighbourhood:
    """Table of neighbours, bounded in number and time; no announcement makes it raise."""

    def __init__(self, own: LanNotice, clock: Callable[[], float]) -> None:
        """``clock`` is in seconds and never goes back."""
        self.refused: Counter[str] = Counter()  # announcements that were not used, by reason
        self._own = own
        self._clock = clock
        self._present = BoundedDict[str, tuple[float, Neighbour]](
            MOST_NEIGHBOURS
        )  # by service name
        self._parted = BoundedDict[str, float](MOST_NEIGHBOURS)  # when, by service name

    def now(self) -> tuple[Neighbour, ...]:
        """The neighbours, the one heard last first."""
        self._forget_old()
        return tuple(one for _, one in reversed(self._present.values()))

    def add(self, claim: Claim, networks: Sequence[IpNetwork]) -> bool:
        """Take an announcement in; whether that changed who is near, and where."""
        try:
            swarm, neighbour = read_claim(claim, networks)
        except WireError as error:
            self.refused[error.reason] += 1
            return False
        if swarm != self._own.swarm or neighbour.peer == self._own.peer:
            return False
        name = claim.name.lower()
        self._forget_old()
        if name in self._parted:
            return False
        known = self._present.get(name)
        if known is None and self._is_full(neighbour.hosts[0]):
            self.refused["crowd"] += 1
            return False
        now = self._clock()
        self._present[name] = (now, replace(neighbour, announced_at=now))
        return known is None or known[1] != neighbour

    def part(self, name: str) -> bool:
        """Take a goodbye in; whether that changed who is near."""
        name = name.lower()
        if self._present.pop(name, None) is None:
            return False
        self._parted[name] = self._clock()
        return True

    def keep_near(self, networks: Sequence[IpNetwork]) -> bool:
        """Forget those of whom no address lies on ``networks``; whether there were any.

        They belong to another place, from which this computer was carried away.
        """
        before = len(self._present)
        for name, (_, one) in list(self._present.items()):
            ips = [ipaddress.ip_address(host) for host in one.hosts]
            if not any(ip in network for ip in ips for network in networks):
                del self._present[name]
        return len(self._present) < before

    def quiet_s(self) -> float:
        """For how long the one that is quiet the longest was not heard; infinite with nobody."""
        first = next(iter(self._present.values()), None)
        return float("inf") if first is None else self._clock() - first[0]

    def _forget_old(self) -> None:
        """In both tables the first one is the oldest."""
        now = self._clock()
        self._present.drop_while(lambda one: now - one[0] >= LIFE_S)
        self._parted.drop_while(lambda at: now - at >= FAREWELL_S)

    def _is_full(self, host: str) -> bool:
        """One computer with a thousand names must not push out the others."""
        there = sum(one.hosts[0] == host for _, one in self._present.values())
        return there >= MOST_AT_ONE_HOST
