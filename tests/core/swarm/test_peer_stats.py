"""Who was met, and what they were good for."""

from core.api.swarm_view import MOST_PEERS, HubState, SwarmSeen
from core.engine.presence import FORGET_AFTER_S
from core.net.asking import AWAY, IMPOSTOR, NO_HUB
from core.rollouts.types import PeerId
from core.swarm.exchange.validation import PeerRollout
from core.swarm.membership import Address, Source
from core.swarm.peer_stats import MOST_COUNTED, MOST_PEERS_KEPT, PeerStats, SwarmSnapshot
from core.wire.names import friendly_name
from tests.envelopes import ANNE, BOB, CAROL, NOW, SWARM, group

HUB = Source(Address("https://hub.example.org"), "hub", "named")
NEAR = Source(Address(BOB.peer_id), "node", "lan", BOB.peer_id, "192.168.1.5", 4_000)
FAR = Source(Address(CAROL.peer_id), "node", "dht", CAROL.peer_id, "93.184.216.34", 4_000)


def came(author: PeerId, *rounds: int) -> list[PeerRollout]:
    return [PeerRollout(group(author, number), number) for number in rounds]


def note(stats: PeerStats, source: Source, received: list[PeerRollout], now: float = NOW) -> None:
    stats.note(received, {one.label: source for one in received}, now)


def seen(
    stats: PeerStats,
    *sources: Source,
    now: float = NOW,
    blocked: tuple[PeerId, ...] = (),
    failures: dict[Address, str] | None = None,
) -> SwarmSeen:
    return stats.show(SwarmSnapshot(SWARM, sources, failures or {}, frozenset(blocked), now))


def test_a_guest_is_shown_with_what_it_was_good_for() -> None:
    """Name, model, way, how many groups came, and from how many the model learnt."""
    stats = PeerStats()
    note(stats, HUB, came(ANNE.peer_id, 1, 2, 3))
    stats.learnt([group(ANNE.peer_id, 1)])
    (anne,) = seen(stats, HUB).peers
    assert (anne.peer, anne.name) == (ANNE.peer_id, friendly_name(ANNE.peer_id))
    assert (anne.model, anne.where, anne.state) == ("spark", "hub", "here")
    assert (anne.received, anne.taught, anne.heard) == (3, 1, NOW)


def test_the_way_is_that_of_the_latest_group() -> None:
    """On this network, over the internet, or by a hub."""
    stats = PeerStats()
    note(stats, HUB, came(BOB.peer_id, 1))
    note(stats, NEAR, came(BOB.peer_id, 2))
    note(stats, FAR, came(CAROL.peer_id, 1))
    assert {one.peer: one.where for one in seen(stats).peers} == {
        BOB.peer_id: "near",
        CAROL.peer_id: "internet",
    }


def test_who_answers_without_having_anything_is_here_too() -> None:
    """A node that was asked and has tried nothing yet; one that never answered is nobody."""
    quiet = Source(Address(BOB.peer_id), "node", "lan", BOB.peer_id, answered_at=NOW - 5)
    silent = Source(Address(CAROL.peer_id), "node", "lan", CAROL.peer_id)
    (bob,) = seen(PeerStats(), quiet, silent).peers
    assert (bob.peer, bob.state, bob.received, bob.where) == (BOB.peer_id, "here", 0, "near")


def test_who_is_not_heard_of_is_silent() -> None:
    """After as long as the engine takes to say that somebody left."""
    stats = PeerStats()
    note(stats, HUB, came(ANNE.peer_id, 1))
    states = [seen(stats, now=NOW + s).peers[0].state for s in (0, FORGET_AFTER_S + 1)]
    assert states == ["here", "silent"]


def test_the_blocked_are_shown_last_even_if_never_met() -> None:
    """So that they can be let in again."""
    stats = PeerStats()
    note(stats, HUB, came(ANNE.peer_id, 1))
    note(stats, HUB, came(BOB.peer_id, 1))
    states = [
        (one.peer, one.state) for one in seen(stats, blocked=(ANNE.peer_id, CAROL.peer_id)).peers
    ]
    assert states[0] == (BOB.peer_id, "here")
    assert dict(states[1:]) == {ANNE.peer_id: "blocked", CAROL.peer_id: "blocked"}


def test_those_who_taught_most_come_first() -> None:
    """Whatever their names."""
    stats = PeerStats()
    for who, lessons in ((ANNE, 1), (BOB, 3), (CAROL, 2)):
        note(stats, HUB, came(who.peer_id, *range(1, 5)))
        stats.learnt([group(who.peer_id, n + 1) for n in range(lessons)])
    assert [one.taught for one in seen(stats).peers] == [3, 2, 1]


def test_a_crowd_of_names_is_bounded_and_pushes_out_nobody_useful() -> None:
    """In an open swarm anybody may come under any number of names."""
    stats = PeerStats()
    note(stats, HUB, came(ANNE.peer_id, 1))
    stats.learnt([group(ANNE.peer_id, 1)])
    for number in range(2 * MOST_PEERS_KEPT):
        note(stats, HUB, came(PeerId(f"{number:064x}"), 1), NOW + 1)
    shown = seen(stats, now=NOW + 1)
    assert (len(shown.peers), shown.more) == (MOST_PEERS, MOST_PEERS_KEPT - MOST_PEERS)
    assert shown.peers[0].peer == ANNE.peer_id


def test_nobody_taught_more_often_than_it_came() -> None:
    """Even if it was forgotten between the two."""
    stats = PeerStats()
    stats.learnt([group(ANNE.peer_id, 1)])
    (anne,) = seen(stats).peers
    assert (anne.received, anne.taught) == (1, 1)


def test_hubs_are_told_by_how_they_do() -> None:
    """In the words of the page; a ban outweighs everything else."""

    def state(failure: str = "", **changes: float) -> HubState:
        hub = Source(HUB.address, "hub", "named")
        for name, value in changes.items():
            setattr(hub, name, value)
        return seen(PeerStats(), hub, failures={hub.address: failure}).hubs[0].state

    assert state() == "new"
    assert state(answered_at=NOW) == "answers"
    assert state(AWAY, failures=1) == "away"
    assert state(IMPOSTOR, failures=1) == "impostor"
    assert state(NO_HUB, failures=2) == "stranger"
    assert state(answered_at=NOW, banned_until=NOW + 1) == "left_out"
    assert state(answered_at=NOW, banned_until=NOW - 1) == "answers"
    assert state(answered_at=NOW, banned_until=NOW + 1e6) == "answers", "of a clock set back"


def test_what_came_from_a_hub_is_counted_for_it() -> None:
    """And nothing for one that brought nothing; strangers' hubs do not add up without end."""
    stats = PeerStats()
    other = Source(Address("https://other.example"), "hub", "named", answered_at=NOW - 9)
    note(stats, HUB, came(ANNE.peer_id, 1, 2))
    assert [(h.received, h.heard) for h in seen(stats, HUB, other).hubs] == [(2, 0), (0, NOW - 9)]
    for number in range(MOST_COUNTED):
        note(stats, Source(Address(f"https://{number}"), "hub", "dht"), came(BOB.peer_id, 1))
    assert seen(stats, HUB).hubs[0].received == 0
