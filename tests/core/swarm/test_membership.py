"""Whom to turn to, with strangers who flood, break the protocol, or stay away."""

from collections import Counter
from dataclasses import replace
from random import Random

import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, precondition, rule

from core.api.swarm_view import MOST_NAMED_HUBS, MOST_SEEN_HUBS
from core.rollouts.types import PeerId
from core.swarm.membership import (
    ALIVE_S,
    BAD_SHARE,
    FIRST_BAN_S,
    FORGET_BANS_S,
    FORGET_KNOWN_S,
    GARBAGE_TO_BAN,
    HALF_LIFE_S,
    LONGEST_BAN_S,
    MOST_BANS,
    MOST_HUBS,
    MOST_NODES,
    MOST_PROBES,
    MOST_STRANGERS,
    PULL_EVERY_S,
    ROOM,
    Address,
    Kind,
    Membership,
    Origin,
    Source,
)
from core.wire.codec import MAX_HUBS_IN_INVITE
from tests.envelopes import NOW
from tests.present import present

A, B = PeerId("a" * 64), PeerId("b" * 64)
ORIGINS: tuple[Origin, ...] = ("named", "known", "lan", "dht")


def hub(number: int, origin: Origin = "named", last_good: float = 0.0) -> Source:
    return Source(Address(f"http://hub-{number}"), "hub", origin, last_good=last_good)


def node(number: int, origin: Origin = "lan") -> Source:
    return Source(Address(f"{number:064x}"), "node", origin, host="10.0.0.1", port=number % 65_536)


def members_of(*sources: Source) -> Membership:
    members = Membership()
    assert all(members.add(source) for source in sources)
    return members


def found(members: Membership, address: Address) -> Source:
    return present(members.get(address))


def addresses(chosen: list[Source]) -> list[str]:
    return [source.address for source in chosen]


@pytest.mark.parametrize("origin", ORIGINS)
def test_every_origin_has_room_of_its_own(origin: Origin) -> None:
    """A full origin takes nothing from the others, and they still find room."""
    members = Membership()
    for number in range(ROOM[origin] + 10):
        members.add(node(number, origin))
    assert len(members) == ROOM[origin]
    others = [other for other in ORIGINS if other != origin]
    assert all(members.add(hub(n, other)) for n, other in enumerate(others))
    assert len(members) == ROOM[origin] + len(others)


def test_what_the_person_named_is_never_pushed_out() -> None:
    """Not even by more names; whoever comes too late is told that there is no room."""
    named = [hub(number) for number in range(ROOM["named"])]
    members = members_of(*named)
    assert not members.add(hub(99))
    assert all(members.get(one.address) is one for one in named)


def test_a_flood_is_bounded_and_pushes_out_no_good_one() -> None:
    """100,000 addresses from the DHT: room for 64 of them, and those that did well stay."""
    good = [node(number, "dht") for number in range(ROOM["dht"] - 1)]
    members = members_of(hub(1), hub(2, "known"), node(1_000_000), *good)
    for one in good:
        members.answered(one.address, NOW, good=1, bad=0)
    for number in range(100, 100_100):
        members.add(node(number, "dht"))
    assert len(members) == 3 + ROOM["dht"]
    assert all(members.get(one.address) is one for one in good)


def test_the_one_that_failed_most_makes_room() -> None:
    """A newcomer takes the place of whoever never answered, the worst of them."""
    crowd = [node(number, "dht") for number in range(ROOM["dht"])]
    members = members_of(*crowd)
    for _ in range(3):
        members.failed(crowd[7].address)
    members.failed(crowd[8].address)
    assert members.add(node(1_000, "dht"))
    assert members.get(crowd[7].address) is None
    assert members.get(crowd[8].address) is crowd[8]


def test_there_is_no_room_among_good_ones() -> None:
    """Strangers do not displace those that proved themselves."""
    crowd = [node(number, "dht") for number in range(ROOM["dht"])]
    members = members_of(*crowd)
    for one in crowd:
        members.answered(one.address, NOW, good=1, bad=0)
    assert not members.add(node(1_000, "dht"))


