"""What strangers on the local network say, and what becomes of it."""

import ipaddress
import string
from collections.abc import Mapping

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.errors import WireError
from core.rollouts.types import PeerId
from core.swarm.lan.neighbours import (
    FAREWELL_S,
    LIFE_S,
    MAX_HOSTS,
    MAX_TEXT_BYTES,
    MOST_AT_ONE_HOST,
    MOST_NEIGHBOURS,
    SERVICE_TYPE,
    Claim,
    LanNotice,
    Neighbour,
    Neighbourhood,
    choose_hosts,
    read_claim,
)
from tests.envelopes import FakeClock

OWN = LanNotice(PeerId("0" * 64), "meadow", 4_000)
BOB = PeerId("b" * 64)
NETWORKS = [ipaddress.ip_network(n) for n in ("192.168.1.0/24", "2001:db8:7::/64")]
REASONS = {"size", "schema", "version", "name", "port", "address", "crowd"}


def packed(*addresses: str) -> tuple[bytes, ...]:
    return tuple(ipaddress.ip_address(one).packed for one in addresses)


def text(pairs: Mapping[str, str]) -> bytes:
    """A TXT record."""
    entries = [f"{key}={value}".encode() for key, value in pairs.items()]
    return b"".join(bytes([len(entry)]) + entry for entry in entries)


def claim(peer: str = BOB, *hosts: str, swarm: str = "meadow", port: int = 4_001) -> Claim:
    """An honest announcement."""
    notice = LanNotice(PeerId(peer), swarm, port)
    addresses = packed(*(hosts or ("192.168.1.7",)))
    return Claim(notice.name, text(notice.properties), port, addresses)


def number(n: int) -> str:
    """A peer id; no two begin alike."""
    return f"{n:016x}".ljust(64, "f")


def address(n: int) -> str:
    """An address on a private network."""
    return str(ipaddress.IPv4Address(0x0A000000 + n))


def test_an_honest_announcement_is_read() -> None:
    """Swarm, peer, port, and addresses."""
    heard = claim(BOB, "192.168.1.7", "fd00::7")
    swarm, neighbour = read_claim(heard, NETWORKS)
    assert swarm == "meadow"
    assert neighbour == Neighbour(BOB, ("192.168.1.7", "fd00::7"), 4_001)


GOOD = {"v": "1", "id": BOB, "swarm": "meadow"}

WRONG = {
    "nothing": (b"", "version"),
    "another version": (text({**GOOD, "v": "2"}), "version"),
    "no id": (text({"v": "1", "swarm": "meadow"}), "schema"),
    "a short id": (text({**GOOD, "id": BOB[1:]}), "schema"),
    "a long id": (text({**GOOD, "id": BOB + "b"}), "schema"),
    "an id in capitals": (text({**GOOD, "id": BOB.upper()}), "schema"),
    "an id with a line end": (text({**GOOD, "id": BOB + "\n"}), "schema"),
    "no swarm": (text({"v": "1", "id": BOB}), "schema"),
    "an empty swarm": (text({**GOOD, "swarm": ""}), "schema"),
    "a long swarm": (text({**GOOD, "swarm": "m" * 41}), "schema"),
    "a swarm in capitals": (text({**GOOD, "swarm": "Meadow"}), "schema"),
    "a path for a swarm": (text({**GOOD, "swarm": "../../etc"}), "schema"),
    "beyond ASCII": (text({**GOOD, "x": "é"}), "schema"),
    "cut off": (text(GOOD)[:-1], "schema"),
    "too long": (text({**GOOD, "x": "y" * 250, "z": "y" * 100}), "size"),
    "the name of another": (text({**GOOD, "id": "c" * 64}), "name"),
}


@pytest.mark.parametrize("what", WRONG)
def test_a_wrong_text_is_refused(what: str) -> None:
    """With its reason, which is counted."""
    said, reason = WRONG[what]
    near = Neighbourhood(OWN, FakeClock())
    wrong = Claim(claim().name, said, 4_001, packed("192.168.1.7"))
    assert not near.add(wrong, NETWORKS)
    assert near.refused == {reason: 1}
    assert near.now() == ()


