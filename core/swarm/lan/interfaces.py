"""Which network interfaces lead to people nearby, and in words why none does.

Announcements on a local network go by multicast (mDNS, RFC 6762: UDP port 5353). Loopback, tunnels
of a VPN and the bridges of containers and virtual machines carry none to the computer next door.
"""

import errno
import ipaddress
import re
import socket
import struct
import sys
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from enum import Enum
from typing import Any, Final

import psutil

from core.i18n import together, translatable

IpInterface = ipaddress.IPv4Interface | ipaddress.IPv6Interface
IpNetwork = ipaddress.IPv4Network | ipaddress.IPv6Network

GROUP: Final = {socket.AF_INET: "224.0.0.251", socket.AF_INET6: "ff02::fb"}
PORT: Final = 5353
_EMPTY_QUERY: Final = bytes(12)  # a DNS header that asks nothing: nobody answers it

# As systems name them: tun0, utun4, wg0, ppp0, tailscale0; on Windows what people read.
_TUNNEL = re.compile(
    r"(tun|tap|utun|wg|ppp|ipsec|tailscale)\d*$|.*(vpn|wireguard|tailscale)", re.IGNORECASE
)
_VIRTUAL = re.compile(
    r"(docker|br-|virbr|vmnet|vboxnet|lxc|lxd|incus|podman|cni|cali|flannel|awdl|llw|anpi)"
    r"|veth(?!ernet)|ap\d|bridge1\d\d|vethernet \((default switch|wsl|nat)"
    r"|.*(vmware|virtualbox)",
    re.IGNORECASE,
)


class Kind(Enum):
    """The network behind an interface."""

    LOCAL = "a network with others on it"
    LOOPBACK = "this computer only"
    TUNNEL = "a VPN"
    VIRTUAL = "containers or virtual machines"
    MUTE = "a network without multicast"
    DOWN = "nothing, or it has no address"


@dataclass(frozen=True, slots=True)
class Interface:
    """A network interface with its state and addresses."""

    name: str
    is_up: bool
    addresses: tuple[IpInterface, ...]  # with prefix; a link-local one of IPv6 with its scope
    flags: frozenset[str] = frozenset()  # empty where the system does not say (Windows)

    @property
    def kind(self) -> Kind:
        """The network behind it, judged by flags, addresses and name."""
        if not self.is_up or not self.addresses:
            return Kind.DOWN
        if "loopback" in self.flags or all(a.ip.is_loopback for a in self.addresses):
            return Kind.LOOPBACK
        if "pointopoint" in self.flags or _TUNNEL.match(self.name):
            return Kind.TUNNEL
        if _VIRTUAL.match(self.name):
            return Kind.VIRTUAL
        return Kind.MUTE if self.flags and "multicast" not in self.flags else Kind.LOCAL

    @property
    def source_addresses(self) -> tuple[IpInterface, ...]:
        """From where it speaks: every IPv4 address, and one of IPv6.

        One is enough, since membership in a group of IPv6 belongs to the interface; the link-local
        one is always there.
        """
        four = tuple(a for a in self.addresses if is_four(a))
        six = [a for a in self.addresses if not is_four(a)]
        return four + tuple(sorted(six, key=lambda a: not a.ip.is_link_local)[:1])


@dataclass(frozen=True, slots=True)
class Judgement:
    """The interfaces of a computer that lead to others, or why none does."""

    usable: tuple[Interface, ...]
    words: str | None  # what is wrong and what to do; None if all is well

    @property
    def networks(self) -> tuple[IpNetwork, ...]:
        """The networks that this computer itself is on."""
        return tuple(a.network for one in self.usable for a in one.addresses)

    @property
    def hosts(self) -> tuple[str, ...]:
        """The addresses at which others may knock; link-local ones of IPv6 mean nothing to them."""
        addresses = [a for one in self.usable for a in one.addresses]
        return tuple(str(a.ip) for a in addresses if is_four(a) or not a.ip.is_link_local)


def judge_interfaces(interfaces: Iterable[Interface]) -> Judgement:
    """Which of ``interfaces`` lead to people nearby, and a sentence where that is not enough."""
    kinds = {one: one.kind for one in interfaces}
    usable = tuple(one for one, kind in kinds.items() if kind is Kind.LOCAL)
    named = {kind: _listed(o.name for o, k in kinds.items() if k is kind) for kind in Kind}
    if not usable:
        return Judgement((), _nothing_usable(named))
    if any(is_four(a) for one in usable for a in one.addresses):
        return Judgement(usable, None)
    if Judgement(usable, None).hosts:
        return Judgement(usable, _SIX_ONLY)
    return Judgement((), _NO_ADDRESS)


def _nothing_usable(named: dict[Kind, str]) -> str:
    if named[Kind.TUNNEL]:
        return translatable(
            "Only a VPN ({}) is connected, and nobody nearby can be found "
            "through it. Join a Wi-Fi or plug in a cable, and let the VPN allow the local network.",
            named[Kind.TUNNEL],
        )
    if named[Kind.MUTE]:
        return translatable(
            "The network at {} does not carry announcements (no multicast). "
            "Join another network to find others nearby.",
            named[Kind.MUTE],
        )
    if named[Kind.VIRTUAL]:
        return translatable(
            "Only networks of containers or virtual machines ({}) are connected. "
            "Join a Wi-Fi or plug in a cable to find others nearby.",
            named[Kind.VIRTUAL],
        )
    return translatable(
        "This computer is on no local network. "
        "Join a Wi-Fi or plug in a cable to find others nearby."
    )


