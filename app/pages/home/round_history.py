"""The rounds that Home shows while nothing runs: what earlier sessions left; pure."""

from dataclasses import dataclass, replace

from app.state.app_state import AppState
from core.api.events import Point


@dataclass(frozen=True, slots=True)
class RoundHistory:
    """What the helper told of the rounds of earlier sessions, and what it was asked."""

    model: str = ""  # whose rounds they are; empty: it has not told anything
    points: tuple[Point, ...] = ()
    round: int = 0  # the last one, of which there is no point before a skill is known
    base_skill: float | None = None
    scope: str | None = None  # of these skills; None: everything that is built in
    asked: str = ""  # the model that it is looking up


def with_past(state: AppState, past: RoundHistory) -> AppState:
    """``state`` with the rounds of the model that runs, or that joining would take.

    What an engine that has started told of them is newer than the past.
    """
    node, model = state.node, state.model.id
    if has_started(state) or (past.model != model and (state.is_running or node.model == model)):
        return state
    known = past if past.model == model else RoundHistory()
    marks = node.marks if node.model == model else ()
    told = replace(
        node,
        points=known.points,
        base_skill=known.base_skill,
        scope=known.scope,
        marks=marks,
        round=known.round,
    )
    return replace(state, node=told)


def has_started(state: AppState) -> bool:
    """Whether the running engine has told of its rounds."""
    return state.is_running and state.node.activity != "loading"


def can_ask(state: AppState) -> bool:
    """Whether the helper may know rounds that no engine tells of."""
    return not state.is_running and (state.has_practised or bool(state.node.points))


def is_missing(state: AppState, past: RoundHistory) -> bool:
    """Whether the rounds of the chosen model are to be asked for."""
    is_known = state.node.model == state.model.id and bool(state.node.points)
    return can_ask(state) and not is_known and state.model.id not in (past.model, past.asked)


def is_awaited(state: AppState, past: RoundHistory) -> bool:
    """Whether nobody knows yet if there are rounds to be shown."""
    has_none = not with_past(state, past).node.points
    is_asked = past.asked == state.model.id != past.model and not state.is_running
    return has_none and (is_asked or is_missing(state, past))