def test_what_a_later_release_adds_is_no_harm() -> None:
    """Unknown keys are passed over, within the limit on the whole; the first of a key counts."""
    more = text({**GOOD, "colour": "amber"}) + text({"id": "c" * 64})
    assert len(more) <= MAX_TEXT_BYTES
    assert read_claim(Claim(claim().name, more, 1, packed("192.168.1.7")), NETWORKS)[1].peer == BOB


@pytest.mark.parametrize("port", [0, -1, 65_536])
def test_an_impossible_port_is_refused(port: int) -> None:
    """Nobody answers there."""
    with pytest.raises(WireError, match="port"):
        read_claim(claim(port=port), NETWORKS)


@pytest.mark.parametrize(
    ("addresses", "hosts"),
    [
        (["10.1.1.1", "192.168.1.9"], ["192.168.1.9", "10.1.1.1"]),  # own network first
        (["fd00::9", "10.1.1.1"], ["10.1.1.1", "fd00::9"]),  # IPv4 first
        (["2001:db8:7::1"], ["2001:db8:7::1"]),
        (["192.168.1.9", "192.168.1.9"], ["192.168.1.9"]),
        (["8.8.8.8", "2606:4700::1"], []),  # of the internet, not on a network of ours
        (["127.0.0.1", "::1"], []),
        (["224.0.0.251", "ff02::fb"], []),
        (["0.0.0.0", "::", "255.255.255.255"], []),  # noqa: S104 - as a stranger may say it
        (["fe80::9", "169.254.1.1"], []),
        (["::ffff:192.168.1.9"], []),
    ],
)
def test_where_this_node_would_knock(addresses: list[str], hosts: list[str]) -> None:
    """Only where a neighbour can be; nobody nearby chooses targets far away."""
    assert list(choose_hosts(packed(*addresses), NETWORKS)) == hosts


def test_addresses_are_bounded() -> None:
    """A neighbour has at most eight, and none at all is no neighbour."""
    many = claim(BOB, *map(address, range(1, 300)))
    assert len(read_claim(many, NETWORKS)[1].hosts) == MAX_HOSTS
    with pytest.raises(WireError, match="address"):
        read_claim(claim(BOB, "8.8.8.8"), NETWORKS)


def test_an_address_of_the_internet_counts_on_the_own_network() -> None:
    """As at universities, where every computer has one."""
    campus = [ipaddress.ip_network("8.8.8.0/24")]
    assert choose_hosts(packed("8.8.8.8"), campus) == ("8.8.8.8",)


def test_only_others_of_this_swarm_are_neighbours() -> None:
    """The own announcement and those of other swarms are no fault, and nobody's neighbours."""
    near = Neighbourhood(OWN, FakeClock())
    assert not near.add(claim(OWN.peer), NETWORKS)
    assert not near.add(claim(BOB, swarm="orchard"), NETWORKS)
    assert near.now() == ()
    assert not near.refused


def test_what_changes_is_told() -> None:
    """Coming, moving and going are changes; saying the same again is none."""
    clock = FakeClock()
    near = Neighbourhood(OWN, clock)
    assert near.add(claim(), NETWORKS)
    assert not near.add(claim(), NETWORKS)
    assert near.add(claim(BOB, "192.168.1.8"), NETWORKS)
    assert near.now() == (Neighbour(BOB, ("192.168.1.8",), 4_001),)
    assert near.part(claim().name.upper())
    assert not near.part(claim().name)
    assert near.now() == ()


def test_an_answer_that_crosses_the_goodbye_is_too_late() -> None:
    """What was on its way when a node left does not bring it back; a return a moment later does."""
    clock = FakeClock()
    near = Neighbourhood(OWN, clock)
    near.add(claim(), NETWORKS)
    near.part(claim().name)
    assert not near.add(claim(), NETWORKS)
    clock.advance(FAREWELL_S)
    assert near.add(claim(), NETWORKS)


