"""Joining what several hubs gave."""

from dataclasses import replace

from hypothesis import given
from hypothesis import strategies as st

from core.rollouts.types import PeerId
from core.swarm.exchange.merging import RoundReplies, interleave_places, merge
from core.swarm.exchange.validation import PeerRollout
from core.swarm.membership import Address, Origin, Source
from tests.envelopes import ANNE, group


def received(number: int, site: str = "") -> PeerRollout:
    return PeerRollout(replace(group(ANNE.peer_id, number + 1), site=site), number)


def numbers(merged: list[PeerRollout]) -> list[int]:
    return [one.sequence for one in merged]


def everything(_: PeerRollout) -> bool:
    return True


def test_one_hub_may_give_everything() -> None:
    """With nobody else to ask there is no share to keep."""
    offers = [[received(n) for n in range(9)]]
    assert numbers(merge(offers, 8, everything)) == list(range(8))
    assert numbers(merge([[], *offers, []], 8, everything)) == list(range(8))


def test_hubs_take_turns() -> None:
    """Equal shares where both have enough."""
    offers = [[received(n) for n in range(8)], [received(n) for n in range(10, 18)]]
    assert numbers(merge(offers, 4, everything)) == [0, 10, 1, 11]


def test_no_hub_gives_more_than_half() -> None:
    """Even where the other one has next to nothing."""
    offers = [[received(n) for n in range(8)], [received(10)], []]
    assert numbers(merge(offers, 8, everything)) == [0, 10, 1, 2, 3]


def test_what_is_refused_uses_up_no_share() -> None:
    """A copy that came first from another hub does not count against this one."""
    taken: set[int] = set()

    def once(one: PeerRollout) -> bool:
        fresh = one.sequence not in taken
        taken.add(one.sequence)
        return fresh

    offers = [[received(n) for n in (1, 2, 3, 4)], [received(n) for n in (1, 2, 5, 6)]]
    assert numbers(merge(offers, 8, once)) == [1, 2, 3, 5, 4, 6]


@given(st.lists(st.lists(st.integers(0, 50), max_size=20), max_size=5), st.integers(0, 20))
def test_never_more_than_wanted_and_only_what_was_offered(
    offered: list[list[int]], want: int
) -> None:
    """Whatever hubs offer, none included."""
    merged = numbers(merge([[received(n) for n in offer] for offer in offered], want, everything))
    assert len(merged) <= want
    assert set(merged) <= {n for offer in offered for n in offer}


def offered_by(*addresses: tuple[str, Origin, str | None]) -> list[list[int]]:
    """The numbers offered where each address, found so, greets with that key and offers one."""
    one = RoundReplies()
    for number, (address, origin, key) in enumerate(addresses):
        source = Source(Address(address), "hub", origin)
        one.add_hub(source, None if key is None else PeerId(key), number, [received(number)])
    return [numbers(offer) for offer in one.offers()]


def test_all_addresses_of_a_hub_are_one_offer() -> None:
    """Strangers' too, where it was asked at one that is not a stranger's, which comes first."""
    assert offered_by(("a", "named", "k"), ("b", "lan", "k"), ("c", "named", "x")) == [[0, 1], [2]]
    assert offered_by(("a", "named", "k"), ("b", "dht", "k")) == [[0, 1]]


def test_a_key_that_a_stranger_shows_is_no_proof() -> None:
    """It may pass on another's greeting, so it takes away nothing of that one's share."""
    assert offered_by(("a", "dht", "k"), ("b", "known", "k")) == [[0], [1]]
    assert offered_by(("a", "dht", "k"), ("b", "lan", "k")) == [[0], [1]]
    assert offered_by(("a", "named", None), ("b", "named", None)) == [[0], [1]]


def test_whoever_passes_on_a_hubs_greeting_takes_half_of_its_part_at_most() -> None:
    """However much it offers, and although it was named and comes first."""
    one = RoundReplies()
    relayer, hub = (Source(Address(name), "hub", "named") for name in "ab")
    one.add_hub(relayer, PeerId("k"), 50, [received(n) for n in range(8)])
    one.add_hub(hub, PeerId("k"), 2, [received(n) for n in range(10, 18)])
    assert one.claimed == {"k": 2}
    assert numbers(merge(one.offers(), 4, everything)) == [0, 10, 1, 11]
    one.add_hub(Source(Address("c"), "hub", "named"), PeerId("x"), 1, [received(20)])
    assert numbers(merge(one.offers(), 8, everything)) == [0, 20, 10, 1, 11]


def test_strangers_who_pass_on_a_hubs_greeting_take_half_of_its_part_together() -> None:
    """And do not say how many others it knows."""
    one = RoundReplies()
    one.add_hub(Source(Address("a"), "hub", "named"), PeerId("k"), 50, [received(0), received(1)])
    for n, name in enumerate("bc", start=1):
        relayer = Source(Address(name), "hub", "dht")
        one.add_hub(relayer, PeerId("k"), 0, [received(10 * n), received(10 * n + 1)])
    assert one.claimed == {"k": 50}
    assert numbers(merge(one.offers(), 4, everything)) == [0, 10, 1, 20]


def test_a_hub_that_is_there_and_offers_nothing_has_its_say() -> None:
    """It counts among those that claim others, with the least, and makes no offer of nothing."""
    one = RoundReplies()
    source = Source(Address("a"), "hub", "named")
    one.add_hub(source, PeerId("k"), 50)
    one.add_hub(source, PeerId("k"), 3)
    assert (one.claimed, one.offers()) == ({"k": 3}, [])


def test_nodes_make_one_offer() -> None:
    """A group of each in turn, so that nobody who has more is louder."""
    whole = [[received(n, "a") for n in (1, 2, 3)], [received(10, "b")], []]
    whole.append([received(20, "c"), received(21, "c")])
    assert numbers(interleave_places(whole)) == [1, 10, 20, 2, 21, 3]
    assert interleave_places([]) == []


def test_nodes_of_one_place_take_its_turns() -> None:
    """Five of them are heard as often as one elsewhere."""
    loud = [[received(10 * node + n, "a") for n in range(3)] for node in range(5)]
    quiet = [received(100 + n, "b") for n in range(3)]
    merged = numbers(interleave_places([*loud, quiet]))
    assert merged[:6] == [0, 100, 10, 101, 20, 102]
    assert len(merged) == 18
