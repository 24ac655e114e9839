"""A node's state follows what the engine says and what the person asks."""

from functools import reduce
from typing import get_args

from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from core.api.curves import MAX_POINTS
from core.api.events import (
    Command,
    Event,
    Failed,
    Finish,
    Join,
    Loading,
    Pause,
    PauseAhead,
    Paused,
    PhaseEntered,
    Point,
    Resume,
    Resumed,
    Snooze,
    Started,
    Stop,
    Stopped,
    SwarmChanged,
    failed,
    loading,
)
from core.api.state import MAX_RECENT, Mark, NodeState, apply, ask
from core.api.swarm_view import SwarmSeen
from core.errors import DiskFullError
from core.i18n import Remark, remarks_of, translatable
from tests.fakes import finished

started = Started(model="spark", round=0, peer="a" * 64, name="amber-otter", solo=False)


def told(*events: Event) -> NodeState:
    return reduce(apply, events, NodeState())


messages = st.one_of(*(st.from_type(kind) for kind in (*get_args(Event), *get_args(Command))))


@given(st.lists(messages, max_size=30))
def test_no_order_of_messages_raises(sequence: list[Event | Command]) -> None:
    """Whatever is said, in whatever order: a state comes out, bounded and rising."""
    state = NodeState()
    for message in sequence:
        state = ask(state, message) if isinstance(message, Command) else apply(state, message)
        assert len(state.points) <= MAX_POINTS


@given(st.lists(st.integers(1, 50), max_size=60))
def test_rounds_never_run_backwards(rounds: list[int]) -> None:
    """Rounds told again after a crash replace what they said before."""
    state = told(started, *(finished(number) for number in rounds))
    known = [point.round for point in state.points]
    assert known == sorted(set(known))


def test_the_phase_of_a_finished_round_is_over() -> None:
    """Nobody reads that the next round is being saved already."""
    state = told(started, PhaseEntered(round=1, phase="saving"), finished(1))
    assert state.phase is None


def test_a_life_in_order() -> None:
    """Joining, loading, practising, pausing, going on and stopping each show as themselves."""
    state = ask(NodeState(), Join(model="spark"))
    assert (state.activity, state.model) == ("loading", "spark")
    state = apply(state, Loading(words="Waking the model up"))
    assert state.words == "Waking the model up"
    state = apply(state, started)
    assert (state.activity, state.name, state.words) == ("practising", "amber-otter", "")
    state = apply(state, PhaseEntered(round=1, phase="learning"))
    assert state.phase == "learning"
    state = apply(state, finished(1, 0.25))
    assert (state.round, state.points[-1].skill) == (1, 0.25)
    state = apply(ask(state, Pause()), Paused(reason="you"))
    assert (state.activity, state.pause_reason, state.wish) == ("paused", "you", None)
    state = apply(ask(state, Resume()), Resumed())
    assert (state.activity, state.pause_reason, state.wish) == ("practising", None, None)
    state = apply(ask(state, Finish()), Stopped(round=1))
    assert (state.activity, state.round, state.wish) == ("stopped", 1, None)
    assert not state.is_live


def test_a_pause_says_why_and_until_when_and_that_goes_with_it() -> None:
    """Nothing of an old reason is left once rounds go on."""
    state = told(started, Paused(reason="program", until=7, detail="blender"))
    assert (state.pause_reason, state.pause_until, state.pause_detail) == ("program", 7, "blender")
    state = apply(state, Paused(reason="battery"))
    assert (state.pause_reason, state.pause_until, state.pause_detail) == ("battery", None, "")
    state = apply(apply(state, Paused(reason="snoozed", until=7)), Resumed())
    assert (state.activity, state.pause_reason, state.pause_until) == ("practising", None, None)


def test_what_follows_a_round_is_known_until_it_follows_or_does_not() -> None:
    """Taken back, come true, or ended with the run or the round: nothing of it is left."""
    battery = PauseAhead(reason="battery")
    state = told(started, PhaseEntered(round=1, phase="sampling"), battery)
    assert (state.activity, state.phase, state.ahead) == ("practising", "sampling", battery)
    ends = (
        PauseAhead(),
        Paused(reason="battery"),
        finished(1),
        started,
        Stopped(round=1),
        Failed(words="The disk is full.", fatal=True),
    )
    assert {apply(state, end).ahead for end in ends} == {None}
    assert apply(state, PhaseEntered(round=1, phase="learning")).ahead == battery


def test_a_snooze_that_is_over_before_its_round_leaves_nothing_waiting() -> None:
    """A computer that slept in the middle of a round; no pause comes any more."""
    state = ask(told(started, PhaseEntered(round=1, phase="sampling")), Snooze(seconds=60))
    state = apply(state, PauseAhead(reason="snoozed"))
    assert state.wish == "pause"
    assert apply(state, PauseAhead()).wish is None


def test_until_when_it_rests_goes_with_the_rest() -> None:
    """The next phase has no such end."""
    state = told(started, finished(1), PhaseEntered(round=2, phase="resting", until=7))
    assert (state.phase, state.rest_until) == ("resting", 7)
    assert apply(state, PhaseEntered(round=2, phase="asking")).rest_until is None


def test_snoozing_and_going_on_anyway_are_wishes_like_any() -> None:
    """Each is answered by what comes of it."""
    state = ask(told(started), Snooze(seconds=60))
    assert state.wish == "pause"
    state = apply(state, Paused(reason="snoozed", until=60))
    assert state.wish is None
    state = ask(state, Resume())
    assert state.wish == "resume"
    assert apply(state, Resumed()).wish is None


