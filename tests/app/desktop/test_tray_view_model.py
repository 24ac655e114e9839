"""The tray in shapes and words."""

from dataclasses import replace
from datetime import timedelta, timezone

import pytest

from app.desktop.tray_view_model import MOST_CHARACTERS, tray_view_model
from app.state.app_state import AppState
from app.state.engine_status import EngineStatus
from app.state.model_choices import ModelChoice
from core.api.state import NodeState
from core.settings import Settings, WindowSettings

SPARK = ModelChoice(id="spark", title="Spark", sentence="Small.", parameters=1_500_000)
AGREED = Settings(window=WindowSettings(consent=True))
IDLE = AppState(choices=(SPARK,), chosen="spark", settings=AGREED)
RUNNING = replace(
    IDLE, node=NodeState(activity="practising", model="spark"), link=EngineStatus("up")
)
PAUSED = replace(RUNNING, node=NodeState(activity="paused", pause_reason="you"))
FAILED = replace(IDLE, node=NodeState(activity="failed", words="The disk is full. " * 20))
GAVE_UP = replace(RUNNING, link=EngineStatus("gave_up", "it crashed"))
UNFINISHED = replace(IDLE, link=EngineStatus("off", "it crashed"))

EAST = timezone(timedelta(hours=2))


@pytest.mark.parametrize(
    ("state", "shape"),
    [
        (IDLE, "idle"),
        (RUNNING, "practising"),
        (PAUSED, "paused"),
        (FAILED, "trouble"),
        (GAVE_UP, "trouble"),
        (UNFINISHED, "trouble"),
        (replace(RUNNING, link=EngineStatus("waiting", "it crashed", 4)), "trouble"),
    ],
)
def test_every_situation_has_its_shape(state: AppState, shape: str) -> None:
    """Whatever goes on is seen without reading."""
    assert tray_view_model(state).shape == shape


def test_what_is_said_fits_into_a_tip() -> None:
    """Long reports are cut, and the cut is seen."""
    assert len(tray_view_model(FAILED).words) == MOST_CHARACTERS
    assert tray_view_model(FAILED).words.endswith("…")
    assert tray_view_model(PAUSED).words == "Paused because you asked."


def test_joining_takes_an_agreement() -> None:
    """The tray is no way past the welcome."""
    assert tray_view_model(IDLE).can_join
    assert not tray_view_model(RUNNING).can_join
    assert not tray_view_model(replace(IDLE, settings=Settings())).can_join


def test_while_the_window_leaves_there_is_nothing_to_begin() -> None:
    """Or it would wait for what was just begun."""
    assert not tray_view_model(replace(IDLE, is_leaving=True)).can_join
    closing = replace(RUNNING, link=EngineStatus("closing"), is_leaving=True)
    assert (tray_view_model(closing).can_join, tray_view_model(closing).is_running) == (
        False,
        False,
    )


def test_a_pause_can_be_ended() -> None:
    """The same entry holds and goes on."""
    assert (tray_view_model(RUNNING).resumes, tray_view_model(PAUSED).resumes) == (False, True)
