"""Resume, pause, save, stop."""

import asyncio
from collections.abc import Callable, Sequence
from dataclasses import replace

import msgspec
import pytest

from core.api.events import (
    Checkpointed,
    Event,
    PauseAhead,
    Paused,
    PeerJoined,
    PhaseEntered,
    Resumed,
    RoundFinished,
    Started,
    Stopped,
    SwarmChanged,
)
from core.api.preview import Preview, PuzzleTried, WatchPuzzles
from core.engine.loop import MOST_REST_S, LoopContext, NodeLoop, RunOptions
from core.engine.plan import RoundPlan
from core.engine.ports import Exchange, Meter, NoMeter, Progress, RoundCost, UpdateReport
from core.engine.sizing import SLOW_ROUNDS
from core.errors import DiskFullError, UsageError
from core.rollouts.round_size import FEWEST
from core.rollouts.types import ScoredGroup
from core.swarm.solo import SoloSwarm
from tests.envelopes import FakeClock
from tests.fakes import (
    ALONE,
    MODEL,
    OTHER,
    OWN,
    FakePolicy,
    MemoryLedger,
    ScriptedSwarm,
    fake_parts,
    peer_group,
)

PLAN = RoundPlan(MODEL, OWN, seed=7, local_groups=4, swarm_groups=2, group_size=8)


class CountingMeter:
    """Says how often it was read, in seconds and joules."""

    def __init__(self) -> None:
        self.readings = 0

    def read(self) -> RoundCost:
        self.readings += 1
        return RoundCost(float(self.readings), 10.0 * self.readings)


class Bench:
    """A loop on fakes, and all that it said."""

    now = 1.0

    def __init__(
        self,
        policy: FakePolicy,
        ledger: MemoryLedger | None = None,
        swarm: ScriptedSwarm | None = None,
        options: RunOptions | None = None,
        plan: RoundPlan = PLAN,
    ) -> None:
        self.told: list[Event] = []
        self.clock = FakeClock(0.0)
        self.meter: Meter = NoMeter()
        self.ledger = ledger or MemoryLedger()
        self.react: Callable[[Event], None] = lambda _: None  # where a test acts in a run
        self.parts = fake_parts(policy, swarm)
        context = LoopContext(
            self.ledger,
            self.hear,
            lambda peer: f"friend-{peer[:2]}",
            SoloSwarm(),
            lambda: self.now,
            title_of=lambda task: f"Title of {task}",
            clock=self.clock,
            meter=self,
        )
        self.loop = NodeLoop(plan, self.parts, context, options or RunOptions(rounds=5))

    def read(self) -> RoundCost:
        return self.meter.read()

    def hear(self, event: Event) -> None:
        self.told.append(event)
        self.react(event)

    def soon(self, do: Callable[..., None], *words: object) -> None:
        """Act as soon as the loop waits."""
        asyncio.get_running_loop().call_soon(do, *words)

    def sampling_takes(self, seconds: float, then: Callable[[Event], None]) -> None:
        """Let the clock go on in each round, and act on events."""

        def react(event: Event) -> None:
            if is_phase(event, "sampling"):
                self.clock.advance(seconds)
            then(event)

        self.react = react

    def pauses_after(self, number: int) -> None:
        """Pause after round ``number``, and go on at once."""

        def react(event: Event) -> None:
            if isinstance(event, RoundFinished) and event.round == number:
                self.loop.pause("you")
            if isinstance(event, Paused):
                self.soon(self.loop.resume)

        self.react = react

    def kinds(self) -> list[str]:
        return [type(e).__name__ for e in self.told if not isinstance(e, PhaseEntered)]

    def rounds(self) -> list[int]:
        return [e.round for e in self.told if isinstance(e, RoundFinished)]


def is_phase(event: Event, phase: str) -> bool:
    return isinstance(event, PhaseEntered) and event.phase == phase


async def test_a_run_starts_plays_saves_and_stops() -> None:
    """Every round is recorded, saved, and only then told as finished."""
    policy = FakePolicy()
    bench = Bench(policy)
    reached = await bench.loop.run()
    cells, taught = bench.parts.skills.own, bench.parts.taught.histories
    assert reached == Progress(7, 5, "sapo", cells, taught=taught)
    assert bench.rounds() == [1, 2, 3, 4, 5]
    assert [progress.round for progress, _ in policy.saved] == [1, 2, 3, 4, 5]
    assert bench.kinds()[0] == "Started"
    assert bench.told[-1] == Stopped(round=5)
    assert list(bench.ledger.rounds) == [1, 2, 3, 4, 5]


