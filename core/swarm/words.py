"""The state of the swarm in one sentence for a person."""

from dataclasses import dataclass
from typing import Final

SKEW_WORTH_TELLING_S: Final = 120.0


@dataclass(frozen=True, slots=True)
class Meeting:
    """What one round found."""

    hosts: tuple[str, ...] = ()  # of all hubs that were to be asked
    answered: int = 0  # how many of them
    peers: int = 0  # others alive
    nodes: int = 0  # of whom so many answered directly
    clock_is_wrong: bool = False  # a hub refused all that was sent for its time
    ahead_s: float = 0.0  # how far the hubs' clocks are before ours
    other_release: bool = False  # all that came was about puzzles of another release
    withheld_by: str | None = None  # a hub that does not hand on what is left there
    trouble: str | None = None  # why others cannot be found, and what to do
    impostors: tuple[str, ...] = ()  # hosts of hubs where somebody else answers
    strangers: tuple[str, ...] = ()  # hosts of hubs where something answers that is none


def describe(meeting: Meeting) -> str:
    """What happened, and what to do where something can be done."""
    if meeting.hosts and not meeting.answered and not meeting.nodes:
        return _out_of_reach(meeting)
    if meeting.clock_is_wrong:
        return (
            "This computer's clock is off by more than ten minutes, so others cannot use what it "
            "shares. Set the clock."
        )
    if meeting.other_release:
        return (
            "The others here practise the puzzles of another release. "
            "Update Waggle to practise with them."
        )
    if meeting.peers == 0:
        alone = ("Nobody else is here yet.", _remark(meeting), meeting.trouble)
        return " ".join(filter(None, alone))
    met = f"Practising with {meeting.peers} other{'' if meeting.peers == 1 else 's'}."
    return " ".join(filter(None, (met, _remark(meeting))))


def _remark(meeting: Meeting) -> str | None:
    """What is worth telling although all goes on."""
    if abs(meeting.ahead_s) > SKEW_WORTH_TELLING_S:
        minutes = round(abs(meeting.ahead_s) / 60)
        late = "slow" if meeting.ahead_s > 0 else "fast"
        return (
            f"This computer's clock is {minutes} minutes {late}; set it, or it is soon too far off."
        )
    if meeting.withheld_by is not None:
        return (
            f"The meeting point at {meeting.withheld_by} does not hand on what you share; "
            "it is left out for a while."
        )
    return None


def _out_of_reach(meeting: Meeting) -> str:
    if meeting.impostors:
        return (
            f"Something else answers at {meeting.impostors[0]}, not the meeting point that the "
            "invite names. Nothing was sent there; ask for a new invite."
        )
    if meeting.strangers:
        return (
            f"What answers at {meeting.strangers[0]} is no meeting point. Check the address; "
            "practising alone meanwhile."
        )
    if meeting.trouble:
        return f"{meeting.trouble} Practising alone and trying again."
    hosts = meeting.hosts
    which = (
        f"The meeting point at {hosts[0]} cannot"
        if len(hosts) == 1
        else f"None of the {len(hosts)} meeting points can"
    )
    return f"{which} be reached; practising alone and trying again."
