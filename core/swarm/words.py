"""The state of the swarm in one sentence for a person."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Meeting:
    """What one round found at the meeting points."""

    hosts: tuple[str, ...]  # of all hubs
    answered: int  # how many of them
    peers: int
    clock_is_wrong: bool = False  # a hub refused all that was sent for its time
    other_release: bool = False  # all that came was about puzzles of another release


def describe(meeting: Meeting) -> str:
    """What happened, and what to do where something can be done."""
    if not meeting.answered:
        return _out_of_reach(meeting.hosts)
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
        return "Nobody else is here yet."
    return f"Practising with {meeting.peers} other{'' if meeting.peers == 1 else 's'}."


def _out_of_reach(hosts: tuple[str, ...]) -> str:
    which = (
        f"The meeting point at {hosts[0]} cannot"
        if len(hosts) == 1
        else f"None of the {len(hosts)} meeting points can"
    )
    return f"{which} be reached; practising alone and trying again."