def test_a_better_origin_replaces_a_lesser_one() -> None:
    """An address heard of from strangers and then named is a named one, and not the other way."""
    members = members_of(hub(1, "dht"))
    members.add(hub(1, "named"))
    members.add(hub(1, "dht"))
    assert found(members, hub(1).address).origin == "named"
    assert len(members) == 1


def test_who_named_an_address_last_says_whether_it_may_lead_inside() -> None:
    """Of those who are trusted as much; a stranger cannot allow it."""
    address = hub(1).address
    members = members_of(Source(address, "hub", "dht"))
    members.add(Source(address, "hub", "named", stays_outside=True))
    members.add(Source(address, "hub", "dht"))
    assert found(members, address).stays_outside
    members.add(Source(address, "hub", "named"))
    assert not found(members, address).stays_outside


def test_strangers_do_not_say_who_has_to_answer_at_a_named_address() -> None:
    """The invite's key stays, and where none was named none is put in; a person may change it."""
    pinned = Source(Address("http://one"), "hub", "named", peer=A)
    free = Source(Address("http://two"), "hub", "named")
    members = members_of(pinned, free)
    for address in (pinned.address, free.address):
        members.add(Source(address, "hub", "dht", peer=B))
    assert (pinned.peer, free.peer) == (A, None)
    members.add(Source(pinned.address, "hub", "named", peer=B))
    assert pinned.peer == B


def test_a_node_may_move() -> None:
    """It is found where it was heard of last."""
    members = members_of(node(5))
    members.add(Source(node(5).address, "node", "lan", host="10.0.0.9", port=9))
    moved = found(members, node(5).address)
    assert (moved.host, moved.port) == ("10.0.0.9", 9)


def test_who_left_is_dropped() -> None:
    """Those of that origin only."""
    members = members_of(node(1), node(2), node(3, "dht"))
    assert members.keep_only("lan", [node(2).address]) == [node(1).address]
    assert members.get(node(2).address) is not None
    assert members.get(node(3).address) is not None
    assert len(members) == 2


def test_named_hubs_come_first() -> None:
    """However well others did; those fill what is left of three places."""
    others = [hub(number, "known", last_good=NOW - number) for number in range(10, 20)]
    members = members_of(*others, hub(1), hub(2))
    chosen = addresses(members.choose("hub", NOW, Random(1)))
    assert chosen[:2] == ["http://hub-1", "http://hub-2"]
    assert len(chosen) == MOST_HUBS == 3


def test_a_hub_that_takes_nothing_comes_after_those_that_do() -> None:
    """And before those that do not even answer."""
    refusing, away = hub(1, "dht", last_good=NOW), hub(2, "dht")
    refusing.takes_nothing, away.failures = True, 1
    members = members_of(refusing, away, *(hub(number, "dht") for number in (3, 4)))
    for seed in range(20):
        chosen = members.choose("hub", NOW, Random(seed))
        assert addresses(chosen[:2]) == [hub(3).address, hub(4).address]


def test_of_too_many_named_hubs_the_best_are_asked() -> None:
    """Three at most; the two that did best, and each of the others gets its chance."""
    members = members_of(*(hub(number) for number in range(6)))
    for number, when in ((3, NOW - 1), (5, NOW - 2)):
        members.answered(hub(number).address, when, good=1, bad=0)
    members.failed(hub(0).address)
    rng = Random(1)
    thirds: Counter[str] = Counter()
    for _ in range(400):
        first, second, third = addresses(members.choose("hub", NOW, rng))
        assert [first, second] == ["http://hub-3", "http://hub-5"]
        thirds[third] += 1
    assert set(thirds) == {f"http://hub-{number}" for number in (0, 1, 2, 4)}


def test_a_new_hub_gets_its_chance() -> None:
    """Two of the best, and one at random of all the rest."""
    known = [hub(number, "known", last_good=NOW - number) for number in range(5)]
    members = members_of(*known, hub(9, "dht"))
    rng = Random(1)
    rounds = [addresses(members.choose("hub", NOW, rng)) for _ in range(400)]
    assert all(chosen[:2] == ["http://hub-0", "http://hub-1"] for chosen in rounds)
    assert {chosen[2] for chosen in rounds} == {"http://hub-2", "http://hub-3", "http://hub-4"} | {
        "http://hub-9"
    }


