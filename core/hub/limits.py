"""How often, and how many at a time: token buckets and seats."""

import ipaddress
from collections import Counter, OrderedDict
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from core.wire.codec import ADDRESS_ENVELOPE_RATE, ADDRESS_EXCHANGE_RATE, AUTHOR_RATE, Rate

MOST_KEYS = 50_000
"""Beyond this many buckets the one used longest ago is forgotten, that is, full again."""

IPV6_SITE_BITS = 64
"""One customer has at least this whole network, so a bucket per IPv6 address would be no limit."""


@dataclass(frozen=True, slots=True)
class Rates:
    """How much an author or an address may send; see the table in ``core.wire.codec``."""

    author: Rate = AUTHOR_RATE
    address_envelopes: Rate = ADDRESS_ENVELOPE_RATE
    address_exchanges: Rate = ADDRESS_EXCHANGE_RATE


class TokenBuckets:
    """A bucket per key, bounded in number; full at first sight."""

    def __init__(self, rate: Rate, clock: Callable[[], float]) -> None:
        """``clock`` is in seconds and never goes back."""
        self._rate = rate
        self._clock = clock
        self._buckets: OrderedDict[str, tuple[float, float]] = OrderedDict()  # (level, as of)

    def take(self, key: str) -> bool:
        """Take one token from the bucket of ``key``; False if there is none."""
        now = self._clock()
        level, since = self._buckets.pop(key, (float(self._rate.burst), now))
        level = min(self._rate.burst, level + (now - since) * self._rate.per_second)
        allowed = level >= 1
        self._buckets[key] = (level - allowed, now)
        if len(self._buckets) > MOST_KEYS:
            self._buckets.popitem(last=False)
        return allowed


class Seats:
    """How many requests are worked on at the same time, in all and for one site."""

    def __init__(self, most: int, most_per_site: int) -> None:
        self._most = most
        self._most_per_site = most_per_site
        self._taken: Counter[str] = Counter()
        self._total = 0

    @contextmanager
    def take(self, site: str) -> Iterator[bool]:
        """Sit down until the block ends; False, and no seat is taken, if there is none."""
        free = self._total < self._most and self._taken[site] < self._most_per_site
        self._total += free
        self._taken[site] += free
        try:
            yield free
        finally:
            self._total -= free
            self._taken[site] -= free
            if not self._taken[site]:
                del self._taken[site]


def site_of(address: str | None) -> str:
    """What shares a bucket: an IPv4 address, or the /64 network of an IPv6 address."""
    try:
        ip = ipaddress.ip_address((address or "").partition("%")[0])
    except ValueError:
        return "unknown"
    if isinstance(ip, ipaddress.IPv4Address):
        return str(ip)
    if ip.ipv4_mapped is not None:
        return str(ip.ipv4_mapped)
    return str(ipaddress.ip_network((ip, IPV6_SITE_BITS), strict=False))
