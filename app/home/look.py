"""What Home shows, decided from what is known; pure, no Qt.

``HomeState`` is all that Home depends on, ``Look`` all that it draws. The engine's own doings are
put in words by ``core.engine.sentences``, which the terminal shares; here are the words for what
only a window has: an engine that comes and goes, and buttons.
"""

from dataclasses import dataclass, field
from typing import Literal, assert_never

from app.link import Link
from app.model_choices import ModelChoice
from core.engine.sentences import caveat, headline_parts, status
from core.engine.state import NodeState

Tone = Literal["quiet", "good", "trouble"]

_FIRST_START = "Train a small language model, together."
_SAFE = "Everything up to the last finished round is safe."


@dataclass(frozen=True, slots=True)
class HomeState:
    """All that Home is a function of."""

    choices: tuple[ModelChoice, ...]
    chosen: str  # id of the model that joining takes
    node: NodeState = field(default_factory=NodeState)
    link: Link = field(default_factory=Link)
    problem: str = ""  # something that the window itself could not do

    @property
    def is_running(self) -> bool:
        """A run goes on or is about to; otherwise joining is what can be done."""
        return self.link.phase in ("up", "waiting") and self.node.is_live

    @property
    def model(self) -> ModelChoice:
        """The model that is running, or else the chosen one."""
        wanted = self.node.model if self.is_running else self.chosen
        return next((c for c in self.choices if c.id == wanted), self.choices[0])


@dataclass(frozen=True, slots=True)
class Button:
    """A button as it should be now."""

    text: str
    enabled: bool = True


@dataclass(frozen=True, slots=True)
class Look:
    """All that Home draws, save the chart's curves."""

    headline: str  # the one number, or what comes before it
    compared: str  # what to hold it against; empty while there is nothing
    detail: str  # one quiet line below
    status: str
    tone: Tone
    company: str  # who else is there; empty while that is not known
    trouble: str  # a notice with ways out; empty where all is well
    is_grave: bool  # the trouble holds up practice
    chart_hint: str  # shown in place of curves that do not exist yet
    pause: Button
    resumes: bool  # the pause button goes on instead
    finish: Button
    stop: Button


def look(state: HomeState) -> Look:
    """Put ``state`` in words and buttons."""
    return Look(
        headline=_headline(state)[0],
        compared=" ".join(_headline(state)[1:]),
        detail=_detail(state),
        status=_status(state),
        tone=_tone(state),
        company=_company(state),
        trouble=_trouble(state),
        is_grave=not state.is_running,
        chart_hint=_chart_hint(state),
        pause=_pause_button(state),
        resumes=state.node.activity == "paused",
        finish=Button("Finishing…", enabled=False)
        if state.node.wish == "finish"
        else Button("Finish round and stop", enabled=state.node.wish != "stop"),
        stop=Button("Stopping…", enabled=False) if state.node.wish == "stop" else Button("Stop"),
    )


def _headline(state: HomeState) -> list[str]:
    if state.node.activity == "idle":
        return [_FIRST_START]
    if state.node.activity == "loading" and not state.node.points:
        return [f"Getting {state.model.title} ready."]
    # A no-break space keeps each sign with its number.
    return [part.replace(" %", "\u00a0%") for part in headline_parts(state.node)]


def _detail(state: HomeState) -> str:
    node = state.node
    if node.activity == "idle":
        return "Choose a model and join. It practises puzzles, and you watch how it does."
    if node.activity == "loading" and not node.points:
        return "What it learnt here before comes back with it."
    return caveat(node)


def _status(state: HomeState) -> str:
    link, node = state.link, state.node
    match link.phase:
        case "waiting":
            return f"Practice was interrupted: {link.reason}. Starting again in {link.wait_s} s."
        case "gave_up":
            return "Practice was interrupted too often."
        case "closing":
            return status(node) if node.activity in ("failed", "stopped") else "Saving…"
        case "off" | "up":
            return _wish(node) or (status(node) if node.activity != "failed" else "Not practising.")
        case _:
            assert_never(link.phase)


def _wish(node: NodeState) -> str:
    if node.wish == "stop":
        return "Stopping…"
    if node.wish == "resume":
        return "Going on…"
    if node.activity == "loading" and node.wish is not None:
        return f"{status(node)} Then it will {node.wish}."
    return ""


def _tone(state: HomeState) -> Tone:
    if state.link.phase in ("waiting", "gave_up") or state.node.activity == "failed":
        return "trouble"
    return "good" if state.is_running and state.node.activity == "practising" else "quiet"


def _company(state: HomeState) -> str:
    node = state.node
    if state.link.phase != "up" or node.activity not in ("practising", "paused"):
        return ""
    if node.solo:
        return "Practising alone, as you chose."
    if node.swarm is None:
        return "Looking for others…"
    if not node.swarm.reachable:
        return node.swarm.words or "The swarm does not answer; practising alone."
    if node.swarm.peers == 0:
        return node.swarm.words or "Nobody else is here yet; practising alone."
    here = "1 other is here." if node.swarm.peers == 1 else f"{node.swarm.peers} others are here."
    return f"{here}{_thanks(node.swarm.learners)}"


def _thanks(learners: int) -> str:
    """Courtesy of others: nothing to earn."""
    if learners == 0:
        return ""
    return (
        f" {learners} {'has' if learners == 1 else 'have'} learnt from your model's tries so far."
    )


def _trouble(state: HomeState) -> str:
    if state.link.phase == "gave_up":
        return (
            f"Practice stopped by itself several times in a row: {state.link.reason}. {_SAFE} "
            "Try again, or open the log folder to see what was reported."
        )
    if state.node.activity == "failed":
        return state.node.words
    return state.problem or (state.node.warning if state.is_running else "")


def _chart_hint(state: HomeState) -> str:
    if state.is_running:
        return "The first points appear as soon as a round is finished."
    return "Here you will see how your model does, next to the swarm.\nJoin, and it begins."


def _pause_button(state: HomeState) -> Button:
    match state.node.wish:
        case "pause":
            return Button("Pausing…", enabled=False)
        case "resume":
            return Button("Going on…", enabled=False)
        case "finish" | "stop":
            return Button("Pause", enabled=False)
        case None:
            return Button("Go on" if state.node.activity == "paused" else "Pause")
        case _:
            assert_never(state.node.wish)
