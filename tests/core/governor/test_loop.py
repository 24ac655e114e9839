"""The steward, with sensors, clocks and a node that do what a test says."""

import asyncio
import threading
from collections.abc import Callable
from dataclasses import replace

import pytest

from core.api.events import Pause, PauseReason, Resume, Snooze
from core.errors import ModelError
from core.governor.conditions import Conditions, Moment
from core.governor.decide import GENTLE_SHARE
from core.governor.loop import KEPT_S, PERIOD_S, GovernorLoop
from core.settings import RulesSettings
from tests.core.engine.situations import FINE, ON_BATTERY, START_UNIX, at


class World:
    """Sensors, rules and clocks, and a node that writes down what it is told."""

    def __init__(self, timeout_s: float = 60.0) -> None:
        self.conditions = FINE
        self.rules = RulesSettings()
        self.seconds = 0.0
        self.unix_ahead = 0.0  # of the clock that people set
        self.told: list[str] = []
        self.threads: set[int] = set()
        self.looked = asyncio.Event()
        self.answers = threading.Event()  # the sensors do
        self.answers.set()
        self.wait_for_sensor: Callable[[], object] = self.answers.wait
        self.wait_for_rules: Callable[[], object] = lambda: None
        self._ticks: asyncio.Queue[None] = asyncio.Queue()
        self.steward = GovernorLoop(self, self.read_rules, self.moment, self.wait, timeout_s)

    def read_rules(self) -> RulesSettings:
        self.wait_for_rules()
        return self.rules

    def sense(self, _rules: RulesSettings) -> Conditions:
        self.threads.add(threading.get_ident())
        self.wait_for_sensor()
        return self.conditions

    def moment(self) -> Moment:
        moment = at(self.seconds)
        return replace(moment, unix=moment.unix + self.unix_ahead)

    async def wait(self, _seconds: float) -> None:
        self.looked.set()
        await self._ticks.get()

    async def tick(self, seconds: float = PERIOD_S) -> None:
        """Let that much time pass, and the steward look once."""
        await self.looked.wait()
        self.seconds += seconds
        self.looked.clear()
        self._ticks.put_nowait(None)
        await self.looked.wait()

    async def until_told(self, words: str, seconds: float = PERIOD_S) -> None:
        """Look again and again until the node was told that."""
        for _ in range(100):
            if self.told[-1] == words:
                return
            await self.tick(seconds)
        raise AssertionError(self.told)

    def pause(self, reason: PauseReason, until: int | None = None, detail: str = "") -> None:
        details = ["pause", reason, "" if until is None else str(until), detail]
        self.told.append(" ".join(filter(None, details)))

    def resume(self) -> None:
        self.told.append("resume")

    def set_share(self, share: float) -> None:
        self.told.append(f"set_share {share}")


async def test_it_has_looked_before_the_first_round() -> None:
    """A node that starts on battery does not play a round first; and it looks in a thread."""
    world = World()
    world.conditions = ON_BATTERY
    async with world.steward.over(world):
        assert world.told == ["pause battery"]
    assert threading.get_ident() not in world.threads


async def test_a_decision_is_told_once() -> None:
    """As long as nothing changes, nobody is bothered."""
    world = World()
    async with world.steward.over(world):
        for _ in range(3):
            await world.tick()
    assert world.told == ["set_share 1.0", "resume"]


async def test_it_pauses_and_resumes_as_conditions_change() -> None:
    """Unplugged, plugged in again, and on after a while."""
    world = World()
    async with world.steward.over(world):
        world.conditions = ON_BATTERY
        await world.tick()
        assert world.told[-1] == "pause battery"
        world.conditions = FINE
        await world.tick()
        assert world.told[-1] == f"pause battery {round(START_UNIX) + 40}"
        await world.tick(30)
        assert world.told[-2:] == ["set_share 1.0", "resume"]


async def test_a_sensor_that_hangs_holds_nothing_up() -> None:
    """Practice begins, a pause for what was known last ends, and one thread waits, not many.

    The hours that were chosen count all the same, and the other rules once the sensor answers.
    """
    world = World(timeout_s=0.2)
    world.conditions = ON_BATTERY
    world.answers.clear()
    async with world.steward.over(world):
        assert world.told == ["set_share 1.0", "resume"]
        await world.tick(40)
        assert len(world.threads) == 1
        world.rules = RulesSettings(schedule=("0" * 24,) * 7)
        await world.until_told("pause schedule")
        world.rules = RulesSettings()
        world.answers.set()
        await world.until_told("pause battery")
        world.answers.clear()
        await world.tick()
        await world.tick(KEPT_S)
        await world.tick(40)
        assert world.told[-2:] == ["set_share 1.0", "resume"]
        world.answers.set()


async def test_a_disk_that_hangs_holds_nothing_up() -> None:
    """One thread waits for the rules, not one a look; by those known last, sensors still count."""
    world = World(timeout_s=0.2)
    readers, disk = set[int](), threading.Event()

    def hang() -> None:
        readers.add(threading.get_ident())
        disk.wait()

    world.wait_for_rules = hang
    async with world.steward.over(world):
        assert world.told == ["set_share 1.0", "resume"]
        world.conditions = ON_BATTERY
        await world.until_told("pause battery")
        await world.tick()
        assert len(readers) == 1
        world.rules = RulesSettings(on_battery="run")
        disk.set()
        await world.until_told("resume")


