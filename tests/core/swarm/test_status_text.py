"""The swarm in one sentence."""

import pytest

from core.net.addresses import parse_hub_url
from core.swarm.backoff import Timing
from core.swarm.exchange.hub_link import HubLink
from core.swarm.membership import Address, Origin, Source
from core.swarm.status_text import NO_WAY, Meeting, describe, meeting_at

ONE = ("example.org",)


@pytest.mark.parametrize(
    ("meeting", "words"),
    [
        (
            Meeting(ONE, 0, 0, others=ONE),
            (
                "The meeting point at example.org is of another release. Update Waggle; if it is "
                "up to date, the meeting point has to be. Practising alone meanwhile."
            ),
        ),
        (Meeting(ONE, 1, 0), "Nobody else is here yet."),
        (Meeting(ONE, 1, 1), "Practising with 1 other."),
        (Meeting((*ONE, "b"), 1, 3), "Practising with 3 others."),
        (
            Meeting(ONE, 0, 0),
            (
                "The meeting point at example.org cannot be reached; "
                "practising alone and trying again."
            ),
        ),
        (
            Meeting((*ONE, "b", "c"), 0, 0),
            "None of the 3 meeting points can be reached; practising alone and trying again.",
        ),
    ],
)
def test_the_state_in_words(meeting: Meeting, words: str) -> None:
    """Plain words, right also in the singular."""
    assert describe(meeting) == words


def test_what_the_person_can_mend_is_said() -> None:
    """A wrong clock and an old release come before the number of others."""
    assert "Set the clock" in describe(Meeting(ONE, 1, 3, clock_is_wrong=True))
    assert "Update Waggle" in describe(Meeting(ONE, 1, 3, other_release=True))


def test_a_clock_that_is_off_is_told_while_all_goes_on() -> None:
    """In minutes, and in which direction; less than two minutes are not worth a word."""
    slow = describe(Meeting(ONE, 1, 3, ahead_s=300.0))
    assert slow.startswith("Practising with 3 others. This computer's clock is 5 minutes slow")
    assert "5 minutes fast" in describe(Meeting(ONE, 1, 3, ahead_s=-300.0))
    assert describe(Meeting(ONE, 1, 3, ahead_s=119.0)) == "Practising with 3 others."


def test_a_hub_that_withholds_is_named() -> None:
    """Whether others are there or not."""
    for peers in (0, 3):
        words = describe(Meeting(ONE, 1, peers, withheld_by="example.org"))
        assert "example.org does not hand on what you share" in words


def test_a_hub_that_takes_nothing_is_named() -> None:
    """What others share still comes, so else nobody would notice."""
    words = describe(Meeting(ONE, 1, 3, refusing=ONE))
    assert words == (
        "Practising with 3 others. The meeting point at example.org takes nothing of what you "
        "share; ask its host, or use another one."
    )


def met(
    origin: Origin, ahead_s: float, *, clock_is_wrong: bool | None = None
) -> tuple[Source, HubLink]:
    link = HubLink(parse_hub_url("https://example.org"), "swarm", Timing())
    link.ahead_s, link.clock_is_wrong = ahead_s, clock_is_wrong
    return Source(Address("https://example.org"), "hub", origin), link


def test_one_hubs_wrong_clock_makes_nobody_set_a_right_one() -> None:
    """The one closest to ours is believed; and none, however far off, where only strangers are."""
    assert meeting_at([met("named", 300.0)]).ahead_s == 300.0
    assert meeting_at([met("named", 3.0), met("dht", 2.0**40)]).ahead_s == 3.0
    assert meeting_at([met("named", -300.0), met("dht", 310.0)]).ahead_s == -300.0
    assert meeting_at([met("dht", 2.0**40), met("known", 300.0)]).ahead_s == 0.0
    assert meeting_at([]).ahead_s == 0.0


def test_strangers_hubs_alone_do_not_say_that_the_clock_is_wrong() -> None:
    """Whoever was sent nothing has no say; of the others all have to, and one that is trusted."""

    def is_wrong(*said: tuple[Origin, bool | None]) -> bool:
        return meeting_at([met(one, 0.0, clock_is_wrong=word) for one, word in said]).clock_is_wrong

    assert not is_wrong(("dht", True), ("known", True))
    assert not is_wrong(("dht", True), ("named", None))
    assert not is_wrong(("dht", True), ("named", False))
    assert is_wrong(("dht", True), ("named", True), ("lan", None))
    assert not is_wrong(("named", None))


def test_trouble_with_finding_others_is_told_to_who_is_alone() -> None:
    """And to nobody else."""
    assert describe(Meeting(trouble="Join a network.")) == (
        "Nobody else is here yet. Join a network."
    )
    assert describe(Meeting(peers=1, nodes=1, trouble="x")) == "Practising with 1 other."


def test_nodes_nearby_are_enough() -> None:
    """Hubs out of reach are no word worth while others answer directly."""
    assert describe(Meeting(ONE, 0, peers=2, nodes=2)) == "Practising with 2 others."


def test_the_way_to_others_is_said_for_window_and_terminal_alike() -> None:
    """A flag of the command line is no help in a window."""
    assert "add a meeting point" in NO_WAY
    assert "--" not in NO_WAY
