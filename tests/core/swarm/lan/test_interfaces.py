"""Which interfaces lead to people nearby, and what is said where none does."""

import errno
import ipaddress
import os
import re

import pytest

from core.swarm.lan.interfaces import (
    Interface,
    Kind,
    explain_failure,
    explain_silence,
    judge_interfaces,
    look_around,
    read_interfaces,
    try_address,
)

UNIX = frozenset({"up", "broadcast", "running", "multicast"})
POINT_TO_POINT = frozenset({"up", "pointopoint", "running", "multicast"})
MUTE = frozenset({"up", "running", "noarp"})
LOOPBACK = frozenset({"up", "loopback", "running"})

FOUR = "192.168.1.5/24"
SIX = "fd00::5/64"
HERE = "fe80::5%3/64"  # link-local


def interface(
    name: str, *addresses: str, flags: frozenset[str] = UNIX, is_up: bool = True
) -> Interface:
    return Interface(name, is_up, tuple(map(ipaddress.ip_interface, addresses)), flags)


LO = interface("lo", "127.0.0.1/8", "::1/128", flags=LOOPBACK)
WIFI = interface("wlan0", FOUR, HERE)


@pytest.mark.parametrize(
    ("name", "kind"),
    [
        ("eth0", Kind.LOCAL),
        ("enp3s0", Kind.LOCAL),
        ("wlp2s0", Kind.LOCAL),
        ("en0", Kind.LOCAL),
        ("bridge0", Kind.LOCAL),
        ("br0", Kind.LOCAL),
        ("bond0", Kind.LOCAL),
        ("Wi-Fi", Kind.LOCAL),
        ("Ethernet 2", Kind.LOCAL),
        ("vEthernet (External Switch)", Kind.LOCAL),
        ("tungsten", Kind.LOCAL),
        ("tun0", Kind.TUNNEL),
        ("utun4", Kind.TUNNEL),
        ("wg0", Kind.TUNNEL),
        ("ppp0", Kind.TUNNEL),
        ("tailscale0", Kind.TUNNEL),
        ("ipsec0", Kind.TUNNEL),
        ("Tailscale", Kind.TUNNEL),
        ("ProtonVPN TUN", Kind.TUNNEL),
        ("OpenVPN Data Channel Offload", Kind.TUNNEL),
        ("docker0", Kind.VIRTUAL),
        ("br-1f2e3d4c5b6a", Kind.VIRTUAL),
        ("veth12ab34c", Kind.VIRTUAL),
        ("virbr0", Kind.VIRTUAL),
        ("vmnet8", Kind.VIRTUAL),
        ("vboxnet0", Kind.VIRTUAL),
        ("bridge100", Kind.VIRTUAL),
        ("awdl0", Kind.VIRTUAL),
        ("vEthernet (Default Switch)", Kind.VIRTUAL),
        ("vEthernet (WSL (Hyper-V firewall))", Kind.VIRTUAL),
        ("VMware Network Adapter VMnet1", Kind.VIRTUAL),
        ("VirtualBox Host-Only Network", Kind.VIRTUAL),
    ],
)
def test_an_interface_is_known_by_its_name(name: str, kind: Kind) -> None:
    """As Linux, macOS and Windows name them, with the flags of Linux and with none."""
    assert interface(name, FOUR).kind is kind
    assert interface(name, FOUR, flags=frozenset()).kind is kind


@pytest.mark.parametrize(
    ("given", "kind"),
    [
        (LO, Kind.LOOPBACK),
        (interface("Loopback Pseudo-Interface 1", "127.0.0.1/8", flags=frozenset()), Kind.LOOPBACK),
        (interface("lo0", "127.0.0.1/8", "fe80::1%1/64", flags=LOOPBACK), Kind.LOOPBACK),
        (interface("eth0"), Kind.DOWN),
        (interface("eth0", FOUR, is_up=False), Kind.DOWN),
        (interface("docker0", FOUR, is_up=False), Kind.DOWN),
        (interface("corp", FOUR, flags=POINT_TO_POINT), Kind.TUNNEL),
        (interface("eth0", FOUR, flags=MUTE), Kind.MUTE),
        (interface("Wi-Fi", "169.254.9.9/16", flags=frozenset()), Kind.LOCAL),
    ],
)
def test_an_interface_is_known_by_what_the_system_says(given: Interface, kind: Kind) -> None:
    """By its state, flags and addresses, before its name."""
    assert given.kind is kind


