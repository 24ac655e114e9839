"""What Home says and offers in each state."""

from dataclasses import replace
from functools import reduce
from typing import get_args

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace as replace_in

from app.state.app_state import AppState, linked
from app.state.engine_status import EngineStatus
from app.state.model_choices import ModelChoice
from app.state.run_status import run_status
from app.text.moments import moment
from core.api.events import (
    Command,
    Event,
    Failed,
    Finish,
    Join,
    Loading,
    Pause,
    Paused,
    PhaseEntered,
    Point,
    Resume,
    Started,
    Stop,
    Stopped,
    SwarmChanged,
)
from core.api.state import NodeState, apply, ask
from tests.fakes import finished

CHOICES = (
    ModelChoice(id="spark", title="Spark", sentence="Quick.", parameters=1_500_000),
    ModelChoice(id="ember", title="Ember", sentence="Bigger.", parameters=5_200_000),
)
IDLE = AppState(choices=CHOICES, chosen="spark")


def started(rounds: int, swarm: float | None = 0.27) -> Started:
    past = tuple(
        Point(round=n, skill=0.09 if n <= 30 else 0.31, swarm_skill=swarm)
        for n in range(1, rounds + 1)
    )
    return Started(
        model="ember",
        round=rounds,
        peer="",
        name="amber-otter",
        solo=False,
        history=past,
        base_skill=0.09,
    )


def running(*events: Event) -> AppState:
    node = reduce(apply, events, ask(NodeState(), Join(model="ember")))
    return replace(IDLE, node=node, link=EngineStatus("up"))


def asked(state: AppState, command: Command) -> AppState:
    return replace(state, node=ask(state.node, command))


messages = st.one_of(*(st.from_type(kind) for kind in (*get_args(Event), *get_args(Command))))
links = st.builds(EngineStatus, st.sampled_from(["off", "up", "waiting", "closing", "gave_up"]))


@given(st.lists(messages, max_size=12), links)
def test_every_state_has_a_look(sequence: list[Event | Command], link: EngineStatus) -> None:
    """Whatever happened: a headline, and a button that works or a reason."""
    node = NodeState()
    for message in sequence:
        node = ask(node, message) if isinstance(message, Command) else apply(node, message)
    looks = run_status(replace(IDLE, node=node, link=link))
    assert looks.headline
    assert all(button.text for button in (looks.pause, looks.finish, looks.stop))


def test_the_first_start_promises_nothing() -> None:
    """No number before there is one, and nothing runs."""
    looks = run_status(IDLE)
    assert "%" not in looks.headline + looks.compared
    assert looks.status == "Ready when you are."
    assert (looks.company, looks.trouble) == ("", "")
    assert not IDLE.is_running


def test_the_one_sentence() -> None:
    """Own number first, then what to hold it against, each sign with its number."""
    looks = run_status(running(started(90)))
    assert looks.headline == "Your model solves 31\u00a0% of all\u00a0puzzles."
    assert looks.compared == "At first it was\u00a09\u00a0%. Swarm:\u00a027\u00a0%."


def test_a_model_that_wakes_up_is_not_called_a_beginner() -> None:
    """Before the engine has told its past, nothing is claimed about it."""
    looks = run_status(running(Loading(words="Waking the model up")))
    assert looks.headline == "Getting Ember ready."
    assert "not practised" not in looks.headline + looks.detail


def test_the_past_is_told_as_such() -> None:
    """The same numbers as on the last day, since when they stand, and no word of the welcome."""
    points = tuple(replace_in(point, at=1e9 + point.round) for point in started(90).history)
    looks = run_status(replace(IDLE, node=NodeState(points=points, round=90)))
    assert looks.headline == "Your model solves 31\u00a0% of all\u00a0puzzles."
    assert looks.detail.startswith(f"Last practised: {moment(1e9 + 90)}. Of all kinds")
    assert looks.status == "Ready when you are."
    assert "Last practised" not in run_status(running(started(90))).detail
    unknown = run_status(replace(IDLE, node=NodeState(points=started(90).history, round=90)))
    assert unknown.detail.startswith("Of all kinds")


