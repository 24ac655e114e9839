"""State of a node, as one value that every event changes; pure.

The window and the terminal display show a ``NodeState`` and keep no state of their own:
``apply`` folds what the engine says into it, ``ask`` what the person asked for.
"""

from dataclasses import dataclass, replace
from typing import Literal, assert_never

from core.api import events
from core.api.curves import point_of, thin
from core.api.preview import PuzzleTried, WatchPuzzles
from core.api.swarm_view import Block, SwarmSeen, WatchSwarm
from core.i18n import retold

Activity = Literal["idle", "loading", "practising", "paused", "stopped", "failed"]
Wish = Literal["pause", "resume", "finish", "stop"]


MAX_MARKS = 50
MAX_RECENT = 5


@dataclass(frozen=True, slots=True)
class Mark:
    """A mark on a chart of the rounds."""

    round: int  # the last one before it
    what: events.PauseReason | Literal["model"]  # a pause, or that another model practised
    detail: str = ""  # the name of the program that was in the way, or the id of that model


@dataclass(frozen=True, slots=True)
class NodeState:
    """All that is known of a node."""

    activity: Activity = "idle"
    words: str = ""  # what is being loaded, or what went wrong; empty in the other activities
    failure: str = ""  # the kind of error, where it failed; see ``Failed.kind``
    model: str = ""
    name: str = ""  # friendly name of this node; empty before it started
    round: int = 0  # rounds finished
    phase: events.Phase | None = None  # of the running round
    rest_until: int | None = None  # unix seconds; see ``PhaseEntered.until``
    ahead: events.PauseAhead | None = None  # what follows the running round; None: the next one
    pause_reason: events.PauseReason | None = None
    pause_until: int | None = None  # unix seconds; None where nobody knows
    pause_detail: str = ""  # the name of the program that is in the way
    wish: Wish | None = None  # asked for by the person, not yet answered by the engine
    points: tuple[events.Point, ...] = ()  # rising rounds, at most MAX_POINTS of them
    base_skill: float | None = None  # before any practice; None: nobody measured it
    scope: str | None = None  # of the skills in ``points``; see ``RoundFinished.scope``
    marks: tuple[Mark, ...] = ()  # of this session, at most MAX_MARKS, rising
    before: str = ""  # id of the model that practised before this one in this session
    last: events.RoundFinished | None = None  # of this session
    recent: tuple[events.RoundFinished, ...] = ()  # of this session, the last MAX_RECENT
    swarm: events.SwarmChanged | None = None  # None before the first word about it
    seen: SwarmSeen | None = None  # who is there, as of when somebody watched
    warning: str = ""  # something went wrong and rounds go on

    @property
    def is_live(self) -> bool:
        """The engine is at work or waits to go on; False where only joining makes sense."""
        return self.activity in ("loading", "practising", "paused")


def apply(state: NodeState, event: events.Event) -> NodeState:
    """Move ``state`` on by what the engine said; never raises, whatever the order."""
    match event:
        case events.Loading() | events.Started() | events.Failed() | events.Stopped():
            return _change_life(state, event)
        case events.PhaseEntered() | events.RoundFinished():
            return _advance(state, event)
        case events.Paused() | events.PauseAhead():
            return _hold(state, event)
        case events.Resumed():
            return _practising(_granted(state, "resume"))
        case events.SwarmChanged() | SwarmSeen():
            return _look_around(state, event)
        case events.Checkpointed() | events.PeerJoined() | events.PeerLeft() | PuzzleTried():
            # Told for logs, for scripts, and for the page that watches puzzles pass by; rounds and
            # SwarmChanged carry what is shown of a node.
            return state
        case _:
            assert_never(event)


def ask(state: NodeState, command: events.Command) -> NodeState:
    """Note what the person asked for, until the engine answers."""
    match command:
        case events.Join():
            return _joining(state, command)
        case events.Pause() | events.Snooze():
            return replace(state, wish="pause")
        case events.Resume():
            return replace(state, wish="resume")
        case events.Finish():
            return replace(state, wish="finish")
        case events.Stop():
            return replace(state, wish="stop")
        case WatchSwarm() | Block() | WatchPuzzles():
            return state  # answered by what is seen from then on
        case _:
            assert_never(command)


