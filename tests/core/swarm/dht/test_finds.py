"""What is kept of the claims of strangers."""

from collections import Counter
from ipaddress import ip_address, ip_network
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.swarm.dht import finds
from core.swarm.dht.finds import MOST_PER_HOST, MOST_PER_REPLY, Endpoint, Finds, checked_address

hosts = st.one_of(st.ip_addresses().map(str), st.text(max_size=20))
claims = st.lists(st.tuples(hosts, st.integers(-1, 70_000)), max_size=80)


def public(number: int) -> str:
    return str(ip_address(0x5000_0000 + number))


@pytest.mark.parametrize(
    ("host", "port", "address"),
    [
        ("8.8.8.8", 1024, Endpoint("8.8.8.8", 1024)),
        ("8.8.8.8", 443, Endpoint("8.8.8.8", 443)),
        ("::ffff:8.8.8.8", 80, Endpoint("8.8.8.8", 80)),
        ("2001:4860:4860:0::8888", 65_535, Endpoint("2001:4860:4860::8888", 65_535)),
    ],
)
def test_addresses_on_the_internet_pass(host: str, port: int, address: Endpoint) -> None:
    """In their shortest form, so that one address has one name."""
    assert checked_address(host, port) == address


@pytest.mark.parametrize(
    ("host", "port", "reason"),
    [
        ("8.8.8.8", 0, "port"),
        ("8.8.8.8", 65_536, "port"),
        ("8.8.8.8", -1, "port"),
        ("8.8.8.8", 25, "port"),
        ("127.0.0.1", 4444, "private"),
        ("10.0.0.1", 4444, "private"),
        ("100.64.0.1", 4444, "private"),
        ("169.254.169.254", 80, "private"),
        ("224.0.0.251", 5353, "private"),
        ("255.255.255.255", 4444, "private"),
        ("0.0.0.0", 4444, "private"),  # noqa: S104 - nothing is bound to it
        ("::", 4444, "private"),
        ("::1", 4444, "private"),
        ("fe80::1", 4444, "private"),
        ("fe80::1%eth0", 4444, "private"),
        ("2001:4860:4860::8888%eth0", 4444, "private"),
        ("fd00::1", 4444, "private"),
        ("ff0e::1", 4444, "private"),
        ("::ffff:192.168.0.1", 4444, "private"),
        ("2002:c0a8:1::1", 4444, "private"),
        ("64:ff9b::10.0.0.1", 4444, "private"),
        ("64:ff9b:1::10.0.0.1", 4444, "private"),
        ("fec0::1", 4444, "private"),
        ("::127.0.0.1", 4444, "private"),
        ("example.org", 4444, "host"),
        ("", 4444, "host"),
        ("8.8.8.8/32", 4444, "host"),
    ],
)
def test_others_do_not(host: str, port: int, reason: str) -> None:
    """Nobody makes us knock at our own router, a cloud's secrets, or a mail server."""
    assert checked_address(host, port) == reason


def test_private_networks_pass_where_they_are_allowed() -> None:
    """For tests on one machine; what can be nobody's address still does not."""
    assert checked_address("127.0.0.1", 4444, local=True) == Endpoint("127.0.0.1", 4444)
    assert checked_address("224.0.0.1", 4444, local=True) == "private"
    assert checked_address("127.0.0.1", 0, local=True) == "port"


@given(st.lists(claims, max_size=5), st.integers(0, 70))
def test_whatever_is_claimed_the_choice_is_bounded_and_checked(
    replies: list[list[tuple[str, int]]], most: int
) -> None:
    """Distinct, on the internet, and no host more than a few times."""
    finds = Finds(Random(1))
    for reply in replies:
        finds.add(reply)
    chosen = finds.choose(most)
    assert len(chosen) <= most
    assert len(set(chosen)) == len(chosen)
    assert all(checked_address(one.host, one.port) == one for one in chosen)
    assert max(Counter(one.host for one in chosen).values(), default=0) <= MOST_PER_HOST


def test_an_endless_reply_is_cut_off() -> None:
    """What is beyond the limit is not even looked at."""
    finds = Finds(Random(1))
    finds.add((public(n), 4444) for n in range(10**12))
    assert len(finds) == MOST_PER_REPLY


def test_a_thousand_ports_of_one_network_push_nobody_out() -> None:
    """One address of each network comes before a second one of any."""
    finds = Finds(Random(1))
    for n in range(1_000):
        finds.add([(f"80.0.0.{n % 256}", 2_000 + n)])
    honest = [("81.0.0.1", 4444), ("2001:4860:4860::8888", 4444), ("82.0.0.1", 4444)]
    finds.add(honest)
    assert {(one.host, one.port) for one in finds.choose(4)} > set(honest)


def test_one_host_counts_a_few_times() -> None:
    """Even where it is the only one."""
    finds = Finds(Random(1))
    finds.add([("80.0.0.1", 2_000 + n) for n in range(100)])
    assert len(finds.choose()) == MOST_PER_HOST


def test_memory_is_bounded_and_coming_first_is_no_privilege(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Of ten times as many as fit, those kept come from all tenths, with the rest counted."""
    monkeypatch.setattr(finds, "MOST_KEPT", 200)
    heard = Finds(Random(1))
    for start in range(0, 2_000, 100):
        heard.add([(public(n << 8), 4444) for n in range(start, start + 100)])
    kept = heard.choose(2_000)
    assert len(kept) == len(heard) == 200
    assert heard.refused == {"full": 1_800}
    tenths = Counter((int(ip_address(one.host)) - 0x5000_0000 >> 8) // 200 for one in kept)
    assert sorted(tenths) == list(range(10))
    assert max(tenths.values()) < 50


def test_the_order_is_random_and_repeatable() -> None:
    """The same dice give the same order, others another one."""

    def drawn(seed: int) -> tuple[Endpoint, ...]:
        finds = Finds(Random(seed))
        finds.add([(public(n << 8), 4444) for n in range(100)])
        return finds.choose()

    assert drawn(1) == drawn(1)
    assert drawn(1) != drawn(2)
    networks = {ip_network((one.host, 24), strict=False) for one in drawn(1)}
    assert len(networks) == len(drawn(1)) == 64
