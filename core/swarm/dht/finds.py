"""Endpoints that the DHT claims for a swarm, bounded and thinned out; none of them is proven.

Anybody can put any number of addresses under any infohash. So one host counts a few times only,
and networks are drawn from in turn: a thousand addresses of one network push nobody else out.
"""

import ipaddress
from collections import Counter, defaultdict
from collections.abc import Iterable
from dataclasses import dataclass
from itertools import islice
from random import Random

from core.net.addresses import is_inside
from core.net.limits import network_of

MOST_CHOSEN = 64
MOST_KEPT = 4_096
"""Distinct addresses that one look-up remembers, about 1 MB; beyond them, a fair draw of all."""

MOST_PER_REPLY = 256
"""A node's reply is one packet, which holds fewer."""

MOST_PER_HOST = 4
"""Several laptops behind one router share its address; a thousand do not."""

_FIRST_FREE_PORT = 1_024
_WEB_PORTS = (80, 443)
_NAT64 = ipaddress.IPv6Network("64:ff9b::/96")


@dataclass(frozen=True, slots=True)
class Endpoint:
    """An IP address and port at which something may listen."""

    host: str  # numeric, IPv4 or IPv6, in its shortest form
    port: int


def checked_address(host: str, port: int, *, local: bool = False) -> Endpoint | str:
    """The address, or the reason why nobody should connect there.

    With ``local``, addresses of this computer and of private networks pass.
    """
    try:
        ip = ipaddress.ip_address(host)
    except ValueError:
        return "host"
    if isinstance(ip, ipaddress.IPv6Address):
        ip = ip.ipv4_mapped or ip
    if not may_knock_at(port):
        return "port"
    if ip.is_multicast or ip.is_unspecified or not (local or _is_reachable(ip)):
        return "private"
    return Endpoint(str(ip), port)


def may_knock_at(port: int) -> bool:
    """Whether a stranger may send us to ``port``.

    Below 1024 only those of the web pass: strangers would otherwise have us knock at the mail
    servers of others.
    """
    return _FIRST_FREE_PORT <= port < 1 << 16 or port in _WEB_PORTS


def _is_reachable(ip: ipaddress.IPv4Address | ipaddress.IPv6Address) -> bool:
    """Whether it is on the internet, and not a private address in the disguise of a tunnel."""
    if isinstance(ip, ipaddress.IPv4Address):
        return ip.is_global
    is_tunnel = ip.sixtofour or ip.teredo or ip.scope_id or ip in _NAT64
    return not is_tunnel and not is_inside(str(ip))


class Finds:
    """Collects the replies to one look-up."""

    def __init__(self, rng: Random, *, local: bool = False) -> None:
        """``local`` also takes addresses of private networks, for tests."""
        self.replies = 0
        self.refused: Counter[str] = Counter()  # claims that were not kept, by reason
        self._rng = rng
        self._local = local
        self._kept: list[Endpoint] = []
        self._known: set[Endpoint] = set()
        self._distinct = 0

    def __len__(self) -> int:
        return len(self._kept)

    def add(self, claims: Iterable[tuple[str, int]]) -> None:
        """Take in one node's reply, of which no more than ``MOST_PER_REPLY`` claims are read."""
        self.replies += 1
        for host, port in islice(claims, MOST_PER_REPLY):
            address = checked_address(host, port, local=self._local)
            if isinstance(address, str):
                self.refused[address] += 1
            elif address not in self._known:
                self._keep(address)

    def _keep(self, address: Endpoint) -> None:
        """Keep it; when full, in place of a random one, so that none is safer by coming first."""
        self._distinct += 1
        if len(self._kept) < MOST_KEPT:
            self._kept.append(address)
        else:
            self.refused["full"] += 1
            index = self._rng.randrange(self._distinct)
            if index >= MOST_KEPT:
                return
            self._known.remove(self._kept[index])
            self._kept[index] = address
        self._known.add(address)

    def choose(self, most: int = MOST_CHOSEN) -> tuple[Endpoint, ...]:
        """At most ``most`` addresses in random order, one of each network before a second of any.

        A network is a /24 of IPv4 or a /48 of IPv6.
        """
        sites: defaultdict[str, list[Endpoint]] = defaultdict(list)
        hosts: Counter[str] = Counter()
        for address in self._rng.sample(self._kept, len(self._kept)):
            hosts[address.host] += 1
            if hosts[address.host] <= MOST_PER_HOST:
                sites[network_of(address.host)].append(address)
        chosen: list[Endpoint] = []
        queues = list(sites.values())
        while queues and len(chosen) < most:
            self._rng.shuffle(queues)
            chosen += [queue.pop() for queue in queues[: most - len(chosen)]]
            queues = [queue for queue in queues if queue]
        self._rng.shuffle(chosen)
        return tuple(chosen)