def _joining(state: NodeState, join: events.Join) -> NodeState:
    """A clean page, save for what this very model is known to have done."""
    fresh = NodeState(activity="loading", model=join.model)
    if join.model != state.model:
        before = state.model if state.round else state.before  # not one that never started
        return replace(fresh, before="" if before == join.model else before)
    return replace(
        fresh,
        round=state.round,
        points=state.points,
        base_skill=state.base_skill,
        scope=state.scope,
        marks=state.marks,
        before=state.before,
    )


def _change_life(
    state: NodeState, event: events.Loading | events.Started | events.Failed | events.Stopped
) -> NodeState:
    match event:
        case events.Loading():
            return replace(state, activity="loading", words=retold(event.words, event.remarks))
        case events.Started():
            return NodeState(
                activity="practising",
                model=event.model,
                name=event.name,
                round=event.round,
                points=thin(event.history),
                base_skill=event.base_skill,
                scope=event.scope,
                marks=_marked(state, Mark(event.round, "model", state.before))
                if state.before
                else state.marks,
                wish=state.wish,
                swarm=state.swarm,
                seen=state.seen,
            )
        case events.Failed():
            return _fail(state, event)
        case events.Stopped():
            return replace(
                _over(state), activity="stopped", words="", round=event.round or state.round
            )
        case _:
            assert_never(event)


def _fail(state: NodeState, event: events.Failed) -> NodeState:
    words = retold(event.words, event.remarks)
    if not event.fatal:
        return replace(state, warning=words)
    return replace(_over(state), activity="failed", words=words, failure=event.kind)


def _over(state: NodeState) -> NodeState:
    """Without what only a run has that goes on."""
    return replace(state, phase=None, ahead=None, wish=None)


def _hold(state: NodeState, event: events.Paused | events.PauseAhead) -> NodeState:
    if isinstance(event, events.PauseAhead):
        return _foresee(state, event)
    by_person = event.reason in ("you", "snoozed")
    # Asked to go on, the rules may still be against it: that is an answer, too.
    held = _granted(state, "pause") if by_person else _granted(_granted(state, "pause"), "resume")
    return replace(
        held,
        activity="paused",
        words="",
        phase=None,
        ahead=None,
        pause_reason=event.reason,
        pause_until=event.until,
        pause_detail=event.detail,
        marks=_marked(state, Mark(state.round, event.reason, event.detail)),
    )


def _foresee(state: NodeState, event: events.PauseAhead) -> NodeState:
    if event.reason:
        return replace(state, ahead=event)
    # Nothing will hold it: a snooze that was asked for in this round is over already.
    return replace(_granted(state, "pause"), ahead=None)


def _marked(state: NodeState, mark: Mark) -> tuple[Mark, ...]:
    """One mark for each round, the newest; none for rounds that are played again."""
    before = tuple(known for known in state.marks if known.round < mark.round)
    return (*before, mark)[-MAX_MARKS:]


def _advance(state: NodeState, event: events.PhaseEntered | events.RoundFinished) -> NodeState:
    state = _granted(state, "resume")  # it goes on, whatever it was that ended a pause
    if isinstance(event, events.PhaseEntered):
        return replace(_practising(state), phase=event.phase, rest_until=event.until)
    before = state.points
    while before and before[-1].round >= event.round:
        before = before[:-1]  # a round that a crash cut off is told again
    point = point_of(event)
    return replace(
        _practising(state),
        round=event.round,
        phase=None,  # the one that is known was of the round that is over, as is what was ahead
        ahead=None,
        points=before if point is None else thin((*before, point)),
        scope=event.scope,
        last=event,
        recent=(*state.recent, event)[-MAX_RECENT:],
        warning="",
    )


def _look_around(state: NodeState, event: events.SwarmChanged | SwarmSeen) -> NodeState:
    if isinstance(event, SwarmSeen):
        return replace(state, seen=event)
    return replace(state, swarm=event)


def _granted(state: NodeState, wish: Wish) -> NodeState:
    # A wish spoken since then (finish, say) stays open.
    return replace(state, wish=None) if state.wish == wish else state


def _practising(state: NodeState) -> NodeState:
    if state.activity == "practising":
        return state  # as after nearly every round
    return replace(
        state,
        activity="practising",
        words="",
        pause_reason=None,
        pause_until=None,
        pause_detail="",
    )