async def test_a_run_on_a_choice_says_so_before_its_first_round() -> None:
    """The skills of its rounds, past ones too, are a mean over these puzzles alone."""
    bench = Bench(FakePolicy(), plan=replace(PLAN, scope="0123456789abcdef"))
    await bench.loop.run()
    (started,) = (event for event in bench.told if isinstance(event, Started))
    assert started.scope == "0123456789abcdef"


async def test_a_resumed_run_ends_like_one_that_never_stopped() -> None:
    """5 rounds, then 5 more in a new loop, equal 10 at once: scores, policy, and what was tried."""
    whole = Bench(FakePolicy(), options=RunOptions(rounds=10))
    await whole.loop.run()
    policy, ledger = FakePolicy(), MemoryLedger()
    await Bench(policy, ledger).loop.run()
    second = Bench(policy, ledger)
    await second.loop.run()
    scores = [r.score for r in ledger.history()]
    assert scores == [r.score for r in whole.ledger.history()]
    assert second.parts.skills.own == whole.parts.skills.own != {}
    started = second.told[0]
    assert isinstance(started, Started)
    assert [point.round for point in started.history] == [1, 2, 3, 4, 5]


async def test_fewer_are_tried_where_all_that_others_share_is_learnt_from_at_once() -> None:
    """Nothing waits then, and the next round will bring about as much."""
    plan = replace(PLAN, recipe="waggle-adaptive")
    heard = peer_group(3, 4, 4)
    swarm = ScriptedSwarm([Exchange((heard,), 1, reachable=True, words="")])
    bench = Bench(FakePolicy(), swarm=swarm, plan=plan, options=RunOptions(rounds=3))
    await bench.loop.run()
    tried = [one.local_groups for one in bench.told if isinstance(one, RoundFinished)]
    assert tried == [plan.local_groups, plan.local_groups - 1, plan.local_groups]


async def test_a_round_has_as_many_questions_as_fit_into_a_minute() -> None:
    """Few in the first where the model is large, and in a run that goes on somewhere else."""
    policy, ledger = FakePolicy(), MemoryLedger()
    plan = replace(PLAN, local_groups=8, first_questions=FEWEST)

    async def play(*seconds_of_rounds: float) -> None:
        bench = Bench(policy, ledger, options=RunOptions(rounds=len(seconds_of_rounds)), plan=plan)
        took = iter(seconds_of_rounds)

        def pass_time(event: Event) -> None:
            if is_phase(event, "sampling"):
                bench.clock.advance(next(took))

        bench.react = pass_time
        await bench.loop.run()

    await play(24.0, 50.0, 300.0)
    await play(10.0, 10.0)
    assert [one.local_groups for one in ledger.history()] == [2, 5, 5, 2, 8]
    assert set(policy.answers_each) <= {None}


async def test_where_not_even_two_questions_fit_answers_are_fewer_and_then_shorter() -> None:
    """And half of them learnt from, as of all of them; the next start goes on like that."""
    policy, ledger = FakePolicy(skill=0.5), MemoryLedger()
    plan = replace(PLAN, local_groups=8, group_size=8, swarm_groups=0, recipe="waggle")
    plan = replace(plan, first_questions=FEWEST, is_small=False, answer_tokens=192)
    bench = Bench(policy, ledger, options=RunOptions(rounds=2 * SLOW_ROUNDS + 1), plan=plan)
    bench.sampling_takes(100.0, lambda _: None)
    await bench.loop.run()
    assert {one.local_groups for one in ledger.history()} == {2}
    few = SLOW_ROUNDS + 1
    assert [one.answers for one in ledger.history()] == [*[16] * SLOW_ROUNDS, *[8] * few]
    assert policy.answers_each == [*[None] * SLOW_ROUNDS, *[2] * few]
    assert policy.most_tokens == [*[192] * 2 * SLOW_ROUNDS, 96]
    await Bench(policy, ledger, options=RunOptions(rounds=1), plan=plan).loop.run()
    assert (ledger.history()[-1].answers, policy.most_tokens[-1]) == (8, 96)


