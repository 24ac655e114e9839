"""The words around the puzzles."""

from dataclasses import replace

import pytest

from app.pages.practice.feed import Feed
from app.pages.practice.live_view_model import live_view_model
from app.state.app_state import AppState
from app.state.engine_status import EngineStatus
from core.api.events import Loading
from core.api.state import NodeState, apply
from tests.app.pages.practice.samples import IDLE, PAUSED, RUNNING, own_puzzle

LOADING = replace(
    RUNNING, node=apply(NodeState(), Loading(words="Waking the model up")), link=EngineStatus("up")
)


@pytest.mark.parametrize(
    ("state", "words"),
    [
        (IDLE, "Join on Home"),
        (LOADING, "when the model is ready"),
        (RUNNING, "as soon as a round is over"),
        (PAUSED, "when practice goes on"),
    ],
)
def test_an_empty_feed_says_why(state: AppState, words: str) -> None:
    """Never a white area; Home is offered only where it helps."""
    looks = live_view_model(state, Feed())
    assert words in looks.empty
    assert not looks.can_hold
    assert looks.offers_home is (state is IDLE)


@pytest.mark.parametrize(
    ("state", "words"),
    [
        (RUNNING, "A few of the puzzles that are tried, the newest on top."),
        (PAUSED, "Paused; these were the last puzzles."),
        (IDLE, "Nothing is practised now; these were the last puzzles."),
    ],
)
def test_what_is_shown_is_put_in_place(state: AppState, words: str) -> None:
    """Nobody waits for puzzles that cannot come."""
    looks = live_view_model(state, Feed().take(own_puzzle()))
    assert (looks.words, looks.empty, looks.button) == (words, "", "Hold still")
    assert looks.can_hold


@pytest.mark.parametrize(
    ("waiting", "words"),
    [
        (0, "Held still for you."),
        (1, "Held still; 1 newer one is waiting."),
        (2, "Held still; 2 newer ones are waiting."),
    ],
)
def test_held_still_it_says_what_waits(waiting: int, words: str) -> None:
    """And how to go on."""
    feed = Feed().take(own_puzzle()).hold()
    for number in range(waiting):
        feed = feed.take(own_puzzle(number))
    looks = live_view_model(RUNNING, feed)
    assert (looks.words, looks.button) == (words, "Go on")
