"""Rates and numbers of one site or network: token buckets, and limits of distinct authors."""

import ipaddress
from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from math import inf

from core.storage.bounded import BoundedDict
from core.wire import codec

MOST_KEYS = 50_000
"""Beyond this many buckets the one used longest ago is forgotten, that is, full again."""

MOST_REMEMBERED = 4_096
"""Addresses whose network is remembered: to find it out costs more than all else about them."""

IPV6_SITE_BITS = 64
"""One customer has at least this whole network, so a bucket per IPv6 address would be no limit."""

UNKNOWN = "unknown"
"""The site, and the place, of what is no address."""

IPV6 = 6
NETWORK_BITS = (24, 48)  # of IPv4, IPv6: what is rented in one piece


@dataclass(frozen=True, slots=True)
class Rates:
    """The rates at which an author or an address may send; see the table in ``core.wire.codec``."""

    author: codec.Rate = codec.AUTHOR_RATE
    address_envelopes: codec.Rate = codec.ADDRESS_ENVELOPE_RATE
    address_exchanges: codec.Rate = codec.ADDRESS_EXCHANGE_RATE
    authors_per_site: int = codec.SITE_AUTHORS
    authors_per_network: int = codec.NETWORK_AUTHORS


class TokenBuckets:
    """A bucket per key, bounded in number; full at first sight."""

    def __init__(self, rate: codec.Rate, clock: Callable[[], float]) -> None:
        """``clock`` is in seconds and never goes back."""
        self._rate = rate
        self._clock = clock
        self._buckets = BoundedDict[str, tuple[float, float]](MOST_KEYS)  # (level, as of)

    def take(self, key: str) -> bool:
        """Take one token from the bucket of ``key``; False if there is none."""
        now = self._clock()
        level, since = self._buckets.get(key, (float(self._rate.burst), now))
        level = min(self._rate.burst, level + (now - since) * self._rate.per_second)
        allowed = level >= 1
        self._buckets[key] = (level - allowed, now)
        return allowed


class SiteBuckets:
    """A bucket per site and, where its holder has many sites, a larger one for all of them."""

    def __init__(self, rate: codec.Rate, clock: Callable[[], float]) -> None:
        """``rate`` is that of a site; ``clock`` is in seconds and never goes back."""
        most = codec.Rate(rate.per_second * codec.NETWORK_SITES, rate.burst * codec.NETWORK_SITES)
        self._sites = TokenBuckets(rate, clock)
        self._holders = TokenBuckets(most, clock)

    def take(self, site: str) -> bool:
        """Take one token for ``site``; False if there is none."""
        # The site first, so that what it is refused takes nothing away from its neighbours.
        if not self._sites.take(site):
            return False
        holder = holder_of(site)
        return holder == site or self._holders.take(holder)


class _Heard(BoundedDict[str, float]):
    """When each author was last heard, the one heard last at the end."""

    def silent_since(self) -> float:
        """When any of them was heard last."""
        return next(reversed(self.values()), -inf)


class DistinctLimit:
    """Limits the distinct authors of a site and of the network around it.

    Identities are free, addresses are not. An author counts wherever it speaks, until it was silent
    there for as long as an item lives; whom one of the two limits refuses, neither counts.
    """

    def __init__(self, rates: Rates, clock: Callable[[], float]) -> None:
        """``clock`` is in seconds and never goes back."""
        self._rates = rates
        self._clock = clock
        # Each by itself: one network has 65,536 sites, which would push all others out.
        self._sites = BoundedDict[str, _Heard](MOST_KEYS)
        self._networks = BoundedDict[str, _Heard](MOST_KEYS)

    def admit(self, site: str, author: str) -> bool:
        """Whether ``author`` may speak from ``site``; no while too many others do.

        One is named with its swarm, as a hub remembers the sequences of each by itself.
        """
        now, rates = self._clock(), self._rates
        asked = (
            (self._networks, network_of(site), rates.authors_per_network),
            (self._sites, site, rates.authors_per_site),
        )
        living = [_living(*place, now - codec.ITEM_LIFE_S) for place in asked]
        fits = all(
            author in heard or len(heard) < most
            for heard, (_, _, most) in zip(living, asked, strict=True)
        )
        if fits:
            for heard, (places, place, _) in zip(living, asked, strict=True):
                heard[author] = now
                places[place] = heard
        return fits


def _living(places: BoundedDict[str, _Heard], place: str, most: int, since: float) -> _Heard:
    """Up to ``most`` authors of ``place`` that were heard ``since`` then; forgets the others."""
    places.drop_while(lambda heard: heard.silent_since() < since)
    heard = places.get(place) or _Heard(most)
    heard.drop_while(lambda when: when < since)
    return heard


def site_of(address: str | None) -> str:
    """The site of ``address``, which has one bucket: the IPv4 address, or the /64 of IPv6."""
    try:
        ip = ipaddress.ip_address((address or "").partition("%")[0])
    except ValueError:
        return UNKNOWN
    if isinstance(ip, ipaddress.IPv4Address):
        return str(ip)
    if ip.ipv4_mapped is not None:
        return str(ip.ipv4_mapped)
    return str(ipaddress.ip_network((ip, IPV6_SITE_BITS), strict=False))


@lru_cache(MOST_REMEMBERED)
def network_of(site: str) -> str:
    """The IPv4 /24 or IPv6 /48 network around a site."""
    try:
        network = ipaddress.ip_network(site, strict=False)
    except ValueError:
        return site
    bits = NETWORK_BITS[network.version == IPV6]
    return str(network.supernet(new_prefix=bits)) if network.prefixlen > bits else site


def holder_of(site: str) -> str:
    """Who holds ``site``, and so can use it to look like many: the IPv6 /48, or the IPv4 address.

    A /48 has 65,536 sites, which cost whoever rents it, or gets it by a tunnel, nothing. A /24 of
    IPv4 has 256 at most, and most often as many customers, a school or a carrier's whole network
    behind each: counted together, the haste of one would keep all of them out.
    """
    return network_of(site) if ":" in site else site


_TEREDO = ipaddress.ip_network("2001::/32")  # not global to Python, and yet of strangers: RFC 4380


@lru_cache(MOST_REMEMBERED)
def place_of(address: str | None) -> str:
    """The place of ``address``, of which shares are bounded: what is rented in one piece.

    Of a public address or site that is the network (``network_of``). Machines of a private network,
    behind one carrier's router or on this computer are places of their own.
    """
    try:
        network = ipaddress.ip_network((address or "").partition("%")[0], strict=False)
    except ValueError:
        return UNKNOWN
    first = network.network_address
    if isinstance(first, ipaddress.IPv6Address):
        inner = first.ipv4_mapped or first.sixtofour  # whoever has one IPv4 address has all of 6to4
        network = network if inner is None else ipaddress.ip_network(inner)
    if network.is_global or network.network_address in _TEREDO:
        return network_of(str(network))
    return str(network.network_address if network.num_addresses == 1 else network)


def place_of_host(host: str) -> str:
    """The place of whoever is asked at ``host``; a name stands for itself."""
    place = place_of(host)
    return host if place == UNKNOWN else place
