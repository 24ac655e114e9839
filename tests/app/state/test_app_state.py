"""What pages can read off the state."""

from dataclasses import replace

import pytest
from msgspec import structs

from app.state.app_state import AppState, linked, with_reply
from app.state.engine_status import EngineStatus, Phase
from app.state.model_choices import ModelChoice
from core.api.models import FitSeen, ListedModel, ModelsListed, Verdict
from core.api.requests import Done
from core.api.state import Activity, NodeState
from core.api.updates import UpdatesShown
from core.settings import Settings, UpdatesSettings, WindowSettings

SPARK = ModelChoice(id="spark", title="Spark", sentence="Small.", parameters=1_500_000)
EMBER = ModelChoice(id="ember", title="Ember", sentence="Larger.", parameters=6_000_000)
IDLE = AppState(choices=(SPARK, EMBER), chosen="ember")


def state_of(activity: Activity, phase: Phase) -> AppState:
    return AppState(
        choices=IDLE.choices,
        chosen=IDLE.chosen,
        node=NodeState(activity=activity, model="spark"),
        link=EngineStatus(phase),
    )


@pytest.mark.parametrize("activity", ["loading", "practising", "paused"])
@pytest.mark.parametrize("phase", ["up", "waiting"])
def test_a_live_node_runs(activity: Activity, phase: Phase) -> None:
    """Also while its process is about to be started again."""
    assert state_of(activity, phase).is_running


@pytest.mark.parametrize(
    ("activity", "phase"),
    [
        ("idle", "off"),
        ("stopped", "up"),
        ("failed", "up"),
        ("practising", "closing"),
        ("practising", "gave_up"),
    ],
)
def test_otherwise_joining_is_what_can_be_done(activity: Activity, phase: Phase) -> None:
    """Before the first run, after the end of one, and when it was given up."""
    assert not state_of(activity, phase).is_running


def test_the_model_is_the_one_that_runs_or_else_the_chosen_one() -> None:
    """Choosing another one changes nothing about the run."""
    assert state_of("practising", "up").model is SPARK
    assert state_of("stopped", "up").model is EMBER
    assert IDLE.model is EMBER


def test_a_model_that_is_not_on_offer_does_no_harm() -> None:
    """The first one stands in for it."""
    assert AppState(choices=(SPARK, EMBER), chosen="gone").model is SPARK


def test_joining_takes_the_chosen_model() -> None:
    """Against all doubts about memory where the person said so of this one."""
    assert (IDLE.join.model, IDLE.join.load_anyway) == ("ember", False)
    insisting = replace(IDLE, settings=Settings(window=WindowSettings(anyway="ember")))
    assert insisting.join.load_anyway
    assert not replace(insisting, chosen="spark").join.load_anyway


NEWER = UpdatesShown(installed="0.1.0", place="/x", obstacle="none", newest="0.2.0")


def test_a_newer_release_is_news_until_it_was_looked_at() -> None:
    """And a further one is news again."""
    state = with_reply(IDLE, NEWER)
    assert state.news == "0.2.0"
    seen = replace(state, settings=Settings(updates=UpdatesSettings(seen="0.2.0")))
    assert seen.news == ""
    assert with_reply(seen, structs.replace(NEWER, newest="0.3.0")).news == "0.3.0"
    assert with_reply(state, structs.replace(NEWER, newest="")).news == ""


@pytest.mark.parametrize("when", ["off", "automatic"])
def test_who_does_not_want_to_hear_of_releases_does_not(when: str) -> None:
    """Nor who has them installed by themselves, or by others."""
    updates = UpdatesSettings(when=when)  # type: ignore[arg-type]  # one of the three
    assert with_reply(replace(IDLE, settings=Settings(updates=updates)), NEWER).news == ""
    locked = UpdatesShown(installed="0.1.0", place="", obstacle="locked", newest="0.2.0")
    assert with_reply(IDLE, locked).news == ""


def test_an_answer_about_something_else_changes_nothing() -> None:
    """Nor does a list of models without any that can be trained."""
    assert with_reply(IDLE, Done(words="hello")) is IDLE
    assert with_reply(IDLE, ModelsListed(models=(), disk_free=1)) == IDLE


def test_the_largest_model_that_fits_is_known_once_models_are_listed() -> None:
    """One that is tight is nothing to advise."""

    def listed(size: int, verdict: Verdict) -> ListedModel:
        fit = FitSeen(verdict=verdict, need=1, have=1, device="cpu")
        return ListedModel(
            id="m", title="M", sentence="", presence="available", parameters=size, fit=fit
        )

    models = (listed(5, "fits"), listed(3, "fits"), listed(9, "tight"))
    assert with_reply(IDLE, ModelsListed(models=models, disk_free=1)).largest == 5


def test_an_engine_that_ended_on_the_way_to_what_was_asked_ends_the_run() -> None:
    """One that will be started again does not, and what had ended stays as it was."""
    running = state_of("practising", "up")
    assert linked(running, EngineStatus()).node.activity == "stopped"
    assert linked(running, EngineStatus("waiting", "it crashed", 4)).node.activity == "practising"
    assert linked(state_of("failed", "up"), EngineStatus()).node.activity == "failed"
