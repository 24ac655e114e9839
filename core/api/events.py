"""Events and commands of the engine: one JSON object per line, tagged by ``type``.

The same events leave ``waggle join --json`` and travel to the window, which is spared the shortest
phases (``core.engine.debounce``). Every field has a default
or is always sent; unknown fields are refused, so that window and engine never drift apart quietly.
"""

from typing import Annotated, Literal

import msgspec
from msgspec import Meta

from core.api.message import JsonMessage
from core.api.preview import PuzzleTried, WatchPuzzles
from core.api.swarm_view import Block, SwarmSeen, WatchSwarm
from core.i18n import Remarks, remarks_of, words_of

PauseReason = Literal[
    "you",
    "snoozed",
    "schedule",
    "battery",
    "program",
    "screen",
    "in_use",
    "hot",
    "memory",
    "disk",
    "busy",
]
Phase = Literal["asking", "sampling", "judging", "sharing", "learning", "saving", "resting"]


class RoundFinished(JsonMessage, frozen=True, tag="round_finished"):
    """One round is done and its checkpoint is safe."""

    round: int  # counts from 1 for each model
    score: float  # mean reward, in [0, 1], of own completions; of the first ones where probed
    swarm_score: float | None  # of the swarm groups drawn, judged here; None where none
    local_groups: int  # own groups tried
    swarm_groups: int  # groups of others drawn
    useful_local: int  # own groups that were trained on
    useful_swarm: int  # groups of others that were trained on
    tokens: int  # tokens sampled
    sample_s: float
    judge_s: float
    share_s: float
    train_s: float
    at: float = 0.0  # unix seconds when it finished
    answers: int | None = None  # own ones that were judged; None of rounds before it was counted
    solved: int | None = None  # of them, those that were right
    shared: int | None = None  # own groups offered while others were there to take them
    skill: float | None = None  # share of all puzzles that the model solves; None: too early
    swarm_skill: float | None = None  # the same of the swarm; None: nothing to compare
    looked_at: float | None = None  # share of the kinds that had to be before there is a skill
    scope: str | None = None  # what the skills are means over; None: everything that is built in
    processor_s: float | None = None  # all cores of the engine's processes; None: not counted
    joules: float | None = None  # of these, as the processor counts them; None: it does not tell
    taught: int | None = None  # kinds that others taught it so far; None: not counted


class Point(msgspec.Struct, frozen=True, forbid_unknown_fields=True, array_like=True):
    """A round of the past of which the skill is known, as the chart needs it."""

    round: int
    skill: float
    swarm_skill: float | None
    at: float = 0.0  # unix seconds when it finished; 0: nobody knows


class Loading(JsonMessage, frozen=True, tag="loading"):
    """The engine is getting ready."""

    words: str  # such as "Waking the model up"
    remarks: Remarks = ()  # that the words were made from; the same below


class Started(JsonMessage, frozen=True, tag="started"):
    """A model is loaded and the first round begins."""

    model: str
    round: int  # rounds already done by this model on this machine
    peer: str  # own peer id
    name: str  # friendly name derived from it
    solo: bool
    history: tuple[Point, ...] = ()  # thinned to at most 1,000 points
    base_skill: float | None = None  # before any practice; None: nobody measured it
    scope: str | None = None  # of the skills above; see ``RoundFinished.scope``


class PhaseEntered(JsonMessage, frozen=True, tag="phase"):
    """A round entered a phase."""

    round: int
    phase: Phase
    until: int | None = None  # unix seconds when a rest of a minute or more ends; None in others


class SwarmChanged(JsonMessage, frozen=True, tag="swarm_changed"):
    """The swarm came, went, or changed its size."""

    reachable: bool
    peers: int
    words: str
    learners: int = 0  # nodes that say to have learnt from this one, ever
    remarks: Remarks = ()


class PeerJoined(JsonMessage, frozen=True, tag="peer_joined"):
    """Rollouts of a node not seen in this session arrived."""

    peer: str
    name: str


class PeerLeft(JsonMessage, frozen=True, tag="peer_left"):
    """Nothing was heard of a node for a while."""

    peer: str
    name: str


class Paused(JsonMessage, frozen=True, tag="paused"):
    """Nothing runs; ``reason`` says why. Told again when reason, end or detail change."""

    reason: PauseReason
    until: int | None = None  # unix seconds when it goes on by itself; None: nobody knows
    detail: Annotated[str, Meta(max_length=100)] = ""  # the name of the program that is in the way


class PauseAhead(JsonMessage, frozen=True, tag="pause_ahead"):
    """A change of what follows the running round: a pause with ``reason``, or none any more."""

    reason: PauseReason | None = None  # None: the next round
    detail: Annotated[str, Meta(max_length=100)] = ""  # that of ``Paused``


class Resumed(JsonMessage, frozen=True, tag="resumed"):
    """Rounds go on."""


class Checkpointed(JsonMessage, frozen=True, tag="checkpointed"):
    """A checkpoint of what was learnt up to ``round`` is on disk."""

    round: int


class Failed(JsonMessage, frozen=True, tag="failed"):
    """Something went wrong; ``words`` says what happened and what to do."""

    words: str
    fatal: bool
    kind: Annotated[str, Meta(max_length=40)] = ""  # of the error: the name of its class
    remarks: Remarks = ()


class Stopped(JsonMessage, frozen=True, tag="stopped"):
    """The loop ended; everything is saved."""

    round: int


Event = (
    Loading
    | Started
    | PhaseEntered
    | RoundFinished
    | PuzzleTried
    | SwarmChanged
    | SwarmSeen
    | PeerJoined
    | PeerLeft
    | Paused
    | PauseAhead
    | Resumed
    | Checkpointed
    | Failed
    | Stopped
)


class Join(JsonMessage, frozen=True, tag="join"):
    """Load a model and begin rounds."""

    model: str
    solo: bool = False
    hubs: tuple[str, ...] = ()
    swarm: str = ""  # empty: the one in the settings
    load_anyway: bool = False  # even if it seems to need more memory than there is


class Pause(JsonMessage, frozen=True, tag="pause"):
    """Hold after the running round."""


class Resume(JsonMessage, frozen=True, tag="resume"):
    """End the person's own pause or snooze, after which the rules say whether it goes on.

    Where only the rules hold it, it goes on whatever they say now; each of them counts again once
    it has no objection.
    """


class Snooze(JsonMessage, frozen=True, tag="snooze"):
    """Hold after the running round, and go on by itself some time later."""

    seconds: Annotated[int, Meta(ge=1, le=7 * 86_400)]


class Finish(JsonMessage, frozen=True, tag="finish"):
    """Complete the running round, save, and stop."""


class Stop(JsonMessage, frozen=True, tag="stop"):
    """Drop the running round and stop; the last finished round is already safe."""


Command = Join | Pause | Resume | Snooze | Finish | Stop | WatchSwarm | Block | WatchPuzzles


def loading(words: str) -> Loading:
    """Tell what is being got ready."""
    return Loading(words=str(words), remarks=remarks_of(words))


def failed(error: Exception) -> Failed:
    """Tell that ``error`` ended the run."""
    words = words_of(error)
    return Failed(
        words=str(words), fatal=True, kind=type(error).__name__, remarks=remarks_of(words)
    )


def warning(words: str) -> Failed:
    """Tell that something went wrong and rounds go on."""
    return Failed(words=str(words), fatal=False, remarks=remarks_of(words))
