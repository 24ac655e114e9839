"""Seats: they run out, become free, and are shared when they are few."""

from contextlib import ExitStack

from hypothesis import given
from hypothesis import strategies as st

from core.net.connection_limit import ConnectionLimit, ConnectionSlot
from core.wire.codec import NETWORK_SITES


class House(ExitStack):
    """Visitors who stay until they are sent away, and a list of those who were."""

    def __init__(self, room: int, most_per_site: int = 100) -> None:
        super().__init__()
        self.limit = ConnectionLimit(room, most_per_site)
        self.gone: list[str] = []

    def come(self, site: str, weight: int = 1, *, leaves: bool = True) -> ConnectionSlot | None:
        evict = (lambda: self.gone.append(site)) if leaves else None
        return self.enter_context(self.limit.take(site, weight, evict))


def test_seats_run_out_and_become_free() -> None:
    """Neither one site nor all together take more seats than there are; leaving frees them."""
    limit = ConnectionLimit(3, 2)
    with limit.take("a") as first, limit.take("a") as second, limit.take("a") as third:
        assert (first is not None, second is not None, third) == (True, True, None)
        with limit.take("b") as fourth, limit.take("c") as fifth:
            assert (fourth is not None, fifth) == (True, None)
    with limit.take("a") as again:
        assert again is not None
    assert len(limit) == 0


def test_where_it_is_full_the_largest_crowd_makes_room() -> None:
    """Its first comer goes; whoever is alone is neither kept out nor sent away."""
    with House(4) as house:
        house.come("alone")
        crowd = [house.come("crowd") for _ in range(3)]
        assert house.come("newcomer") is not None
        assert house.gone == ["crowd"]
        assert house.come("crowd") is None, "it already has as much as anybody"
        assert len(house.limit) == 4
        assert all(crowd)


def test_of_single_visitors_the_first_comer_makes_room() -> None:
    """A thousand addresses that hold one connection each keep nobody out either."""
    with House(3) as house:
        for site in "abcd":
            assert house.come(site) is not None
        assert house.gone == ["a"]


def test_equals_do_not_send_each_other_away() -> None:
    """A site that is inside already gets no second seat at the cost of one that has two."""
    with House(3) as house:
        for site in "aab":
            house.come(site)
        assert house.come("b") is None
        assert house.come("a") is None
        assert house.gone == []


def at_home(site: int, network: int = 1) -> str:
    """One of the many sites of an IPv6 network."""
    return f"2a01:4f8:{network}:{site:x}::/64"


def test_all_sites_of_an_ipv6_network_take_what_four_may() -> None:
    """However many come; sites of IPv4 are counted each for itself."""
    with House(100, 2) as house:
        seats = [house.come(at_home(site)) for site in range(50)]
        assert len(house.limit) == 2 * NETWORK_SITES == 50 - seats.count(None)
        assert house.come(at_home(0, network=2)) is not None
        assert all(house.come(f"203.0.113.{number}") for number in range(50))


def test_where_it_is_full_the_largest_network_makes_room() -> None:
    """A site of its own for each of its visitors does not make it look small."""
    with House(8) as house:
        for site in (*range(4), 0):
            house.come(at_home(site))
        for site in ("alone", "pair", "pair"):
            house.come(site)
        for site in ("newcomer", "another"):
            assert house.come(site) is not None
        assert house.gone == [at_home(0), at_home(0)], "of its sites the largest goes first"
        assert house.come("another") is not None
        assert house.gone[2:] == [at_home(1)]


def test_a_network_that_is_full_makes_room_for_its_own() -> None:
    """A neighbour that takes much is who goes, and whoever is small beside it comes in."""
    with House(6) as house:
        for site in (0, 0, 0, 1):
            house.come(at_home(site))
        house.come("alone")
        house.come("lonely")
        assert house.come(at_home(2)) is not None
        assert house.come(at_home(1)) is None, "that would be as much as the largest has"
        assert house.gone == [at_home(0)]


def test_who_cannot_leave_now_is_not_asked() -> None:
    """Then the next largest crowd is, and if nobody can, the newcomer waits outside."""
    with House(5) as house:
        for _ in range(3):
            house.come("busy", leaves=False)
        house.come("idle")
        house.come("idle")
        assert house.come("newcomer") is not None
        assert house.gone == ["idle"]
    with House(2) as house:
        house.come("busy", leaves=False)
        house.come("busy", leaves=False)
        assert house.come("newcomer") is None


def test_heavy_visitors_count_by_their_weight() -> None:
    """One that takes half of the room goes before three that take little."""
    with House(10) as house:
        house.come("heavy", 6)
        for _ in range(3):
            house.come("light")
        assert house.come("newcomer", 3) is not None
        assert house.gone == ["heavy"]
        assert house.come("giant", 11) is None


def test_a_seat_grows_where_there_is_room() -> None:
    """Or where a larger crowd makes it; what does not fit leaves it as it was."""
    with House(10) as house:
        small = house.come("small", leaves=False)
        assert small is not None
        for _ in range(4):
            house.come("crowd", 2)
        assert house.limit.resize(small, 2)
        assert house.limit.resize(small, 4)
        assert (small.weight, house.gone) == (4, ["crowd"])
        assert not house.limit.resize(small, 9)
        assert small.weight == 4
        assert house.limit.resize(small, 1)
        assert house.come("another", 3) is not None
        assert house.gone == ["crowd"]


def test_a_lost_seat_does_not_grow() -> None:
    """Whoever was sent away and goes on all the same takes no room along."""
    with House(4) as house:
        lost = house.come("crowd", 2)
        house.come("crowd", 2)
        assert house.come("newcomer") is not None
        assert lost is not None
        assert not house.limit.resize(lost, 3)
        assert house.come("another") is not None
        assert house.gone == ["crowd"]


@given(st.lists(st.tuples(st.integers(0, 5), st.integers(1, 4), st.booleans()), max_size=80))
def test_the_room_is_never_overdrawn(visits: list[tuple[int, int, bool]]) -> None:
    """Whoever comes, what is taken stays within the room, and all of it is free in the end."""
    with House(8, 3) as house:
        for number, weight, leaves in visits:
            site = at_home(number) if number % 2 else str(number)
            house.come(site, weight, leaves=leaves)
            holders = house.limit._by_holder.values()  # noqa: SLF001 - the bound is what is tested
            by_site = [slots for sites in holders for slots in sites.values()]
            taken = [slot for slots in by_site for slot in slots]
            assert sum(slot.weight for slot in taken) <= 8
            assert all(len(slots) <= 3 for slots in by_site)
    assert len(house.limit) == 0
    assert not house.limit._of_sites, "nor is anybody remembered"  # noqa: SLF001 - memory is what is tested
    assert not house.limit._of_holders  # noqa: SLF001 - the same