async def test_rounds_that_are_to_be_repeatable_do_not_go_by_the_clock() -> None:
    """Where the plan says nothing of a first round, all are alike."""
    bench = Bench(FakePolicy())
    bench.sampling_takes(600.0, lambda _: None)
    await bench.loop.run()
    assert {one.local_groups for one in bench.ledger.history()} == {PLAN.local_groups}


class Apprentice(FakePolicy):
    """Solves nothing until it trained on what somebody else solved; then everything."""

    def update(
        self, groups: Sequence[ScoredGroup], answers_each: int | None = None
    ) -> UpdateReport:
        done = super().update(groups, answers_each)
        self.skill = 1.0
        return done


async def test_what_others_taught_is_told_by_the_ledger_and_survives_a_restart() -> None:
    """Nothing while it fails, nothing while it may be luck; the count goes on where it stood."""
    policy, ledger = Apprentice(skill=0.0), MemoryLedger()
    shared = Exchange((peer_group(3, right=2, wrong=2),), 1, reachable=True, words="One is here.")
    swarm = ScriptedSwarm([ALONE, shared])  # in the second round, after 64 answers that failed
    await Bench(policy, ledger, swarm, RunOptions(rounds=2)).loop.run()
    assert [one.taught for one in ledger.history()] == [0, 0]
    await Bench(policy, ledger, options=RunOptions(rounds=2)).loop.run()
    assert [one.taught for one in ledger.history()] == [0, 0, 1, 1]
    assert policy.saved[-1][0].taught["adding/1"].outcome == "taught"


async def test_a_round_recorded_but_not_saved_is_played_again() -> None:
    """A crash between ledger and checkpoint repeats the round and keeps one row of it."""
    policy, ledger = FakePolicy(), MemoryLedger()
    await Bench(policy, ledger).loop.run()
    before = ledger.history()
    del policy.saved[-1]
    again = Bench(policy, ledger, options=RunOptions(rounds=1))
    await again.loop.run()
    assert again.rounds() == [5]
    assert [r.score for r in ledger.history()] == [r.score for r in before]


async def test_pause_holds_after_the_round_and_resume_goes_on() -> None:
    """Nothing is played while paused, and the reason is told."""
    bench = Bench(FakePolicy())
    bench.pauses_after(2)
    await bench.loop.run()
    kinds = bench.kinds()
    assert bench.rounds() == [1, 2, 3, 4, 5]
    assert kinds.index("Paused") + 1 == kinds.index("Resumed")
    assert Paused(reason="you") in bench.told
    assert Resumed() in bench.told


async def test_a_changed_reason_is_told_again() -> None:
    """Whoever reads why it is paused reads what is true now."""
    bench = Bench(FakePolicy(), options=RunOptions(rounds=1))
    bench.loop.pause("battery")

    def react(event: Event) -> None:
        if event == Paused(reason="battery"):
            bench.loop.pause("program", detail="blender")
        if event == Paused(reason="program", detail="blender"):
            bench.loop.pause("battery", until=7)
        if event == Paused(reason="battery", until=7):
            bench.loop.resume()

    bench.react = react
    await bench.loop.run()
    assert bench.kinds().count("Paused") == 3
    assert bench.rounds() == [1]


async def test_a_pause_that_is_coming_is_told_in_the_round_before_it() -> None:
    """With what is true of it now, and that it is not coming any more; between rounds it is one."""
    bench = Bench(FakePolicy(), options=RunOptions(rounds=3))

    def react(event: Event) -> None:
        if event == PhaseEntered(round=1, phase="sampling"):
            bench.loop.pause("battery")
            bench.loop.pause("battery", until=7)  # nothing that a round has to be told again for
            bench.loop.pause("program", detail="blender")
            bench.loop.resume()
        if event == PhaseEntered(round=2, phase="sampling"):
            bench.loop.pause("battery")
        if isinstance(event, Paused):
            bench.soon(bench.loop.resume)

    bench.react = react
    await bench.loop.run()
    pauses = [e for e in bench.told if isinstance(e, PauseAhead | Paused | RoundFinished)]
    assert [event for event in pauses if not isinstance(event, RoundFinished)] == [
        PauseAhead(reason="battery"),
        PauseAhead(reason="program", detail="blender"),
        PauseAhead(),
        PauseAhead(reason="battery"),
        Paused(reason="battery"),
    ]
    assert isinstance(pauses[3], RoundFinished)


