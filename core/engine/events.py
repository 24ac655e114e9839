"""What the engine says and what it can be told: one JSON object per line, tagged by ``type``.

The same events leave ``waggle join --json`` and travel to the window. Every field has a default
or is always sent; unknown fields are refused, so that window and engine never drift apart quietly.
"""

from typing import Literal

import msgspec

PauseReason = Literal["you", "battery", "busy", "schedule"]
Phase = Literal["asking", "sampling", "judging", "sharing", "learning", "saving"]


class _Message(
    msgspec.Struct, frozen=True, forbid_unknown_fields=True, tag_field="type", kw_only=True
):
    """Base of all messages on the pipe."""


class RoundFinished(_Message, frozen=True, tag="round_finished"):
    """One round is done and its checkpoint is safe."""

    round: int  # counts from 1 for each model
    score: float  # mean reward of the own completions, in [0, 1]
    swarm_score: float | None  # of the swarm groups drawn, judged here; None where none
    local_groups: int  # own groups tried
    swarm_groups: int  # groups of others drawn
    useful_local: int  # own groups that were not flat and were trained on
    useful_swarm: int  # groups of others that were trained on
    tokens: int  # tokens sampled
    sample_s: float
    judge_s: float
    share_s: float
    train_s: float
    at: float = 0.0  # unix seconds when it finished


class Point(msgspec.Struct, frozen=True, forbid_unknown_fields=True, array_like=True):
    """A round of the past, as the chart needs it."""

    round: int
    score: float
    swarm_score: float | None


class Loading(_Message, frozen=True, tag="loading"):
    """The engine is getting ready."""

    words: str  # such as "Waking the model up"


class Started(_Message, frozen=True, tag="started"):
    """A model is loaded and the first round begins."""

    model: str
    round: int  # rounds already done by this model on this machine
    peer: str  # own peer id
    name: str  # friendly name derived from it
    solo: bool
    history: tuple[Point, ...] = ()  # thinned to at most 1,000 points


class PhaseEntered(_Message, frozen=True, tag="phase"):
    """A round moved on."""

    round: int
    phase: Phase


class SwarmChanged(_Message, frozen=True, tag="swarm_changed"):
    """The swarm came, went, or changed its size."""

    reachable: bool
    peers: int
    words: str
    learners: int = 0  # nodes that say to have learnt from this one, ever


class PeerJoined(_Message, frozen=True, tag="peer_joined"):
    """Rollouts of a node not seen in this session arrived."""

    peer: str
    name: str


class PeerLeft(_Message, frozen=True, tag="peer_left"):
    """Nothing was heard of a node for a while."""

    peer: str
    name: str


class Paused(_Message, frozen=True, tag="paused"):
    """Nothing runs; ``reason`` says why."""

    reason: PauseReason


class Resumed(_Message, frozen=True, tag="resumed"):
    """Rounds go on."""


class Checkpointed(_Message, frozen=True, tag="checkpointed"):
    """What was learnt up to ``round`` is safe on disk."""

    round: int


class ExamFinished(_Message, frozen=True, tag="exam_finished"):
    """The held-out puzzles were tried."""

    model: str
    round: int  # 0 is the base model
    puzzles: int
    score: float
    standard_error: float


class Failed(_Message, frozen=True, tag="failed"):
    """Something went wrong; ``words`` says what happened and what to do."""

    words: str
    fatal: bool


class Stopped(_Message, frozen=True, tag="stopped"):
    """The loop ended; everything is saved."""

    round: int


Event = (
    Loading
    | Started
    | PhaseEntered
    | RoundFinished
    | SwarmChanged
    | PeerJoined
    | PeerLeft
    | Paused
    | Resumed
    | Checkpointed
    | ExamFinished
    | Failed
    | Stopped
)


class Join(_Message, frozen=True, tag="join"):
    """Load a model and begin rounds."""

    model: str
    solo: bool = False
    hubs: tuple[str, ...] = ()
    swarm: str = ""  # empty: the one in the settings


class Pause(_Message, frozen=True, tag="pause"):
    """Hold after the running round."""


class Resume(_Message, frozen=True, tag="resume"):
    """Go on."""


class Finish(_Message, frozen=True, tag="finish"):
    """Complete the running round, save, and stop."""


class Stop(_Message, frozen=True, tag="stop"):
    """Drop the running round and stop; the last finished round is already safe."""


Command = Join | Pause | Resume | Finish | Stop
