"""Token buckets, and what shares them."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.net import limits
from core.net.limits import (
    DistinctLimit,
    Rates,
    SiteBuckets,
    TokenBuckets,
    place_of,
    place_of_host,
    site_of,
)
from core.wire.codec import ITEM_LIFE_S, Rate
from tests.envelopes import FakeClock


def test_a_burst_is_allowed_and_then_the_rate() -> None:
    """A full bucket gives its burst at once, then a token per interval, never more than full."""
    clock = FakeClock()
    buckets = TokenBuckets(Rate(2, 5), clock)
    assert [buckets.take("a") for _ in range(7)] == [True] * 5 + [False] * 2
    clock.advance(1)
    assert [buckets.take("a") for _ in range(3)] == [True, True, False]
    clock.advance(1_000)
    assert sum(buckets.take("a") for _ in range(20)) == 5


def test_buckets_are_separate() -> None:
    """One visitor's haste is not another one's trouble."""
    buckets = TokenBuckets(Rate(1, 1), FakeClock())
    assert buckets.take("a")
    assert not buckets.take("a")
    assert buckets.take("b")


def test_the_number_of_buckets_is_bounded() -> None:
    """The one used longest ago is forgotten; those in use are not."""
    buckets = TokenBuckets(Rate(1, 1), FakeClock())
    for number in range(limits.MOST_KEYS + 10):
        buckets.take("busy")
        buckets.take(str(number))
    assert len(buckets._buckets) == limits.MOST_KEYS  # noqa: SLF001 - memory is what is tested
    assert not buckets.take("busy")


@given(st.lists(st.floats(0, 10), max_size=200))
def test_no_timing_gets_more_than_burst_and_rate(pauses: list[float]) -> None:
    """Over any time t at most burst + rate * t tokens are given."""
    clock = FakeClock(0)
    buckets = TokenBuckets(Rate(3, 4), clock)
    taken = 0
    for pause in pauses:
        clock.advance(pause)
        taken += buckets.take("a")
    assert taken <= 4 + 3 * clock.now + 1e-6


def test_all_sites_of_an_ipv6_network_get_what_four_have() -> None:
    """However many of its 65,536 come; another network, and what one site is refused, is none."""
    clock = FakeClock()
    buckets = SiteBuckets(Rate(1, 3), clock)
    ours, others = (
        [f"2a01:4f8:{network}:{site:x}::/64" for site in range(1_000)] for network in (1, 2)
    )
    assert sum(buckets.take(ours[0]) for _ in range(100)) == 3
    assert sum(buckets.take(site) for site in ours[1:]) == 9
    assert buckets.take(others[0])
    clock.advance(2)
    assert sum(buckets.take(site) for site in ours) == 8


def test_sites_of_an_ipv4_network_are_nobodys_neighbours() -> None:
    """A school or a carrier may be behind each; one in a hurry keeps none of the others out."""
    buckets = SiteBuckets(Rate(1, 3), FakeClock())
    assert sum(buckets.take(f"203.0.113.{n}") for n in range(256) for _ in range(5)) == 3 * 256
    assert sum(buckets.take("unknown") for _ in range(5)) == 3


LIMITED = Rates(authors_per_site=2, authors_per_network=3)


def who(number: int) -> str:
    return f"meadow/{number:064x}"


def test_a_site_and_its_network_have_so_many_authors() -> None:
    """Others may speak once one of them was silent for as long as an item lives."""
    clock = FakeClock()
    distinct = DistinctLimit(LIMITED, clock)
    assert [distinct.admit("8.8.8.1", who(n)) for n in (1, 2, 3, 1)] == [True, True, False, True]
    assert [distinct.admit("8.8.8.2", who(n)) for n in (4, 5, 4)] == [True, False, True]
    clock.advance(ITEM_LIFE_S)
    assert distinct.admit("8.8.8.1", who(1))
    clock.advance(1)
    assert [distinct.admit("8.8.8.2", who(n)) for n in (5, 6, 7)] == [True, True, False]


def test_whom_its_network_has_no_room_for_takes_none_of_its_site() -> None:
    """Else strangers who were refused kept out who comes to the site once there is room."""
    clock = FakeClock()
    distinct = DistinctLimit(LIMITED, clock)
    assert all(distinct.admit(f"8.8.8.{n}", who(n)) for n in (1, 2, 3))
    clock.advance(ITEM_LIFE_S)
    assert not any(distinct.admit("8.8.8.4", who(n)) for n in range(4, 8))
    clock.advance(1)
    assert [distinct.admit("8.8.8.4", who(n)) for n in (9, 10)] == [True, True]


def test_who_is_silent_is_forgotten_whoever_speaks() -> None:
    """A thousand places that never come again take no memory."""
    clock = FakeClock()
    distinct = DistinctLimit(LIMITED, clock)
    for number in range(1_000):
        assert distinct.admit(f"8.{number // 250}.{number % 250}.1", who(number))
    clock.advance(ITEM_LIFE_S + 1)
    assert distinct.admit("9.9.9.9", who(1))
    assert set(distinct._sites) == {"9.9.9.9"}  # noqa: SLF001 - memory is what is tested
    assert set(distinct._networks) == {"9.9.9.0/24"}  # noqa: SLF001 - the same


def test_the_sites_of_one_network_push_out_no_other(monkeypatch: pytest.MonkeyPatch) -> None:
    """However many one author speaks from, what another network's authors filled stays full."""
    monkeypatch.setattr(limits, "MOST_KEYS", 100)
    distinct = DistinctLimit(LIMITED, FakeClock())
    assert all(distinct.admit(f"8.8.8.{n}", who(n)) for n in (1, 2, 3))
    assert all(distinct.admit(f"2a01:4f8:1:{site:x}::/64", who(9)) for site in range(1_000))
    assert not distinct.admit("8.8.8.4", who(4))