@pytest.mark.parametrize("rounds", [1, None], ids=["as many as asked for", "told to finish"])
async def test_no_pause_is_coming_after_the_last_round(rounds: int | None) -> None:
    """What ends does not pause; whoever was told that it would hears that it will not."""
    bench = Bench(FakePolicy(), options=RunOptions(rounds=rounds))

    def react(event: Event) -> None:
        if isinstance(event, PhaseEntered) and event.phase == "sampling":
            bench.loop.pause("battery")
            bench.loop.finish()

    bench.react = react
    await bench.loop.run()
    told = [event for event in bench.told if isinstance(event, PauseAhead)]
    assert told == ([] if rounds else [PauseAhead(reason="battery"), PauseAhead()])


@pytest.mark.parametrize(
    ("share", "round_s", "rest_s"),
    [
        (0.5, 60.0, 60.0),
        (0.25, 10.0, 30.0),
        (0.1, 60.0, 540.0),
        (0.5, 1_800.0, 1_800.0),
        (0.5, 100_000.0, MOST_REST_S),
    ],
)
async def test_after_a_round_it_rests_for_the_share_that_is_not_lent(
    share: float, round_s: float, rest_s: float
) -> None:
    """In proportion to how long the round took, never for ever, and not after the last round.

    When a rest ends is told where somebody could look at the clock meanwhile.
    """
    bench = Bench(FakePolicy(), options=RunOptions(rounds=3))
    bench.loop.set_share(share)

    def rest(event: Event) -> None:
        if is_phase(event, "resting"):
            bench.clock.advance(rest_s)
            bench.soon(bench.loop.set_share, share)  # it looks at the clock

    bench.sampling_takes(round_s, rest)
    await bench.loop.run()
    rests = [e for e in bench.told if isinstance(e, PhaseEntered) and e.phase == "resting"]
    until = round(bench.now + rest_s) if rest_s >= 60 else None
    assert [(rest.round, rest.until) for rest in rests] == [(2, until), (3, until)]
    assert bench.rounds() == [1, 2, 3]


async def test_a_rest_is_cut_short_when_all_of_the_time_is_lent_again() -> None:
    """The person has left: nobody waits for the rest of a rest."""
    bench = Bench(FakePolicy(), options=RunOptions(rounds=2))
    bench.loop.set_share(0.5)
    bench.sampling_takes(
        3_600, lambda e: bench.soon(bench.loop.set_share, 1.0) if is_phase(e, "resting") else None
    )
    await bench.loop.run()
    assert bench.rounds() == [1, 2]


@pytest.mark.parametrize("ending", ["finish", "stop"])
async def test_a_rest_ends_with_the_run(ending: str) -> None:
    """Whoever wants it to end does not wait for a rest, and no round is begun."""
    bench = Bench(FakePolicy(), options=RunOptions())
    bench.loop.set_share(0.5)
    end = getattr(bench.loop, ending)
    bench.sampling_takes(3_600, lambda e: bench.soon(end) if is_phase(e, "resting") else None)
    await bench.loop.run()
    assert bench.rounds() == [1]
    assert bench.told[-1] == Stopped(round=1)


async def test_a_pause_counts_as_rest() -> None:
    """After an hour's pause nobody has to rest from the round before it."""
    bench = Bench(FakePolicy(), options=RunOptions(rounds=2))
    bench.loop.set_share(0.5)

    def pause(event: Event) -> None:
        if is_phase(event, "resting"):
            bench.soon(bench.loop.pause, "you")
        if isinstance(event, Paused):
            bench.clock.advance(3_600)
            bench.soon(bench.loop.resume)

    bench.sampling_takes(60, pause)
    await bench.loop.run()
    assert bench.kinds().count("Paused") == 1
    assert bench.rounds() == [1, 2]