_SIX_ONLY: Final = translatable(
    "This computer has only IPv6 addresses on its network, so it finds only others that have one "
    "too. If somebody is missing, switch on IPv4."
)
_NO_ADDRESS: Final = translatable(
    "This computer was given no address on its network, so nobody can reach it. "
    "Connect to the network again, or switch on IPv4."
)


def _listed(names: Iterable[str]) -> str:
    return ", ".join(sorted(names)[:3])


def explain_failure(error: OSError, where: str, platform: str = sys.platform) -> str:
    """In words why nothing can be announced at ``where``, and what to do."""
    denied = {errno.EPERM, errno.EACCES}
    if platform == "darwin":
        denied.add(errno.EHOSTUNREACH)  # how macOS says that Local Network is not allowed
    if error.errno in denied:
        return together(
            translatable("Waggle is not allowed to look for others on the local network."),
            _allowance(platform),
        )
    if error.errno == errno.EADDRINUSE:
        return translatable(
            "Another program keeps UDP port 5353 to itself, so others nearby cannot be found. "
            "End it, or let it share (Avahi: disallow-other-stacks=no)."
        )
    return translatable(
        "Nothing can be announced on {} ({}). Connect to the network again to find others nearby.",
        where,
        error.strerror or error,
    )


def explain_silence(where: str) -> str:
    """In words that nothing that was announced at ``where`` came back, and what to do."""
    return translatable(
        "What this computer announces on {} is not heard, so others nearby may not find it. "
        "Allow Waggle and UDP port 5353 in the firewall, and the local network in the VPN.",
        where,
    )


def _allowance(platform: str) -> str:
    if platform == "darwin":
        return translatable("Allow it in System Settings, Privacy & Security, Local Network.")
    if platform == "win32":
        return translatable("Allow it in Windows Security, Firewall & network protection.")
    return translatable("Allow UDP port 5353 in the firewall or sandbox that it runs in.")


def is_four(address: IpInterface) -> bool:
    """Whether ``address`` is one of IPv4."""
    return isinstance(address, ipaddress.IPv4Interface)


def read_interfaces() -> tuple[Interface, ...]:
    """The interfaces as the system tells them now; none where it does not."""
    try:
        addresses, states = psutil.net_if_addrs(), psutil.net_if_stats()
    except (OSError, psutil.Error):
        return ()
    return tuple(
        Interface(
            name,
            name in states and bool(states[name].isup),
            tuple(_parsed(found)),
            frozenset(getattr(states.get(name), "flags", "").split(",")) - {""},
        )
        for name, found in addresses.items()
    )


def look_around() -> Judgement:
    """The interfaces of this computer, judged as they are now."""
    return judge_interfaces(read_interfaces())


def _parsed(found: Iterable[object]) -> Iterator[IpInterface]:
    for one in found:
        address, netmask = getattr(one, "address", ""), getattr(one, "netmask", None)
        if getattr(one, "family", None) in GROUP:
            with suppress(ValueError):  # an address half taken away
                yield ipaddress.ip_interface(f"{address}/{_prefix(address, netmask)}")


def _prefix(address: str, netmask: str | None) -> int:
    """The length of a network's part; Windows does not say it for IPv6."""
    if not netmask:
        return 64 if ":" in address else 32
    return int(ipaddress.ip_address(netmask)).bit_count()


def try_address(address: IpInterface) -> None:
    """Join the group at ``address`` and say something that nobody answers.

    Raises:
        OSError: announcing from there does not work.
    """
    if is_four(address):
        with _bound(socket.AF_INET, (str(address.ip), 0)) as trial:
            group = socket.inet_aton(GROUP[socket.AF_INET])
            join = group + address.ip.packed
            trial.setsockopt(socket.IPPROTO_IP, socket.IP_ADD_MEMBERSHIP, join)
            trial.setsockopt(socket.IPPROTO_IP, socket.IP_MULTICAST_IF, address.ip.packed)
            trial.sendto(_EMPTY_QUERY, (GROUP[socket.AF_INET], PORT))
        return
    numeric = socket.AI_NUMERICHOST
    scoped = str(address).partition("/")[0]
    sockaddr = socket.getaddrinfo(scoped, 0, socket.AF_INET6, flags=numeric)[0][4]
    scope = sockaddr[-1]
    with _bound(socket.AF_INET6, sockaddr) as trial:
        group = socket.inet_pton(socket.AF_INET6, GROUP[socket.AF_INET6])
        index = struct.pack("@I", scope)
        trial.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_JOIN_GROUP, group + index)
        trial.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_MULTICAST_IF, index)
        trial.sendto(_EMPTY_QUERY, (GROUP[socket.AF_INET6], PORT, 0, scope))


@contextmanager
def _bound(family: socket.AddressFamily, sockaddr: tuple[Any, ...]) -> Iterator[socket.socket]:
    with socket.socket(family, socket.SOCK_DGRAM) as trial:
        trial.settimeout(0)
        trial.bind(sockaddr)
        yield trial