def test_what_shares_a_bucket() -> None:
    """An IPv4 address, however written; a whole /64 of IPv6; nothing raises."""
    assert site_of("192.0.2.7") == site_of("::ffff:192.0.2.7") == "192.0.2.7"
    assert site_of("2001:db8::1") == site_of("2001:db8::ffff:2") == "2001:db8::/64"
    assert site_of("2001:db8:0:1::1") != site_of("2001:db8::1")
    assert site_of("fe80::1%eth0") == "fe80::/64"
    assert site_of(None) == site_of("") == site_of("/tmp/socket") == "unknown"  # noqa: S108 - a name


def test_what_is_rented_in_one_piece_is_one_place() -> None:
    """A /24 of IPv4, a /48 of IPv6, by an address or by its site."""
    assert place_of("8.8.8.8") == place_of("::ffff:8.8.8.9") == "8.8.8.0/24"
    assert place_of("8.8.9.8") != place_of("8.8.8.8")
    assert place_of("2002:808:808:1::1") == place_of("8.8.8.8"), "6to4 belongs to an IPv4 address"
    assert place_of("2001:0:1:2::3") == "2001:0:1::/48", "as any other of IPv6"
    assert (
        place_of("2a01:4f8:1:2::3") == place_of(site_of("2a01:4f8:1:ff00::1")) == "2a01:4f8:1::/48"
    )


@pytest.mark.parametrize(
    "address", ["192.168.1.5", "10.0.0.1", "100.64.3.4", "127.0.0.1", "fd00::5"]
)
def test_machines_of_a_private_network_are_places_of_their_own(address: str) -> None:
    """So that a network at home or at school works, and one behind a carrier's router."""
    assert place_of(address) == address
    assert place_of(f"{address}%eth0") == address


def test_places_of_nowhere_are_one() -> None:
    """Nothing raises."""
    assert place_of(None) == place_of("") == place_of("unknown") == "unknown"
    assert place_of("fe80::1%eth0") == "fe80::1"


def test_a_name_is_a_place_by_itself() -> None:
    """What it leads to is not known before it is asked."""
    assert place_of_host("node.example") == "node.example"
    assert place_of_host("fd00::5") == "fd00::5"
    assert place_of_host("8.8.8.8") == "8.8.8.0/24"
