"""The form of a hub's address, and whether it leads into one's own network."""

import re
from dataclasses import dataclass
from ipaddress import IPv4Address, IPv6Address, IPv6Network, ip_address
from typing import Final
from urllib.parse import urlsplit

from core.api.swarm import Concern
from core.errors import UsageError
from core.i18n import translatable
from core.settings import USUAL_PORTS, plain_address
from core.wire.codec import MAX_URL_CHARS

_TRANSLATED: Final = IPv6Network("64:ff9b::/96")  # IPv4 behind NAT64, RFC 6052
# Site-local (RFC 3879), IPv4-compatible (RFC 4291), behind a NAT64 of one's own (RFC 8215): nobody
# outside, and yet global to some releases of Python or to all.
_OWN_NETWORKS: Final = tuple(map(IPv6Network, ("fec0::/10", "::/96", "64:ff9b:1::/48")))
_OWN_ENDINGS: Final = (
    "local",
    "internal",
    "localdomain",
    "lan",
    "home",
    "arpa",
    "corp",
    "intranet",
    "private",
)
"""Of names that only one's own network knows: RFC 6762 with its appendix G, RFC 8375, ICANN."""

# The last part of every public name begins with a letter. What does not may be an IPv4 address
# in another spelling: 0x7f.1, 127.1, 2130706433, 0177.0.0.1.
_PUBLIC: Final = re.compile(r"([a-z0-9_-]+\.)+[a-z][a-z0-9-]*")


@dataclass(frozen=True, slots=True)
class HubAddress:
    """A hub's URL and the host in it."""

    url: str  # scheme and host in lower case, no default port, no slash at the end
    host: str


def parse_hub_url(url: str) -> HubAddress:
    """The address that ``url`` names.

    Raises:
        UsageError: it is no plain http or https address.
    """
    host = ""
    try:
        parts = urlsplit(url)
        host = parts.hostname or ""
        host.encode("ascii")  # other signs may turn into an address that nobody looked at
        host.encode("idna")  # raises for labels that no resolver takes
        # Marks that nothing follows count, too: what would be added to the address came after them.
        plain = "@" not in parts.netloc and "?" not in url and "#" not in url
        fine = plain and parts.scheme in ("http", "https") and bool(host) and parts.port != 0
    except ValueError:
        fine = False
    # Whatever hides or turns signs around would make it look like another address.
    if not fine or len(url) > MAX_URL_CHARS or " " in url or not url.isprintable():
        raise UsageError(
            translatable(
                "{} is no address of a meeting point. "
                "Write it like https://hub.example.org or http://192.168.1.5:8765.",
                f"{url[:MAX_URL_CHARS]!r}",
            )
        )
    return HubAddress(plain_address(url), host)


def host_and_port(url: str) -> tuple[str, int]:
    """Host and port of ``url``; an empty host and 0 where it names none."""
    try:
        parts = urlsplit(url)
        return parts.hostname or "", parts.port or USUAL_PORTS.get(parts.scheme, 0)
    except ValueError:
        return "", 0


def needs_consent(url: str) -> Concern | None:
    """Why a person has to agree to ``url`` before it is asked; None where they need not.

    ``url`` is the address of a meeting point as ``parse_hub_url`` takes it. Of several concerns the
    gravest is told. Names are not looked up: that would be a request, too.
    """
    try:
        parts = urlsplit(url)
        host = parts.hostname or ""
    except ValueError:
        return "own_network"  # nobody knows where it leads
    return _concern_of(host) or ("path" if parts.path.rstrip("/") else None)


def is_inside(host: str) -> bool:
    """Whether ``host`` is on this computer or in our own network, where a stranger has no business.

    Of a name that only the internet knows, ``PublicNames`` sees where it leads.
    """
    return _concern_of(host) is not None


def _concern_of(host: str) -> Concern | None:
    host = host.rstrip(".").lower()
    try:
        address = _innermost(ip_address(host.partition("%")[0]))
    except ValueError:
        return _concern_of_name(host)
    if address.is_loopback or address.is_unspecified:
        return "own_computer"
    is_own = any(address in network for network in _OWN_NETWORKS)
    is_outside = address.is_global and not address.is_multicast and not is_own
    return None if is_outside else "own_network"


def _concern_of_name(name: str) -> Concern | None:
    if name == "localhost" or name.endswith(".localhost"):
        return "own_computer"
    is_own = any(name.endswith(f".{ending}") for ending in _OWN_ENDINGS)
    return "own_network" if is_own or not _PUBLIC.fullmatch(name) else None


def _innermost(address: IPv4Address | IPv6Address) -> IPv4Address | IPv6Address:
    """The IPv4 address that some IPv6 addresses stand for."""
    if isinstance(address, IPv4Address):
        return address
    if address in _TRANSLATED:
        return IPv4Address(int(address) & 0xFFFFFFFF)
    return address.ipv4_mapped or address.sixtofour or address
