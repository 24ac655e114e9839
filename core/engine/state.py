"""What a node is doing, as one value that every event moves on; pure.

The window and the terminal display show a ``NodeState`` and keep no state of their own:
``apply`` folds what the engine says into it, ``ask`` what the person asked for.
"""

from dataclasses import dataclass, replace
from typing import Literal, assert_never

from core.engine.curves import MAX_POINTS, thin
from core.engine.events import (
    Checkpointed,
    Command,
    Event,
    ExamFinished,
    Failed,
    Finish,
    Join,
    Loading,
    Pause,
    Paused,
    PauseReason,
    PeerJoined,
    PeerLeft,
    Phase,
    PhaseEntered,
    Point,
    Resume,
    Resumed,
    RoundFinished,
    Started,
    Stop,
    Stopped,
    SwarmChanged,
)

Activity = Literal["idle", "loading", "practising", "paused", "stopped", "failed"]
Wish = Literal["pause", "resume", "finish", "stop"]


@dataclass(frozen=True, slots=True)
class NodeState:
    """All that is known of a node."""

    activity: Activity = "idle"
    words: str = ""  # what is being loaded, or what went wrong; empty in the other activities
    model: str = ""
    name: str = ""  # friendly name of this node; empty before it started
    solo: bool = False
    round: int = 0  # rounds finished
    phase: Phase | None = None  # of the running round
    pause_reason: PauseReason | None = None
    wish: Wish | None = None  # asked for by the person, not yet answered by the engine
    points: tuple[Point, ...] = ()  # rising rounds, at most MAX_POINTS
    last: RoundFinished | None = None  # of this session
    swarm: SwarmChanged | None = None  # None before the first word about it
    warning: str = ""  # something went wrong and rounds go on

    @property
    def is_live(self) -> bool:
        """The engine is at work or waits to go on; False where only joining makes sense."""
        return self.activity in ("loading", "practising", "paused")


def apply(state: NodeState, event: Event) -> NodeState:
    """Move ``state`` on by what the engine said; never raises, whatever the order."""
    match event:
        case Loading() | Started() | Failed() | Stopped():
            return _change_life(state, event)
        case PhaseEntered() | RoundFinished():
            return _advance(state, event)
        case Paused():
            held = replace(_granted(state, "pause"), words="", phase=None)
            return replace(held, activity="paused", pause_reason=event.reason)
        case Resumed():
            return _practising(_granted(state, "resume"))
        case SwarmChanged():
            return replace(state, swarm=event)
        case Checkpointed() | PeerJoined() | PeerLeft() | ExamFinished():
            return state  # told for logs and scripts; rounds and SwarmChanged carry what is shown
        case _:
            assert_never(event)


def ask(state: NodeState, command: Command) -> NodeState:
    """Note what the person asked for, until the engine answers."""
    match command:
        case Join():
            return _joining(state, command)
        case Pause():
            return replace(state, wish="pause")
        case Resume():
            return replace(state, wish="resume")
        case Finish():
            return replace(state, wish="finish")
        case Stop():
            return replace(state, wish="stop")
        case _:
            assert_never(command)


def _joining(state: NodeState, join: Join) -> NodeState:
    """A clean page, save for what this very model is known to have done."""
    fresh = NodeState(activity="loading", model=join.model, solo=join.solo)
    if join.model != state.model:
        return fresh
    return replace(fresh, round=state.round, points=state.points)


def _change_life(state: NodeState, event: Loading | Started | Failed | Stopped) -> NodeState:
    match event:
        case Loading():
            return replace(state, activity="loading", words=event.words)
        case Started():
            return NodeState(
                activity="practising",
                model=event.model,
                name=event.name,
                solo=event.solo,
                round=event.round,
                points=thin(event.history),
                wish=state.wish,
                swarm=state.swarm,
            )
        case Failed():
            if not event.fatal:
                return replace(state, warning=event.words)
            return replace(state, activity="failed", words=event.words, phase=None, wish=None)
        case Stopped():
            return replace(
                state, activity="stopped", words="", round=event.round, phase=None, wish=None
            )
        case _:
            assert_never(event)


def _advance(state: NodeState, event: PhaseEntered | RoundFinished) -> NodeState:
    if isinstance(event, PhaseEntered):
        return replace(_practising(state), phase=event.phase)
    point = Point(round=event.round, score=event.score, swarm_score=event.swarm_score)
    # A round that was cut off by a crash is told again: it replaces what it said before.
    before = tuple(known for known in state.points if known.round < event.round)
    return replace(
        _practising(state),
        round=event.round,
        phase=None,  # the one that is known was of the round that is over
        points=thin((*before, point), MAX_POINTS),
        last=event,
        warning="",
    )


def _granted(state: NodeState, wish: Wish) -> NodeState:
    # A wish spoken since then (finish, say) stays open.
    return replace(state, wish=None) if state.wish == wish else state


def _practising(state: NodeState) -> NodeState:
    return replace(state, activity="practising", pause_reason=None, words="")