def test_hubs_that_fail_fall_behind() -> None:
    """An unknown one is asked before one that does not answer any more."""
    dead = hub(1, "known", last_good=NOW - 1)
    members = members_of(dead, hub(2, "dht"), hub(3, "dht"), hub(4, "dht"))
    members.failed(dead.address)
    chosen = [addresses(members.choose("hub", NOW, Random(seed))) for seed in range(200)]
    assert not any(dead.address in best[:2] for best in chosen)
    members.answered(dead.address, NOW, good=1, bad=0)
    assert addresses(members.choose("hub", NOW, Random(1)))[0] == dead.address


def test_nodes_are_a_uniform_choice() -> None:
    """40 nodes, 8 of them at a time, 5,000 times: chi-square below the 1 % point.

    Without repetition the variance is smaller than a multinomial's by (40 - 8) / 39.
    """
    members = members_of(*(node(number) for number in range(40)))
    rng = Random(7)
    got = Counter(
        source.address
        for second in range(5_000)
        for source in members.choose("node", NOW + second, rng)
    )
    expected = 5_000 * MOST_NODES / 40
    chi_square = sum((got[node(n).address] - expected) ** 2 / expected for n in range(40))
    assert chi_square / (32 / 39) < 62.43
    got[node(0).address] += 250
    chi_square = sum((got[node(n).address] - expected) ** 2 / expected for n in range(40))
    assert chi_square / (32 / 39) > 62.43, "a quarter more for one of them would be noticed"


@pytest.mark.parametrize("apart", ["10.0.0.%d", "9.8.%d.7", "node-%d.example"])
def test_names_at_one_address_are_asked_as_one_node(apart: str) -> None:
    """Sixty there and fifteen elsewhere: it has a turn as the others do."""
    crowd = [node(number) for number in range(100, 160)]
    others = [replace(node(number), host=apart % (number + 2)) for number in range(15)]
    members = members_of(*crowd, *others)
    rng = Random(7)
    hosts = Counter(
        source.host
        for second in range(1_000)
        for source in members.choose("node", NOW + second, rng)
    )
    assert abs(hosts["10.0.0.1"] - 500) < 64  # four sigma of 1,000 throws of one half


def test_a_lone_place_is_asked_as_often_as_there_is_room() -> None:
    """A school behind one address: all that can be asked are."""
    members = members_of(*(node(number) for number in range(40)))
    members.add(replace(node(100), host="10.0.0.2"))
    chosen = members.choose("node", NOW, Random(1))
    assert Counter(one.host for one in chosen) == {"10.0.0.1": MOST_NODES - 1, "10.0.0.2": 1}


def test_a_node_that_was_just_asked_has_its_rest() -> None:
    """Others are asked meanwhile; a clock that was turned back does not make it a long one."""
    members = members_of(*(node(number) for number in range(MOST_NODES + 2)))
    first = addresses(members.choose("node", NOW, Random(1)))
    rest = addresses(members.choose("node", NOW, Random(1)))
    assert (len(first), len(rest)) == (MOST_NODES, 2)
    assert not set(first) & set(rest)
    assert members.choose("node", NOW + PULL_EVERY_S / 2, Random(1)) == []
    assert len(members.choose("node", NOW + PULL_EVERY_S, Random(1))) == MOST_NODES
    assert len(members.choose("node", NOW - 3_600, Random(1))) == MOST_NODES


@pytest.mark.parametrize("origin", ["dht", "known"])
def test_few_strangers_are_asked_where_there_are_hubs(origin: Origin) -> None:
    """Those of earlier days are no less strange; without a hub they are all there is."""
    strangers = [node(number, origin) for number in range(10, 30)]
    members = members_of(node(1), node(2, "named"), *strangers)
    assert len(members.choose("node", NOW, Random(1))) == MOST_NODES
    members.add(hub(1))
    chosen = members.choose("node", NOW + 60, Random(1))
    assert sorted(one.origin for one in chosen) == sorted(["lan", "named", *[origin] * 2])
    assert MOST_STRANGERS == 2