@pytest.mark.parametrize(
    ("others", "words"),
    [
        ((), r"no local network\. Join a Wi-Fi"),
        ((interface("eth0", FOUR, is_up=False),), r"no local network\. Join a Wi-Fi"),
        ((interface("utun4", "10.8.0.2/24"),), r"Only a VPN \(utun4\).*Join a Wi-Fi"),
        (
            (interface("tun0", "10.8.0.2/24"), interface("docker0", "172.17.0.1/16")),
            r"Only a VPN \(tun0\)",
        ),
        (
            (interface("docker0", "172.17.0.1/16"), interface("br-0a", "172.18.0.1/16")),
            r"virtual machines \(br-0a, docker0\).*Join",
        ),
        ((interface("eth0", FOUR, flags=MUTE),), r"at eth0 does not carry.*Join another"),
        ((interface("eth0", HERE),), r"no address on its network.*Connect"),
    ],
)
def test_without_a_local_network_a_person_is_told(
    others: tuple[Interface, ...], words: str
) -> None:
    """What there is instead, and what to do."""
    judgement = judge_interfaces([LO, *others])
    assert judgement.usable == ()
    assert re.search(words, judgement.words or "")


def test_what_is_of_no_use_is_left_out_in_silence() -> None:
    """With a Wi-Fi there, loopback, VPN and containers are neither used nor talked about."""
    crowd = [LO, interface("utun0", "10.8.0.2/24"), WIFI, interface("docker0", "172.17.0.1/16")]
    judgement = judge_interfaces(crowd)
    assert judgement.usable == (WIFI,)
    assert judgement.words is None
    assert list(map(str, judgement.networks)) == ["192.168.1.0/24", "fe80::/64"]
    assert judgement.hosts == ("192.168.1.5",)


def test_ipv6_alone_is_used_and_told() -> None:
    """It works, but not with those who have IPv4 alone."""
    judgement = judge_interfaces([LO, interface("eth0", SIX, HERE)])
    assert [one.name for one in judgement.usable] == ["eth0"]
    assert judgement.hosts == ("fd00::5",)
    assert "switch on IPv4" in (judgement.words or "")


def test_one_address_of_ipv6_is_enough() -> None:
    """The link-local one where there is one, beside every address of IPv4."""
    addresses = interface("eth0", "10.0.0.1/8", SIX, FOUR, HERE, "fe80::6%3/64").source_addresses
    assert list(map(str, addresses)) == ["10.0.0.1/8", FOUR, HERE]
    assert list(map(str, interface("eth0", SIX).source_addresses)) == [SIX]


@pytest.mark.parametrize("number", [errno.EPERM, errno.EACCES])
@pytest.mark.parametrize(
    ("platform", "words"),
    [("darwin", "Local Network"), ("win32", "Windows Security"), ("linux", "firewall or sandbox")],
)
def test_a_missing_permission_is_told(number: int, platform: str, words: str) -> None:
    """With the place where each system lets a person give it."""
    told = explain_failure(OSError(number, os.strerror(number)), "en0", platform)
    assert told.startswith("Waggle is not allowed to look for others")
    assert words in told


def test_macos_hides_its_refusal() -> None:
    """A denied Local Network is an unreachable host there, and only there."""
    error = OSError(errno.EHOSTUNREACH, "No route to host")
    assert "Local Network" in explain_failure(error, "en0", "darwin")
    assert "No route to host" in explain_failure(error, "eth0", "linux")


def test_other_failures_are_told() -> None:
    """A port that is taken, one that nobody thought of, and silence."""
    taken = explain_failure(OSError(errno.EADDRINUSE, "Address already in use"), "eth0")
    assert "5353" in taken
    other = explain_failure(OSError("Interface not found"), "eth0, wlan0")
    assert "on eth0, wlan0 (Interface not found)" in other
    assert "on eth0 is not heard" in explain_silence("eth0")


def test_the_interfaces_of_this_computer_are_read() -> None:
    """Loopback is always there, with its network, and is of no use."""
    loopbacks = [one for one in read_interfaces() if one.kind is Kind.LOOPBACK]
    assert any(
        str(address.network) == "127.0.0.0/8" for one in loopbacks for address in one.addresses
    )
    assert not {one.name for one in loopbacks} & {one.name for one in look_around().usable}


def test_an_address_is_tried() -> None:
    """Loopback takes a packet; an address that this computer does not have takes none."""
    try_address(ipaddress.ip_interface("127.0.0.1/8"))
    for absent in ("203.0.113.7/24", "fd00:dead:beef::7/64"):
        with pytest.raises(OSError, match=r"."):
            try_address(ipaddress.ip_interface(absent))
