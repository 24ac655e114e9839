"""Few notifications: never for rounds."""

from dataclasses import replace

import pytest

from app.desktop.notifications import Notices, Notification, hidden
from app.state.app_state import AppState
from app.state.engine_status import EngineStatus
from core.api.events import SwarmChanged
from tests.app.desktop.test_tray_view_model import FAILED, GAVE_UP, IDLE, RUNNING, UNFINISHED


def at(rounds: int, learners: int | None = None) -> AppState:
    swarm = None
    if learners is not None:
        swarm = SwarmChanged(reachable=True, peers=2, words="", learners=learners)
    return replace(RUNNING, node=replace(RUNNING.node, round=rounds, swarm=swarm))


def told(*states: AppState) -> list[Notification]:
    notices = Notices()
    return [said for state in states if (said := notices.observe(state)) is not None]


def test_rounds_are_no_news() -> None:
    """A hundred of them pass without a word, and the hundredth gets one."""
    assert told(*(at(rounds) for rounds in range(100))) == []
    (said,) = told(*(at(rounds) for rounds in range(140)))
    assert said.words == "Spark has finished 100 rounds."
    assert not said.is_grave


def test_rounds_of_earlier_days_are_no_news() -> None:
    """Loading a model that has 5,000 behind it is no milestone."""
    assert told(IDLE, at(5_000), at(5_001)) == []
    assert told(at(5), replace(at(5_000), node=replace(at(5_000).node, model="ember"))) == []


def test_the_first_other_that_learnt_is_news() -> None:
    """Once, and again at ten; not what is told right after the start."""
    states = (at(5), at(5, 4), at(6, 4))
    assert told(*states) == []
    words = [said.words for said in told(at(5, 0), at(6, 1), at(7, 2), at(8, 12))]
    assert [word.split()[0] for word in words] == ["Another", "10"]


@pytest.mark.parametrize("state", [FAILED, GAVE_UP, UNFINISHED])
def test_trouble_that_ends_practice_is_told_once(state: AppState) -> None:
    """In the words of Home."""
    (said,) = told(RUNNING, state, state)
    assert said.is_grave
    assert said.words


def test_a_restart_is_not_told() -> None:
    """It goes on by itself."""
    assert (
        told(RUNNING, replace(RUNNING, link=EngineStatus("waiting", "it crashed", 1)), RUNNING)
        == []
    )


def test_trouble_that_was_there_at_first_is_not_told() -> None:
    """The window says it."""
    assert told(FAILED) == []


def test_hiding_is_explained() -> None:
    """Where Waggle went, and how to end it."""
    assert "Quit" in hidden().words
