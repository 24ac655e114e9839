"""What Home shows, decided from what is known; pure.

``AppState`` is all that Home depends on, ``RunStatus`` all that it draws. The engine's own doings
are put in words by ``core.api.sentences``, which the terminal shares; here are the words for what
only a window has: an engine that comes and goes, and buttons.
"""

from dataclasses import dataclass
from typing import Literal, assert_never

from PySide6.QtCore import QCoreApplication

from app.state.advice import Advice, advice
from app.state.app_state import AppState
from app.state.round_pace import is_quick
from app.text.core_words import spoken, swarm_words, taught_words
from app.text.error_words import explain
from app.text.figures import figure
from app.text.moments import lately
from core.api.sentences import caveat, headline_parts, status
from core.api.state import NodeState

translate = QCoreApplication.translate

Tone = Literal["quiet", "good", "trouble"]


@dataclass(frozen=True, slots=True)
class Button:
    """A button as it should be now."""

    text: str
    enabled: bool = True


@dataclass(frozen=True, slots=True)
class RunStatus:
    """All that Home draws, save the chart's curves."""

    headline: str  # the one number, or what comes before it
    compared: str  # what to hold it against; empty while there is nothing
    detail: str  # one quiet line below
    status: str
    tone: Tone
    company: str  # who else is there; empty while that is not known
    trouble: str  # a notice with ways out; empty where all is well
    is_grave: bool  # the trouble holds up practice
    can_retry: bool  # joining once more may get over it
    news: str  # a newer release that was not looked at; empty where there is none
    advice: Advice  # what helps once nothing more is learnt
    chart_hint: str  # shown in place of curves that do not exist yet
    pause: Button
    resumes: bool  # the pause button goes on instead
    has_round: bool  # one may be running, which a stop would lose
    finish: Button
    stop: Button


def run_status(state: AppState, *, awaits_past: bool = False) -> RunStatus:
    """Put ``state`` in words and buttons; ``awaits_past``: rounds may be known any moment."""
    headline, *compared = _headline(state, awaits_past=awaits_past)
    return RunStatus(
        headline=headline,
        compared=" ".join(compared),
        detail="" if awaits_past else _detail(state),
        status=_status(state),
        tone=_tone(state),
        company=_company(state),
        trouble=_trouble(state),
        is_grave=not state.is_running,
        can_retry=state.link.phase == "gave_up" or state.node.activity == "failed",
        news=_news(state),
        advice=advice(state),
        chart_hint="" if awaits_past else _chart_hint(state),
        pause=_pause_button(state),
        resumes=state.node.activity == "paused",
        has_round=state.link.phase != "waiting" and state.node.activity != "paused",
        finish=_finish_button(state),
        stop=_stop_button(state.node),
    )


def _headline(state: AppState, *, awaits_past: bool) -> list[str]:
    if awaits_past:
        return [translate("Home", "Looking up how {} did…").format(state.model.title)]
    if state.node.activity == "idle" and state.node.round == 0:
        return [translate("Home", "Train a small language model, together.")]
    if state.node.activity == "loading" and state.node.round == 0:
        return [translate("Home", "Getting {} ready.").format(state.model.title)]
    return [_kept_together(spoken(part)) for part in headline_parts(state.node)]


def _kept_together(words: str) -> str:
    """No line ends between a number and its sign, and none begins with the last word alone."""
    before, _, last = words.replace(" %", "\u00a0%").rpartition(" ")
    return f"{before}\u00a0{last}" if before else last


def _detail(state: AppState) -> str:
    node = state.node
    if state.link.phase == "gave_up":
        return ""  # one thing at a time
    if node.activity == "idle" and node.round == 0:
        return translate(
            "Home", "Choose a model and join. It practises puzzles, and you watch how it does."
        )
    if node.activity == "loading" and node.round == 0:
        return translate("Home", "What it learnt here before comes back with it.")
    return f"{_last_practised(state)} {spoken(caveat(node))}".strip()


def _last_practised(state: AppState) -> str:
    """Since when the numbers stand still; empty while they do not, or where that is not known."""
    ended = state.node.points[-1].at if state.node.points else 0.0
    if state.is_running or ended <= 0:
        return ""
    return translate("Home", "Last practised: {}.").format(lately(ended))


def _status(state: AppState) -> str:
    link, node = state.link, state.node
    match link.phase:
        case "waiting":
            said = translate(
                "Home", "Practice was interrupted: {reason}. Starting again in {seconds}\u00a0s."
            )
            return said.format(reason=link.reason, seconds=link.wait_s)
        case "gave_up":
            return translate("Home", "Practice was interrupted too often.")
        case "closing":
            ended = node.activity in ("failed", "stopped")
            return _going_on(node) if ended else translate("Home", "Saving…")
        case "off" | "up":
            if node.activity == "failed":
                return _wish(node) or translate("Home", "Not practising.")
            return _wish(node) or _quick(node) or _going_on(node)
        case _:
            assert_never(link.phase)