def test_what_may_be_known_any_moment_is_not_denied() -> None:
    """Who has practised is not welcomed as a beginner, not even for a moment."""
    looks = run_status(IDLE, awaits_past=True)
    assert looks.headline == "Looking up how Spark did…"
    assert (looks.compared, looks.detail, looks.chart_hint) == ("", "", "")


def test_joining_again_is_offered_where_it_may_help() -> None:
    """Not where a setting could not be saved: that has nothing to do with practice."""
    unsaved = run_status(replace(IDLE, problem="The settings cannot be written."))
    assert unsaved.trouble
    assert not unsaved.can_retry
    failed = running(Failed(words="The disk is full.", fatal=True))
    assert run_status(replace(failed, link=EngineStatus())).can_retry
    assert run_status(
        replace(running(started(3)), link=EngineStatus("gave_up", "it crashed"))
    ).can_retry


def test_before_every_kind_was_looked_at_there_is_no_number() -> None:
    """And it is said why."""
    looks = run_status(running(replace_in(started(0), round=3, base_skill=None)))
    assert looks.headline == "Getting to know your\u00a0model."
    assert looks.compared == ""
    assert looks.detail.startswith("First it is seen how far your model gets")
    earlier = replace(IDLE, node=NodeState(round=251))
    assert run_status(earlier).headline == looks.headline  # and not the welcome


def test_large_numbers_are_written_in_one_way() -> None:
    """Grouped, as the language does it."""
    swarm = SwarmChanged(reachable=True, peers=1_234, words="", learners=5_678)
    entered = PhaseEntered(round=9_999, phase="sampling")
    looks = run_status(running(started(9_999), swarm, entered))
    assert looks.status == "Round 10,000: trying puzzles."
    assert looks.company.startswith("1,234 others are here. 5,678 have learnt")


@pytest.mark.parametrize(
    ("swarm", "words"),
    [
        (None, "Looking for others…"),
        (
            SwarmChanged(reachable=True, peers=0, words=""),
            "Nobody else is here yet; practising alone.",
        ),
        (SwarmChanged(reachable=True, peers=1, words=""), "1 other is here."),
        (SwarmChanged(reachable=True, peers=7, words=""), "7 others are here."),
        (
            SwarmChanged(reachable=True, peers=7, words="", learners=3),
            "7 others are here. 3 have learnt from your model's tries so far.",
        ),
        (
            SwarmChanged(reachable=True, peers=0, words="Nobody else is here yet. Turn Wi-Fi on."),
            "Nobody else is here yet. Turn Wi-Fi on.",
        ),
        (SwarmChanged(reachable=False, peers=0, words="No hub answers."), "No hub answers."),
        (
            SwarmChanged(reachable=False, peers=0, words=""),
            "The swarm does not answer; practising alone.",
        ),
    ],
)
def test_who_else_is_there(swarm: SwarmChanged | None, words: str) -> None:
    """Company in plain words, from nobody to many."""
    events = (started(3), swarm) if swarm else (started(3),)
    assert run_status(running(*events)).company == words


@pytest.mark.parametrize(
    ("taught", "words"),
    [
        (None, ""),
        (0, ""),
        (
            1,
            (
                " Others' tries taught your model a kind of puzzle at a level that it never "
                "solved alone."
            ),
        ),
        (
            4,
            (
                " Others' tries taught your model 4 kinds of puzzles at levels that it never "
                "solved alone."
            ),
        ),
    ],
)
def test_what_the_others_brought_is_told_once_there_is_something(
    taught: int | None, words: str
) -> None:
    """In one sentence, beside who is there."""
    swarm = SwarmChanged(reachable=True, peers=7, words="", learners=3)
    events = started(3), swarm, replace_in(finished(4), taught=taught)
    said = "7 others are here. 3 have learnt from your model's tries so far."
    assert run_status(running(*events)).company == said + words