def test_a_node_at_two_addresses_is_one_node() -> None:
    """Named, and found nearby as well: the one that answers is asked, and there is one rest."""
    named, near, other = node(1, "named"), node(2), node(3)
    named.peer = near.peer = A
    for one in (named, near, other):
        one.answered_at = NOW
    members, asked = members_of(named, near, other), []
    assert members.alive_nodes(NOW) == 2
    for now, failures in ((NOW, 0), (NOW + PULL_EVERY_S / 2, 0), (NOW + PULL_EVERY_S, 1)):
        named.failures = failures
        asked.append({one.address for one in members.choose("node", now, Random(1))})
    assert asked == [{named.address, other.address}, set(), {near.address, other.address}]
    assert members.alive_nodes(NOW) == 2


def test_nodes_that_answered_lately_are_alive() -> None:
    """Hubs are not, nor nodes that failed since or were silent for a minute."""
    members = members_of(hub(1), *(node(number) for number in range(4)))
    for source in (hub(1), node(1), node(2), node(3)):
        members.answered(source.address, NOW, good=1, bad=0)
    members.failed(node(3).address)
    assert members.alive_nodes(NOW) == 2
    members.answered(node(1).address, NOW + 1, good=0, bad=0)
    assert members.alive_nodes(NOW + ALIVE_S) == 1
    assert members.alive_nodes(NOW + ALIVE_S + 1) == 0
    assert members.alive_nodes(NOW - ALIVE_S) == 0, "nor by a clock that was set back"


def test_bans_double_up_to_a_day() -> None:
    """Ten minutes, twenty, and so on; nothing is asked meanwhile, and it says why."""
    members = members_of(hub(1))
    now, lengths = NOW, []
    for _ in range(2_000):
        ban = present(members.ban(hub(1).address, "withholds", now))
        assert (ban.address, ban.reason) == (hub(1).address, "withholds")
        lengths.append(ban.until - now)
        assert not members.choose("hub", ban.until - 1e-3, Random(1))
        assert addresses(members.choose("hub", ban.until, Random(1))) == [hub(1).address]
        now = ban.until
    assert lengths[:3] == [FIRST_BAN_S, 2 * FIRST_BAN_S, 4 * FIRST_BAN_S]
    assert max(lengths) == lengths[-1] == LONGEST_BAN_S


def test_a_clock_that_was_set_back_ends_a_ban() -> None:
    """It would last for months else; by less than the longest ban it only goes on."""
    members = members_of(hub(1))
    members.ban(hub(1).address, "withholds", NOW)
    assert not members.choose("hub", NOW - LONGEST_BAN_S / 2, Random(1))
    assert addresses(members.choose("hub", NOW - LONGEST_BAN_S, Random(1))) == [hub(1).address]


def test_bans_of_long_ago_do_not_make_the_next_one_longer() -> None:
    """Chance accuses an honest hub once in a great while, and not for a day then."""
    members = members_of(hub(1))
    now = NOW
    for pause, times in ((1, 1), (FORGET_BANS_S, 2), (FORGET_BANS_S + 1, 1)):
        now += pause
        ban = present(members.ban(hub(1).address, "withholds", now))
        assert ban.until - now == times * FIRST_BAN_S
        now = ban.until


@pytest.mark.parametrize("origin", ["lan", "dht"])
def test_who_goes_and_comes_again_is_still_banned(origin: Origin) -> None:
    """A goodbye on this network is free; and the next ban is longer, as it would be."""
    members = members_of(hub(1, origin))
    first = present(members.ban(hub(1).address, "withholds", NOW))
    assert members.keep_only(origin, []) == [hub(1).address]
    members.add(hub(1, origin))
    assert members.choose("hub", first.until - 1, Random(1)) == []
    second = present(members.ban(hub(1).address, "withholds", first.until))
    assert second.until - first.until == 2 * FIRST_BAN_S


def test_bans_of_those_who_left_are_bounded() -> None:
    """However many go and come under new names."""
    members = members_of()
    for number in range(2 * MOST_BANS):
        members.add(hub(number, "lan"))
        members.ban(hub(number).address, "withholds", NOW)
        members.keep_only("lan", [])
    for number in (0, 2 * MOST_BANS - 1):
        members.add(hub(number, "lan"))
    assert addresses(members.choose("hub", NOW, Random(1))) == [hub(0).address]