def test_rules_that_still_object_answer_the_wish_to_go_on() -> None:
    """The person's own pause is over, the battery's is not: nobody is left waiting."""
    state = ask(told(started, Paused(reason="you")), Resume())
    assert apply(state, Paused(reason="battery")).wish is None
    assert apply(state, Paused(reason="you")).wish == "resume"


def test_a_round_that_goes_on_answers_the_wish_to_go_on() -> None:
    """The rules let go in the very moment in which the person asked."""
    state = ask(told(started, Paused(reason="battery"), Resumed()), Resume())
    assert apply(state, PhaseEntered(round=1, phase="asking")).wish is None


def test_a_wish_stays_open_until_it_is_answered() -> None:
    """Asked to pause and then to finish, a pause does not answer the second wish."""
    state = ask(ask(told(started), Pause()), Finish())
    assert apply(state, Paused(reason="you")).wish == "finish"
    assert ask(state, Stop()).wish == "stop"


def test_history_comes_back_with_a_restart() -> None:
    """A restarted engine tells the curve again, and it takes the place of the old one."""
    history = tuple(Point(round=i, skill=0.1, swarm_skill=None) for i in range(1, 2_001))
    state = told(
        started,
        finished(1, 0.9),
        Started(model="spark", round=2_000, peer="", name="", solo=True, history=history),
    )
    assert state.points[0].skill == 0.1
    assert state.points[-1].round == 2_000
    assert len(state.points) <= MAX_POINTS


def test_what_the_skills_are_of_is_known_before_the_first_round() -> None:
    """The engine tells it with the rounds of the past, and it stays with them while it wakes up."""
    start = Started(model="spark", round=9, peer="", name="", solo=True, scope="0123456789abcdef")
    state = told(start)
    assert state.scope == start.scope
    assert ask(state, Join(model="spark")).scope == start.scope
    assert ask(state, Join(model="ember")).scope is None
    assert apply(state, finished(10)).scope is None


def test_a_warning_does_not_stop_the_rounds() -> None:
    """Something that went wrong shows until a round succeeds; only a fatal failure ends it."""
    state = told(started, Failed(words="The hub is away.", fatal=False))
    assert (state.activity, state.warning) == ("practising", "The hub is away.")
    assert apply(state, finished(1)).warning == ""
    state = apply(state, Failed(words="The disk is full.", fatal=True))
    assert (state.activity, state.words) == ("failed", "The disk is full.")


def test_joining_again_starts_a_clean_page() -> None:
    """Nothing of another model's run is shown beside the new one, but for a mark that tells it."""
    state = ask(told(started, finished(1)), Join(model="ember"))
    assert state == NodeState(activity="loading", model="ember", before="spark")


def test_joining_again_with_the_same_model_keeps_its_curve() -> None:
    """What is known of a model is shown while it wakes up; its last failure is not."""
    before = told(started, finished(1), Failed(words="The disk is full.", fatal=True))
    state = ask(before, Join(model="spark"))
    assert (state.points, state.round) == (before.points, 1)
    assert (state.activity, state.words) == ("loading", "")
    assert apply(state, Stopped(round=0)).round == 1


def test_a_model_that_never_started_has_not_practised_in_between() -> None:
    """The chart marks only what changed the rounds."""
    state = ask(told(started, finished(1)), Join(model="ember"))
    state = apply(state, Failed(words="It does not fit.", fatal=True))
    assert ask(state, Join(model="spark")).before == ""
    assert ask(state, Join(model="blaze")).before == "spark"


def test_the_swarm_is_what_was_last_said_of_it() -> None:
    """SwarmChanged replaces what was known before."""
    gone = SwarmChanged(reachable=False, peers=0, words="No hub answers.")
    assert told(started, gone).swarm == gone


def test_who_was_seen_stays_while_a_run_starts_and_goes_with_it() -> None:
    """Whoever watches early is answered before the first round; the next run meets others."""
    seen = SwarmSeen(swarm="meadow", more=3)
    state = told(seen, started)
    assert state.seen == seen
    assert ask(state, Join(model="ember")).seen is None


def test_pauses_and_changes_of_the_model_are_marked() -> None:
    """Once a round, with the newest reason, and only on the curve that they belong to."""
    state = told(started, finished(1), Paused(reason="busy"), Paused(reason="battery"))
    assert state.marks == (Mark(1, "battery"),)
    other = apply(ask(state, Join(model="ember")), replace(started, model="ember", round=4))
    assert other.marks == (Mark(4, "model", "spark"),)


def test_the_last_rounds_of_a_session_are_kept() -> None:
    """As many as it takes to tell how long the next one will be."""
    state = told(started, *(finished(number) for number in range(1, 20)))
    assert [one.round for one in state.recent] == list(range(20 - MAX_RECENT, 20))


def test_what_words_were_made_from_is_kept_with_them() -> None:
    """So that the window can say them in another language; the kind of an error, too."""
    loaded = apply(NodeState(), loading(translatable("Waking {} up", "it")))
    assert (loaded.words, remarks_of(loaded.words)) == (
        "Waking it up",
        (Remark("Waking {} up", ("it",)),),
    )
    ended = apply(loaded, failed(DiskFullError(translatable("The disk is full."))))
    assert (ended.failure, remarks_of(ended.words)) == (
        "DiskFullError",
        (Remark("The disk is full."),),
    )
    warned = apply(loaded, Failed(words="away", fatal=False, remarks=(Remark("away"),)))
    assert remarks_of(warned.warning) == (Remark("away"),)