@pytest.mark.parametrize(("ending", "last"), [("finish", 3), ("stop", 2)])
async def test_finish_completes_the_running_round_and_stop_drops_it(ending: str, last: int) -> None:
    """Said in the third round; either way the checkpoint of the last one that counts stands."""
    policy = FakePolicy()
    bench = Bench(policy, options=RunOptions())
    end = getattr(bench.loop, ending)
    third = PhaseEntered(round=3, phase="sampling")
    bench.react = lambda event: end() if event == third else None
    assert (await bench.loop.run()).round == last
    assert policy.saved[-1][0].round == last
    assert bench.told[-1] == Stopped(round=last)


async def test_finish_ends_a_pause() -> None:
    """A paused node can be sent home without being resumed first."""
    bench = Bench(FakePolicy(), options=RunOptions())
    bench.loop.pause("you")
    bench.react = lambda e: bench.soon(bench.loop.finish) if isinstance(e, Paused) else None
    assert (await bench.loop.run()).round == 0
    assert bench.rounds() == []


async def test_another_seed_than_the_checkpoint_is_refused_in_words() -> None:
    """A run cannot quietly change what makes it repeatable."""
    policy = FakePolicy()
    await Bench(policy).loop.run()
    with pytest.raises(UsageError, match="seed 7, not 8"):
        await Bench(policy, options=RunOptions(rounds=1, seed=8)).loop.run()


async def test_a_run_goes_on_with_the_recipe_of_its_checkpoint() -> None:
    """A changed setting is for new runs; only a recipe that is insisted on is refused."""
    policy = FakePolicy()
    await Bench(policy).loop.run()
    with pytest.raises(UsageError, match="recipe sapo, not waggle"):
        await Bench(policy, options=RunOptions(rounds=1, recipe="waggle")).loop.run()
    changed = replace(PLAN, recipe="waggle")
    again = Bench(policy, options=RunOptions(rounds=1), plan=changed)
    assert (await again.loop.run()).recipe == "sapo"


async def test_a_full_disk_ends_the_run_and_keeps_what_was_saved() -> None:
    """The round that could not be saved is not told as finished."""

    class FullDisk(FakePolicy):
        def save(self, progress: Progress) -> None:
            if progress.round == 3:
                raise DiskFullError("The disk is full.")
            super().save(progress)

    policy = FullDisk()
    bench = Bench(policy)
    with pytest.raises(DiskFullError):
        await bench.loop.run()
    assert bench.rounds() == [1, 2]
    assert Checkpointed(round=2) in bench.told
    assert policy.saved[-1][0].round == 2


async def test_peers_and_swarm_are_told_once_when_they_change() -> None:
    """A node that keeps sending joins once; an unchanged swarm is not repeated."""
    here = Exchange((peer_group(1, 4, 4),), 1, reachable=True, words="Practising with 1 other.")
    bench = Bench(FakePolicy(), swarm=ScriptedSwarm([here, here, here]))
    await bench.loop.run()
    joined = [e for e in bench.told if isinstance(e, PeerJoined)]
    assert joined == [PeerJoined(peer=OTHER, name="friend-bb")]
    words = [e.words for e in bench.told if isinstance(e, SwarmChanged)]
    assert words == ["Practising with 1 other.", "Nobody else is here yet."]


async def test_stop_while_the_checkpoint_is_read_ends_in_peace() -> None:
    """Before the first round there is nothing to drop; the caller is not cancelled."""

    class Interrupted(FakePolicy):
        def resume(self) -> Progress | None:
            bench.loop.stop()
            return super().resume()

    bench = Bench(Interrupted(), options=RunOptions())
    async with asyncio.TaskGroup() as group:
        running = group.create_task(bench.loop.run())
    assert running.result().round == 0
    assert bench.told == [Stopped(round=0)]


async def test_stop_after_the_end_disturbs_nobody() -> None:
    """Said once more while the node is put away, it must not cut that short."""
    bench = Bench(FakePolicy())

    async def run_and_put_away() -> int:
        progress = await bench.loop.run()
        bench.loop.stop()
        await asyncio.sleep(0)
        return progress.round

    async with asyncio.TaskGroup() as group:
        running = group.create_task(run_and_put_away())
    assert running.result() == 5


def eight_groups() -> ScriptedSwarm:
    """Of the other node, in one exchange: more than a round learns from."""
    groups = tuple(peer_group(number, 4, 4) for number in range(8))
    return ScriptedSwarm([Exchange(groups, 1, reachable=True, words="")])


def useful_of_others(bench: Bench) -> list[int]:
    return [e.useful_swarm for e in bench.told if isinstance(e, RoundFinished)]