def test_garbage_leads_to_a_ban() -> None:
    """So much of it at once, or little by little in a short time."""
    members = members_of(hub(1), hub(2))
    assert members.answered(hub(1).address, NOW, good=0, bad=int(GARBAGE_TO_BAN)) is not None
    verdicts = [members.answered(hub(2).address, NOW + n, good=0, bad=1) for n in range(9)]
    assert [ban is not None for ban in verdicts] == [False] * 8 + [True]


def test_old_garbage_is_forgotten() -> None:
    """One bad envelope every ten minutes never comes to a ban."""
    members = members_of(hub(1))
    for number in range(1_000):
        assert members.answered(hub(1).address, NOW + number * HALF_LIFE_S, 0, bad=1) is None


def test_a_small_share_of_garbage_is_noise() -> None:
    """A large hub hands on what a few clumsy authors sent, and is forgiven."""
    members = members_of(hub(1), hub(2))
    for number in range(100):
        bad = 2 * (number % 2)  # 1 of 17 on average
        assert members.answered(hub(1).address, NOW + number, good=16, bad=bad) is None
    verdicts = [
        members.answered(hub(2).address, NOW + n, good=16, bad=round(17 * 2 * BAD_SHARE))
        for n in range(10)
    ]
    assert any(verdicts)


def test_good_ones_are_kept_for_thirty_days() -> None:
    """The latest first; nobody of this network, nobody banned now, nobody who was never good.

    Nor whom the person named: it is for them to take back.
    """
    members = members_of(
        hub(1, "dht"), hub(2, "known"), node(3), node(4, "dht"), hub(5, "dht"), hub(6, "dht")
    )
    members.add(hub(7, "named"))
    for number, source in enumerate((hub(1), hub(2), node(3), node(4), hub(6), hub(7))):
        members.answered(source.address, NOW + number, good=1, bad=0)
    members.ban(hub(6).address, "withholds", NOW + 10)
    kept = [node(4).address, hub(2).address, hub(1).address]
    assert addresses(members.worth_keeping(NOW + 10)) == kept
    later = NOW + 1 + FORGET_KNOWN_S
    assert addresses(members.worth_keeping(later)) == [hub(6).address, node(4).address]
    assert members.worth_keeping(NOW + 10 + FORGET_KNOWN_S) == []


def test_whoever_brings_nothing_good_is_no_good_one() -> None:
    """An answer alone is cheap: it makes nobody worth keeping, nor hard to push out."""
    members = members_of(hub(1, "dht"))
    members.answered(hub(1).address, NOW, good=0, bad=0)
    assert members.worth_keeping(NOW) == []
    members.answered(hub(1).address, NOW, good=1, bad=1)
    assert members.worth_keeping(NOW) == []
    members.answered(hub(1).address, NOW, good=1, bad=0)
    assert addresses(members.worth_keeping(NOW)) == [hub(1).address]


def test_no_more_are_kept_than_fit() -> None:
    """What is written down has room when it is read again."""
    members = Membership()
    for number in range(ROOM["dht"]):
        members.add(node(number, "dht"))
        members.answered(node(number).address, NOW + number, good=1, bad=0)
    kept = members.worth_keeping(NOW)
    assert addresses(kept) == [node(ROOM["dht"] - 1 - n).address for n in range(ROOM["known"])]


def test_words_about_strangers_do_no_harm() -> None:
    """Answers, failures and bans of whoever is not known change nothing."""
    members = Membership()
    assert members.answered(Address("x"), NOW, 1, 100) is None
    assert members.ban(Address("x"), "garbage", NOW) is None
    members.failed(Address("x"))
    assert len(members) == 0


kinds: st.SearchStrategy[Kind] = st.sampled_from(["hub", "node"])
names = st.integers(0, 400)
origins: st.SearchStrategy[Origin] = st.sampled_from(ORIGINS)


