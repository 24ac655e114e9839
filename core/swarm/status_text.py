"""The state of the swarm in one sentence for a person."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from core.api.sentences import NOBODY_YET
from core.i18n import TranslatableText, together, translatable
from core.net.asking import IMPOSTOR, NO_HUB
from core.swarm.exchange.hub_link import OTHER_VERSION, HubLink
from core.swarm.membership import Source

SKEW_WORTH_TELLING_S: Final = 120.0
NO_WAY: Final = translatable(
    "No way to others is open: add a meeting point, or allow meeting others on this network."
)


@dataclass(frozen=True, slots=True)
class Meeting:
    """Facts of one round that its status sentence is made from."""

    hosts: tuple[str, ...] = ()  # of all hubs that were to be asked
    answered: int = 0  # how many of them
    peers: int = 0  # others alive, of those whom this node met itself
    nodes: int = 0  # of whom so many answered directly
    clock_is_wrong: bool = False  # the hubs refused all that was sent for its time
    ahead_s: float = 0.0  # how far the hubs' clocks are before ours; see ``meeting_at``
    other_release: bool = False  # all that came was about puzzles of another release
    withheld_by: str | None = None  # a hub that does not hand on what is left there
    trouble: str | None = None  # why others cannot be found, and what to do
    impostors: tuple[str, ...] = ()  # hosts of hubs where somebody else answers
    strangers: tuple[str, ...] = ()  # hosts of hubs where something answers that is none
    others: tuple[str, ...] = ()  # hosts of hubs that speak another version of the protocol
    refusing: tuple[str, ...] = ()  # hosts of hubs that take nothing, see ``Source``


def meeting_at(hubs: Sequence[tuple[Source, HubLink]]) -> Meeting:
    """What the links to those hubs that were to be asked know of the round.

    Of their clocks the one closest to ours counts, and none where only strangers' hubs were asked:
    they alone do not make a person set a clock that is right, whatever they say of it.
    """
    links = [link for _, link in hubs]
    ahead = [link.ahead_s for link in links if link.ahead_s is not None]
    judged = [(source, link) for source, link in hubs if link.clock_is_wrong is not None]
    trusted = any(not source.is_stranger and link.ahead_s is not None for source, link in hubs)
    return Meeting(
        hosts=tuple(link.host for link in links),
        impostors=tuple(link.host for link in links if link.failure == IMPOSTOR),
        strangers=tuple(link.host for link in links if link.failure == NO_HUB),
        others=tuple(link.host for link in links if link.failure == OTHER_VERSION),
        refusing=tuple(link.host for source, link in hubs if source.takes_nothing),
        clock_is_wrong=all(link.clock_is_wrong for _, link in judged)
        and any(not source.is_stranger for source, _ in judged),
        ahead_s=min(ahead, key=abs) if trusted else 0.0,
    )


def describe(meeting: Meeting) -> TranslatableText:
    """The status of the swarm in one or two sentences, with advice where something can be done."""
    if meeting.hosts and not meeting.answered and not meeting.nodes:
        return _out_of_reach(meeting)
    if meeting.clock_is_wrong:
        return translatable(
            "This computer's clock is off by more than ten minutes, so others cannot use what it "
            "shares. Set the clock."
        )
    if meeting.other_release:
        return translatable(
            "The others here practise the puzzles of another release. "
            "Update Waggle to practise with them."
        )
    if meeting.peers == 0:
        return together(NOBODY_YET, _aside(meeting), meeting.trouble)
    if meeting.peers == 1:
        return together(translatable("Practising with 1 other."), _aside(meeting))
    return together(translatable("Practising with {} others.", meeting.peers), _aside(meeting))


def _aside(meeting: Meeting) -> TranslatableText | None:
    """A remark for while all goes on; None where there is none."""
    if abs(meeting.ahead_s) > SKEW_WORTH_TELLING_S:
        minutes = round(abs(meeting.ahead_s) / 60)
        if meeting.ahead_s > 0:
            return translatable(
                "This computer's clock is {} minutes slow; set it, or it is soon too far off.",
                minutes,
            )
        return translatable(
            "This computer's clock is {} minutes fast; set it, or it is soon too far off.", minutes
        )
    if meeting.withheld_by is not None:
        return translatable(
            "The meeting point at {} does not hand on what you share; it is left out for a while.",
            meeting.withheld_by,
        )
    if meeting.refusing:
        return translatable(
            "The meeting point at {} takes nothing of what you share; ask its host, or use another "
            "one.",
            meeting.refusing[0],
        )
    return None


def _out_of_reach(meeting: Meeting) -> TranslatableText:
    if meeting.impostors:
        return translatable(
            "Something else answers at {}, not the meeting point that the "
            "invite names. Nothing was sent there; ask for a new invite.",
            meeting.impostors[0],
        )
    if meeting.strangers:
        return translatable(
            "What answers at {} is no meeting point. Check the address; "
            "practising alone meanwhile.",
            meeting.strangers[0],
        )
    if meeting.others:
        return translatable(
            "The meeting point at {} is of another release. Update Waggle; if it is up to date, "
            "the meeting point has to be. Practising alone meanwhile.",
            meeting.others[0],
        )
    if meeting.trouble:
        return together(meeting.trouble, translatable("Practising alone and trying again."))
    if len(meeting.hosts) == 1:
        return translatable(
            "The meeting point at {} cannot be reached; practising alone and trying again.",
            meeting.hosts[0],
        )
    return translatable(
        "None of the {} meeting points can be reached; practising alone and trying again.",
        len(meeting.hosts),
    )