@pytest.mark.parametrize(("blocks", "useful"), [(False, [2, 2, 2]), (True, [2, 0, 0])])
async def test_nothing_that_waits_of_a_blocked_node_is_learnt_from(
    blocks: bool,  # noqa: FBT001 - a parameter of the test
    useful: list[int],
) -> None:
    """What came in during the round in which it was blocked is let go of, too."""
    bench = Bench(FakePolicy(), swarm=eight_groups(), options=RunOptions(rounds=3))

    def react(event: Event) -> None:
        if blocks and event == PhaseEntered(round=1, phase="sharing"):
            bench.loop.block(OTHER, on=True)

    bench.react = react
    await bench.loop.run()
    assert useful_of_others(bench) == useful


async def test_a_node_may_be_blocked_while_the_pool_is_being_filled() -> None:
    """The model thread has the pool then: it is let alone until the round is over."""
    waiting: list[tuple[int, int]] = []

    class Blocking(FakePolicy):
        def accept(self, groups: Sequence[ScoredGroup]) -> list[ScoredGroup]:
            before = len(bench.parts.pool)
            bench.loop.block(OTHER, on=True)
            waiting.append((before, len(bench.parts.pool)))
            return super().accept(groups)

    bench = Bench(Blocking(), swarm=eight_groups(), options=RunOptions(rounds=2))
    await bench.loop.run()
    assert waiting
    assert all(before == after for before, after in waiting)
    assert useful_of_others(bench) == [2, 0]


async def test_who_is_blocked_in_a_pause_is_not_learnt_from_after_it() -> None:
    """Nor in the first round that follows."""
    bench = Bench(FakePolicy(), swarm=eight_groups(), options=RunOptions(rounds=2))

    def react(event: Event) -> None:
        if isinstance(event, RoundFinished) and event.round == 1:
            bench.loop.pause("you")
        if isinstance(event, Paused):
            bench.loop.block(OTHER, on=True)
            bench.loop.resume()

    bench.react = react
    await bench.loop.run()
    assert useful_of_others(bench) == [2, 0]


async def test_whoever_watches_is_shown_a_little_of_what_was_tried() -> None:
    """A fast model's first round, not every one of them; nobody is shown anything unasked."""

    def shown(bench: Bench) -> list[int]:
        return [event.round for event in bench.told if isinstance(event, PuzzleTried)]

    unwatched, watched = Bench(FakePolicy()), Bench(FakePolicy())
    watched.loop.preview = Preview(str, lambda _: "amber-otter-27", lambda: 0.0)
    await unwatched.loop.run()
    await watched.loop.run()
    assert (shown(unwatched), shown(watched)) == ([], [1])


async def test_what_is_shown_is_what_was_wished_for_until_it_is_not_any_more() -> None:
    """Of one kind and level, under the title that people know it by."""
    bench = Bench(FakePolicy())

    async def shown(**wish: object) -> list[PuzzleTried]:
        bench.told.clear()
        bench.loop.watch_puzzles(msgspec.convert(wish, WatchPuzzles))
        await bench.loop.run()
        return [event for event in bench.told if isinstance(event, PuzzleTried)]

    (tried,) = await shown(on=True, task="adding", level=1)
    assert (tried.task, tried.level, tried.title) == ("adding", 1, "Title of adding")
    assert await shown(on=True, task="adding", level=2) == []
    assert await shown(on=True, task="gcd") == []
    assert await shown(on=False) == []


async def test_every_round_tells_what_it_took_of_the_computer() -> None:
    """The meter is read once a round, before the round is written down."""
    bench = Bench(FakePolicy(), options=RunOptions(rounds=2))
    bench.meter = CountingMeter()
    await bench.loop.run()
    taken = [(one.processor_s, one.joules) for one in bench.ledger.history()]
    assert taken == [(1.0, 10.0), (2.0, 20.0)]


async def test_what_a_pause_took_is_no_rounds() -> None:
    """The meter is read at its end, too, and that reading is dropped."""
    bench = Bench(FakePolicy(), options=RunOptions(rounds=2))
    bench.meter = CountingMeter()
    bench.pauses_after(1)
    await bench.loop.run()
    assert [one.processor_s for one in bench.ledger.history()] == [1.0, 3.0]