class AnyHistory(RuleBasedStateMachine):
    """Whatever is heard, answered and banned, in whatever order."""

    def __init__(self) -> None:
        super().__init__()
        self.members = Membership()
        self.now = NOW
        self.named: set[Address] = set()
        self.known: list[Address] = []

    def _known(self, number: int) -> Address:
        return self.known[number % len(self.known)]

    @rule(number=names, kind=kinds, origin=origins, count=st.integers(1, 80))
    def add(self, number: int, kind: Kind, origin: Origin, count: int) -> None:
        make = hub if kind == "hub" else node
        for source in (make(number + n, origin) for n in range(count)):
            if self.members.add(source):
                self.known.append(source.address)
                if origin == "named":
                    self.named.add(source.address)

    @precondition(lambda self: self.known)
    @rule(number=names, good=st.integers(0, 64), bad=st.integers(0, 64))
    def answer(self, number: int, good: int, bad: int) -> None:
        self.members.answered(self._known(number), self.now, good, bad)

    @precondition(lambda self: self.known)
    @rule(number=names)
    def fail(self, number: int) -> None:
        self.members.failed(self._known(number))

    @precondition(lambda self: self.known)
    @rule(number=names)
    def ban(self, number: int) -> None:
        ban = self.members.ban(self._known(number), "garbage", self.now)
        assert ban is None or self.now < ban.until <= self.now + LONGEST_BAN_S

    @rule(seconds=st.floats(0, 2 * LONGEST_BAN_S))
    def wait(self, seconds: float) -> None:
        self.now += seconds

    @rule(origin=st.sampled_from(["lan", "dht"]), numbers=st.lists(names, max_size=20))
    def part(self, origin: Origin, numbers: list[int]) -> None:
        self.members.keep_only(origin, [node(number).address for number in numbers])

    @rule(seed=st.integers(0, 1_000))
    def choose(self, seed: int) -> None:
        for kind, most in (("hub", MOST_HUBS), ("node", MOST_NODES)):
            chosen = self.members.choose(kind, self.now, Random(seed))  # type: ignore[arg-type]  # both are kinds
            assert len(chosen) <= most
            assert len(set(addresses(chosen))) == len(chosen)
            assert all(one.kind == kind and one.banned_until <= self.now for one in chosen)

    @invariant()
    def never_more_than_the_room(self) -> None:
        assert len(self.members) <= sum(ROOM.values())
        assert all(self.members.get(address) is not None for address in self.named)
        assert len(self.members.worth_keeping(self.now)) <= ROOM["known"]


AnyHistory.TestCase.settings = settings(stateful_step_count=20, deadline=None)
TestAnyHistory = AnyHistory.TestCase


def test_neighbours_that_left_do_not_crowd_out_those_who_are_there() -> None:
    """They are tried now and then, beside those that answer."""
    members = Membership()
    for number in range(20):
        members.add(Source(Address(f"n{number}"), "node", "lan", host="10.0.0.1", port=number + 1))
    for number in range(1, 20):
        members.failed(Address(f"n{number}"))
    for turn in range(50):
        chosen = members.choose("node", float(turn + 1), Random(turn))
        assert sum(one.failures > 0 for one in chosen) <= MOST_PROBES
        assert any(one.address == "n0" for one in chosen)


def test_a_lesser_origin_moves_a_node_only_where_nobody_answers() -> None:
    """What strangers say of somebody on our own network is believed when nothing else helps."""
    members = Membership()
    near = Source(Address("n"), "node", "lan", host="192.168.1.5", port=1)
    far = Source(Address("n"), "node", "dht", host="198.51.100.7", port=2)
    members.add(near)
    members.add(far)
    known = found(members, Address("n"))
    assert known.host == "192.168.1.5"
    members.failed(Address("n"))
    members.add(far)
    assert known.host == "198.51.100.7"


def test_a_better_origin_has_no_more_room_for_what_is_known_already() -> None:
    """Otherwise what was seen could all become what was named, and make room for more."""
    members = Membership()
    nearby = [Source(Address(f"n{number}"), "node", "lan") for number in range(ROOM["named"] + 1)]
    named = [Source(one.address, "node", "named") for one in nearby]
    assert all(members.add(one) for one in nearby)
    assert [members.add(one) for one in named] == [True] * ROOM["named"] + [False]
    assert [one.origin for one in members.all()] == ["named"] * ROOM["named"] + ["lan"]


def test_all_that_settings_and_an_invite_name_is_asked_and_shown() -> None:
    """What the window lets a person add has room beside the meeting points of an invite."""
    most = MOST_NAMED_HUBS + MAX_HUBS_IN_INVITE
    assert most <= ROOM["named"]
    assert most <= MOST_SEEN_HUBS
