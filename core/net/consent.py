"""Which addresses that strangers name are asked only after a person agreed to each of them; pure.

An invite is the word of whoever wrote it. A request to one's own router, printer or computer, or to
some page of somebody's server, may set something off there that the person never wanted; the front
page of a public server is asked by every browser.
"""

import re
from ipaddress import IPv4Address, IPv6Address, IPv6Network, ip_address
from typing import Final
from urllib.parse import urlsplit

from core.api.swarm import Concern

_TRANSLATED: Final = IPv6Network("64:ff9b::/96")  # IPv4 behind NAT64, RFC 6052
_OWN_ENDINGS: Final = (
    "local",
    "internal",
    "localdomain",
    "lan",
    "home",
    "home.arpa",
    "corp",
    "intranet",
    "private",
)
"""Of names that only one's own network knows: RFC 6762 with its appendix G, RFC 8375, ICANN."""

# The last part of every public name begins with a letter. What does not may be an IPv4 address
# in another spelling: 0x7f.1, 127.1, 2130706433, 0177.0.0.1.
_PUBLIC: Final = re.compile(r"([a-z0-9_-]+\.)+[a-z][a-z0-9-]*")


def needs_consent(url: str) -> Concern | None:
    """Why a person has to agree to ``url`` before it is asked; None where they need not.

    ``url`` is the address of a meeting point as ``parse_hub_url`` takes it. Of several concerns the
    gravest is told. Names are not looked up: that would be a request, too.
    """
    try:
        parts = urlsplit(url)
        host = (parts.hostname or "").rstrip(".")
    except ValueError:
        return "own_network"  # nobody knows where it leads
    return _concern_of(host) or ("path" if parts.path.rstrip("/") else None)


def _concern_of(host: str) -> Concern | None:
    try:
        address = _innermost(ip_address(host.partition("%")[0]))
    except ValueError:
        return _concern_of_name(host)
    if address.is_loopback or address.is_unspecified:
        return "own_computer"
    return None if address.is_global and not address.is_multicast else "own_network"


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
