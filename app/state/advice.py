"""What helps once a model has learnt out, decided from what is known; pure."""

from dataclasses import dataclass

from PySide6.QtCore import QCoreApplication

from app.state.app_state import AppState
from app.state.intents import Open
from app.text.figures import figure
from core.api.plateau import SPAN, has_levelled_off
from core.api.state import NodeState

translate = QCoreApplication.translate

MODELS = Open("models")
PUZZLES = Open("practice")
MASTERED = 0.95
"""Skill beyond which a model of any size has little left to learn from its puzzles."""


@dataclass(frozen=True, slots=True)
class Advice:
    """A sentence or two, and where to do what they say."""

    words: str = ""  # empty: there is nothing to say
    way: str = ""  # words of a button that leads to ``where``
    where: Open = MODELS


def advice(state: AppState) -> Advice:
    """What to do about a model that has learnt out; nothing about one that still gets better."""
    if not has_levelled_off(state.node.points):
        return Advice()
    level, is_alone = state.settings.practice.level, _is_alone(state.node)
    if level != "automatic":
        return _other_levels(state, level)
    if (state.node.points[-1].skill or 0.0) >= MASTERED:
        return _all_solved(state)
    if state.largest == 0 or state.largest > state.model.parameters:
        return _larger_model(state, is_alone=is_alone)
    return _others(state) if is_alone else _other_puzzles(state)


def _other_levels(state: AppState, level: int) -> Advice:
    said = (
        translate(
            "Home",
            "{} has not got better for {} rounds, and practises level {} only. With automatic "
            "levels it goes on to harder puzzles.",
        )
        if level == 1
        else translate(
            "Home",
            "{} has not got better for {} rounds, and practises level {} only. With automatic "
            "levels it begins where it can learn.",
        )
    ).format(state.model.title, figure(SPAN), level)
    return Advice(said, translate("Home", "Open Settings"), Open("settings", "amounts"))


def _all_solved(state: AppState) -> Advice:
    said = translate(
        "Home",
        "{} solves nearly all of these puzzles. Under Practice, Puzzles you can choose others or "
        "bring your own.",
    ).format(state.model.title)
    return Advice(said, translate("Home", "Open Practice"), PUZZLES)


def _other_puzzles(state: AppState) -> Advice:
    said = translate(
        "Home",
        "{} has not got better for {} rounds. Other puzzles may have more to teach: under "
        "Practice, Puzzles you can choose some or bring your own.",
    ).format(state.model.title, figure(SPAN))
    return Advice(said, translate("Home", "Open Practice"), PUZZLES)


def _larger_model(state: AppState, *, is_alone: bool) -> Advice:
    said = translate(
        "Home",
        "{} has not got better for {} rounds: it may have learnt what a model of its size can. A "
        "larger one has room for more.",
    ).format(state.model.title, figure(SPAN))
    together = translate("Home", "So may practising together with others.") if is_alone else ""
    way = translate("Home", "See the models")
    return Advice(f"{said} {together}".strip(), way)


def _others(state: AppState) -> Advice:
    said = translate(
        "Home",
        "{} has not got better for {} rounds, and no larger model fits this computer. Practising "
        "together with others may help.",
    ).format(state.model.title, figure(SPAN))
    return Advice(said, translate("Home", "Open Swarm"), Open("swarm"))


def _is_alone(node: NodeState) -> bool:
    return node.swarm is None or not node.swarm.peers