def test_who_is_silent_for_long_is_gone() -> None:
    """A computer that was switched off said no goodbye."""
    clock = FakeClock()
    near = Neighbourhood(OWN, clock)
    assert near.quiet_s() == float("inf")
    near.add(claim(number(1), address(1)), NETWORKS)
    clock.advance(LIFE_S - 1)
    near.add(claim(number(2), address(2)), NETWORKS)
    assert [one.peer for one in near.now()] == [number(2), number(1)]
    assert near.quiet_s() == LIFE_S - 1
    clock.advance(1)
    assert [one.peer for one in near.now()] == [number(2)]


def test_a_flood_keeps_the_newest_and_no_more() -> None:
    """20,000 invented nodes at as many addresses leave the last 256."""
    near = Neighbourhood(OWN, FakeClock())
    for n in range(20_000):
        near.add(claim(number(n), address(n + 1)), NETWORKS)
    newest = [number(n) for n in range(19_999, 19_999 - MOST_NEIGHBOURS, -1)]
    assert [one.peer for one in near.now()] == newest


def test_one_computer_with_many_names_pushes_nobody_out() -> None:
    """10,000 nodes at one address are sixteen, and the honest one from before stays."""
    near = Neighbourhood(OWN, FakeClock())
    near.add(claim(BOB, "192.168.1.7"), NETWORKS)
    for n in range(10_000):
        near.add(claim(number(n), "192.168.1.66"), NETWORKS)
    peers = [one.peer for one in near.now()]
    assert BOB in peers
    assert len(peers) == MOST_AT_ONE_HOST + 1
    assert near.refused == {"crowd": 10_000 - MOST_AT_ONE_HOST}


def test_on_another_network_the_old_neighbours_are_forgotten() -> None:
    """Those of the café are not at home; those of a network that is still there stay."""
    near = Neighbourhood(OWN, FakeClock())
    near.add(claim(number(1), "192.168.1.7"), NETWORKS)
    near.add(claim(number(2), "10.0.0.7"), NETWORKS)
    assert near.keep_near(NETWORKS)
    assert [one.peer for one in near.now()] == [number(1)]
    assert not near.keep_near(NETWORKS)
    assert near.keep_near([])


names = st.text(max_size=80) | st.builds(
    lambda label: f"{label}.{SERVICE_TYPE}", st.text(string.hexdigits, max_size=20)
)
texts = st.binary(max_size=MAX_TEXT_BYTES + 10) | st.dictionaries(
    st.sampled_from(["v", "id", "swarm", "x"]),
    st.sampled_from(["1", BOB, "meadow", ""]) | st.text(string.printable, max_size=70),
).map(text)
addresses_of_any_kind = st.lists(
    st.binary(max_size=20) | st.ip_addresses().map(lambda ip: ip.packed), max_size=30
).map(tuple)


@given(names, texts, st.integers(), addresses_of_any_kind)
def test_nothing_that_is_said_raises(
    name: str, said: bytes, port: int, addresses: tuple[bytes, ...]
) -> None:
    """Whatever a stranger announces is a neighbour, is of another swarm, or is counted."""
    near = Neighbourhood(OWN, FakeClock())
    near.add(Claim(name, said, port, addresses), NETWORKS)
    near.part(name)
    assert set(near.refused) <= REASONS


@given(addresses_of_any_kind)
def test_hosts_are_addresses_and_nothing_else(addresses: tuple[bytes, ...]) -> None:
    """What is knocked at is an address of a possible neighbour, at most eight of them."""
    hosts = choose_hosts(addresses, NETWORKS)
    assert len(set(hosts)) == len(hosts) <= MAX_HOSTS
    for host in hosts:
        ip = ipaddress.ip_address(host)
        assert ip.packed in addresses
        assert ip.is_private or any(ip in network for network in NETWORKS)