async def test_a_slow_sensor_changes_nothing() -> None:
    """It is still on battery; and whoever went on anyway is not paused for it afterwards."""
    world = World(timeout_s=0.2)
    world.conditions = ON_BATTERY
    async with world.steward.over(world):
        await world.until_told("pause battery")
        told = len(world.told)
        world.answers.clear()
        await world.tick()
        await world.tick(40)
        assert world.told[told:] == []
        world.steward.obey(Resume())
        await world.tick()
        world.answers.set()
        await world.tick()
        assert world.told[-1] == "resume"


async def test_an_answer_that_comes_late_counts() -> None:
    """A sensor that takes longer than a look each time is heard all the same."""
    world = World(timeout_s=0.2)
    world.conditions = ON_BATTERY
    both = threading.Barrier(2)  # each answer has to be fetched
    world.wait_for_sensor = both.wait
    async with world.steward.over(world):
        assert world.told == ["set_share 1.0", "resume"]
        await asyncio.to_thread(both.wait)
        await world.until_told("pause battery", seconds=0)
        both.abort()


async def test_changed_rules_count_at_the_next_look() -> None:
    """Nobody has to join anew after a change of settings."""
    world = World()
    world.conditions = Conditions(idle_s=1.0)
    async with world.steward.over(world):
        assert world.told == [f"set_share {GENTLE_SHARE}", "resume"]
        world.rules = RulesSettings(when_in_use="pause")
        await world.tick()
        assert world.told[-1] == "pause in_use"


async def test_what_the_person_asks_for_takes_effect_at_once() -> None:
    """No sensor is waited for."""
    world = World()
    async with world.steward.over(world):
        world.steward.obey(Pause())
        assert world.told[-1] == "pause you"
        world.steward.obey(Snooze(seconds=60))
        assert world.told[-1] == f"pause snoozed {round(START_UNIX) + 60}"
        world.steward.obey(Resume())
        assert world.told[-1] == "resume"


async def test_a_snooze_ends_by_itself() -> None:
    """At the first look after its end."""
    world = World()
    async with world.steward.over(world):
        world.steward.obey(Snooze(seconds=60))
        await world.tick(59)
        assert world.told[-1].startswith("pause snoozed")
        await world.tick(1)
        assert world.told[-1] == "resume"


async def test_a_snooze_is_not_longer_where_the_clock_is_set_back() -> None:
    """Chosen while that was a day ahead; its end is told anew."""
    world = World()
    world.unix_ahead = 86_400.0
    async with world.steward.over(world):
        world.steward.obey(Snooze(seconds=60))
        world.unix_ahead = 0.0
        await world.tick(30)
        assert world.told[-1] == f"pause snoozed {round(START_UNIX) + 60}"
        await world.tick(30)
        assert world.told[-1] == "resume"


async def test_resume_takes_back_a_pause_and_leaves_the_rules_in_force() -> None:
    """The battery is still in the way, and going on anyway is a second wish."""
    world = World()
    world.conditions = ON_BATTERY
    async with world.steward.over(world):
        world.steward.obey(Pause())
        world.steward.obey(Resume())
        assert world.told[-1] == "pause battery"
        world.steward.obey(Resume())
        assert world.told[-1] == "resume"
        await world.tick()
        assert world.told[-1] == "resume"


async def test_resume_goes_on_anyway_where_only_the_rules_object() -> None:
    """Whoever says "go on" to a node that nothing but a rule holds means that rule."""
    world = World()
    world.conditions = ON_BATTERY
    async with world.steward.over(world):
        world.steward.obey(Resume())
        assert world.told[-1] == "resume"


async def test_a_pause_that_was_asked_for_while_it_loads_counts() -> None:
    """It is kept for the node that comes."""
    world = World()
    world.steward.obey(Pause())
    async with world.steward.over(world):
        assert world.told == ["pause you"]


async def test_after_the_end_nobody_is_told_anything() -> None:
    """A node that is being put away is left in peace."""
    world = World()
    async with world.steward.over(world):
        pass
    before = list(world.told)
    world.steward.obey(Pause())
    assert world.told == before


@pytest.mark.parametrize("error", [ModelError("The model is damaged."), RuntimeError("a bug")])
async def test_what_goes_wrong_in_the_node_comes_out_as_it_is(error: Exception) -> None:
    """Whoever explains errors to people gets this very one, and no group of it."""
    world = World()
    with pytest.raises(type(error)) as caught:
        async with world.steward.over(world):
            raise error
    assert caught.value is error


async def test_a_cancelled_run_ends_in_peace() -> None:
    """The leash may be let go at any moment, a sensor's answer still under way."""
    world = World()

    async def run() -> None:
        async with world.steward.over(world):
            await asyncio.Event().wait()

    async with asyncio.TaskGroup() as group:
        running = group.create_task(run())
        await world.looked.wait()
        running.cancel()
    assert running.cancelled()