def test_pausing_and_going_on() -> None:
    """The button says what it will do, and nothing while the wish is on its way."""
    state = running(started(3), PhaseEntered(round=4, phase="learning"))
    assert run_status(state).pause.text == "Pause"
    on_its_way = run_status(asked(state, Pause()))
    assert (on_its_way.pause.text, on_its_way.pause.enabled) == ("Pausing…", False)
    held = running(started(3), Paused(reason="you"))
    assert run_status(held).status == "Paused because you asked."
    assert (run_status(held).pause.text, run_status(held).resumes) == ("Go on", True)
    assert run_status(asked(held, Resume())).status == "Going on…"


def test_who_is_held_by_a_rule_may_insist() -> None:
    """Where the person holds it, going on is enough."""
    ruled = run_status(running(started(3), Paused(reason="battery")))
    assert (ruled.pause.text, ruled.resumes) == ("Go on anyway", True)
    snoozed = run_status(running(started(3), Paused(reason="snoozed", until=1)))
    assert (snoozed.pause.text, snoozed.resumes) == ("Go on", True)


def test_quick_rounds_do_not_flicker() -> None:
    """No phase is named that is over before it is read."""
    state = running(started(3), finished(4), PhaseEntered(round=5, phase="judging"))
    assert run_status(state).status == "Practising: round 5."


def test_finish_can_still_be_cut_short() -> None:
    """While finishing, Stop works; while stopping, nothing does."""
    finishing = run_status(asked(running(started(3)), Finish()))
    assert not finishing.finish.enabled
    assert finishing.stop.enabled
    stopping = run_status(asked(running(started(3)), Stop()))
    assert stopping.status == "Stopping…"
    assert not any(b.enabled for b in (stopping.pause, stopping.finish, stopping.stop))


def test_a_wish_while_loading_is_heard() -> None:
    """Who presses Pause too early is not left wondering."""
    state = asked(running(Loading(words="Waking the model up")), Pause())
    assert run_status(state).status == "Waking the model up… Then it will pause."


def test_an_interruption_is_told_with_reason_and_delay() -> None:
    """What happened, and what happens next."""
    state = replace(running(started(3)), link=EngineStatus("waiting", "it crashed", 4))
    assert (
        run_status(state).status
        == "Practice was interrupted: it crashed. Starting again in 4\u00a0s."
    )
    assert not run_status(state).has_round  # so a stop loses nothing, and there is none to finish
    assert not run_status(state).finish.enabled
    assert run_status(state).tone == "trouble"
    assert run_status(state).company == ""
    assert state.is_running


def test_giving_up_offers_ways_out() -> None:
    """The last word names the reason and says what is safe; the notice has the ways out."""
    state = replace(running(started(3)), link=EngineStatus("gave_up", "it crashed"))
    assert not state.is_running
    trouble = run_status(state).trouble
    assert "it crashed" in trouble
    assert "safe" in trouble
    assert run_status(state).detail == ""


def test_a_last_round_that_was_cut_off_is_told() -> None:
    """Whoever asked for it to be finished hears why it is not."""
    state = linked(running(started(3)), EngineStatus(reason="it crashed"))
    assert "it crashed" in run_status(state).trouble
    assert run_status(state).tone == "trouble"
    assert run_status(state).status.startswith("Stopped.")


def test_a_failure_speaks_for_itself() -> None:
    """The engine's own sentence is shown once, as the notice."""
    failed = running(Failed(words="The disk is full. Free some space.", fatal=True))
    looks = run_status(replace(failed, link=EngineStatus()))
    assert looks.trouble == "The disk is full. Free some space."
    assert looks.status == "Not practising."


def test_saving_is_shown_while_the_engine_closes() -> None:
    """Between the wish and the end there are words, too."""
    assert (
        run_status(replace(running(started(3)), link=EngineStatus("closing"))).status == "Saving…"
    )
    done = replace(running(started(3), Stopped(round=3)), link=EngineStatus("closing"))
    assert run_status(done).status.startswith("Stopped.")


def test_the_model_shown_is_the_one_that_runs() -> None:
    """Choosing another card changes the next run, not this one."""
    assert running(started(3)).model.title == "Ember"
    assert IDLE.model.title == "Spark"
    assert replace(IDLE, chosen="gone").model.title == "Spark"