def _going_on(node: NodeState) -> str:
    if node.activity == "failed":
        return explain(node.words, node.failure)
    return spoken(status(node, figure))


def _wish(node: NodeState) -> str:
    if node.wish == "stop":
        return translate("Home", "Stopping…")
    if node.wish == "resume":
        return translate("Home", "Going on…")
    if node.activity == "loading" and node.wish is not None:
        then = {
            "pause": translate("Home", "Then it will pause."),
            "finish": translate("Home", "Then it will finish."),
        }
        return f"{_going_on(node)} {then[node.wish]}"
    return ""


def _quick(node: NodeState) -> str:
    """Words that stand still while rounds go by faster than their phases can be read."""
    practises = node.activity == "practising" and node.wish is None and node.phase != "resting"
    if not practises or not is_quick(node.recent):
        return ""
    return translate("Home", "Practising: round {}.").format(figure(node.round + 1))


def _tone(state: AppState) -> Tone:
    if state.link.reason or state.node.activity == "failed":
        return "trouble"
    return "good" if state.is_running and state.node.activity == "practising" else "quiet"


def _company(state: AppState) -> str:
    node = state.node
    if state.link.phase != "up" or node.activity not in ("practising", "paused"):
        return ""
    if node.swarm is None:
        return translate("Home", "Looking for others…")
    if not node.swarm.reachable:
        alone = translate("Home", "The swarm does not answer; practising alone.")
        return swarm_words(node.swarm) or alone
    if node.swarm.peers == 0:
        alone = translate("Home", "Nobody else is here yet; practising alone.")
        return swarm_words(node.swarm) or alone
    if node.swarm.peers == 1:
        here = translate("Home", "1 other is here.")
    else:
        here = translate("Home", "{} others are here.").format(figure(node.swarm.peers))
    back = taught_words(node.last.taught if node.last else None)
    return " ".join(part for part in (here, _thanks(node.swarm.learners), back) if part)


def _thanks(learners: int) -> str:
    """Courtesy of others: nothing to earn."""
    if learners == 0:
        return ""
    if learners == 1:
        return translate("Home", "1 has learnt from your model's tries so far.")
    words = translate("Home", "{} have learnt from your model's tries so far.")
    return words.format(figure(learners))


def _trouble(state: AppState) -> str:
    if state.link.phase == "gave_up":
        said = translate(
            "Home",
            "Practice stopped by itself several times in a row: {}. Everything up to the last "
            "finished round is safe.",
        )
        return said.format(state.link.reason)
    if state.node.activity == "failed":
        return explain(state.node.words, state.node.failure)
    if state.link.phase == "off" and state.link.reason:
        said = translate(
            "Home",
            "Practice stopped before its round was finished: {}. Everything up to the last "
            "finished round is safe.",
        )
        return said.format(state.link.reason)
    return state.problem or (explain(state.node.warning) if state.is_running else "")


def _chart_hint(state: AppState) -> str:
    if state.is_running:
        return translate("Home", "The curve begins as soon as it is known what your model can do.")
    return translate(
        "Home", "Here you will see how your model does, next to the swarm.\nJoin, and it begins."
    )


def _pause_button(state: AppState) -> Button:
    node = state.node
    match node.wish:
        case "pause":
            return Button(translate("Home", "Pausing…"), enabled=False)
        case "resume":
            return Button(translate("Home", "Going on…"), enabled=False)
        case "finish" | "stop":
            return Button(translate("Home", "Pause"), enabled=False)
        case None:
            if node.activity == "paused" and node.pause_reason not in ("you", "snoozed", None):
                return Button(translate("Home", "Go on anyway"))
            goes_on = node.activity == "paused"
            return Button(translate("Home", "Go on") if goes_on else translate("Home", "Pause"))
        case _:
            assert_never(node.wish)


def _news(state: AppState) -> str:
    words = translate("Home", "There is a newer Waggle: {}.")
    return words.format(state.news) if state.news else ""


def _finish_button(state: AppState) -> Button:
    if state.node.wish == "finish":
        return Button(translate("Home", "Finishing…"), enabled=False)
    can_finish = state.node.wish != "stop" and state.link.phase != "waiting"  # it has no round then
    return Button(translate("Home", "Finish round and stop"), enabled=can_finish)


def _stop_button(node: NodeState) -> Button:
    if node.wish == "stop":
        return Button(translate("Home", "Stopping…"), enabled=False)
    return Button(translate("Home", "Stop"))
