"""Phases that pass too fast to be read."""

import asyncio

import pytest

from core.api.events import Event, Failed, PauseAhead, PhaseEntered, SwarmChanged
from core.engine.debounce import LastingPhases

SAMPLING = PhaseEntered(round=1, phase="sampling")
RESTING = PhaseEntered(round=1, phase="resting")
LEARNING = PhaseEntered(round=1, phase="learning")
ALONE = SwarmChanged(reachable=False, peers=0, words="")
BROKEN = Failed(words="It broke.", fatal=True)


@pytest.fixture
def told() -> list[Event]:
    """What came through."""
    return []


async def test_a_phase_that_lasts_is_told_once(told: list[Event]) -> None:
    """And what comes then does not take it back."""
    tell = LastingPhases(told.append, lasting_s=0)
    tell(SAMPLING)
    assert not told
    await until_timers_ran()
    tell(BROKEN)
    await until_timers_ran()
    assert told == [SAMPLING, BROKEN]


@pytest.mark.parametrize("end", [LEARNING, BROKEN], ids=["another phase", "another event"])
async def test_a_phase_that_is_over_is_not_told(told: list[Event], end: Event) -> None:
    """Not even late, after what followed it."""
    tell = LastingPhases(told.append, lasting_s=0)
    tell(SAMPLING)
    tell(end)
    await until_timers_ran()
    assert told == [end]


@pytest.mark.parametrize("aside", [ALONE, PauseAhead(reason="battery")], ids=["swarm", "pause"])
async def test_what_is_said_in_a_phase_does_not_end_it(told: list[Event], aside: Event) -> None:
    """Whoever comes or goes while it samples and whatever follows, it samples on."""
    tell = LastingPhases(told.append, lasting_s=0)
    tell(SAMPLING)
    tell(aside)
    await until_timers_ran()
    assert told == [aside, SAMPLING]


async def test_a_phase_that_was_told_does_not_outlive_itself(told: list[Event]) -> None:
    """Whatever follows it is told, and what follows that has to last again."""
    tell = LastingPhases(told.append, lasting_s=0)
    tell(RESTING)
    await until_timers_ran()
    tell(SAMPLING)
    tell(LEARNING)
    tell(BROKEN)
    await until_timers_ran()
    assert told == [RESTING, SAMPLING, BROKEN]


async def test_a_phase_that_was_told_at_once_may_last(told: list[Event]) -> None:
    """It is told once, and what follows it at once, too."""
    tell = LastingPhases(told.append, lasting_s=0)
    for phase in (RESTING, SAMPLING):
        tell(phase)
        await until_timers_ran()
    tell(LEARNING)
    assert told == [RESTING, SAMPLING, LEARNING]


async def until_timers_ran() -> None:
    """Those that were due when this was called."""
    done = asyncio.Event()
    asyncio.get_running_loop().call_later(0, done.set)
    await done.wait()
