"""What Waggle takes, and what it does where a limit is set to that: whole programs, real limits."""

import os
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Generator, Iterator
from contextlib import closing, contextmanager, suppress
from dataclasses import dataclass, field, replace
from pathlib import Path

import psutil
import pytest

from core.api.events import Event, Failed, Join, Pause, Paused, Resume, RoundFinished
from core.api.models import ListModels, ModelsListed
from core.api.protocol import decode_answer
from core.ledger.history import History
from core.models.catalog.catalog import load_models
from core.models.memory.fit import judge_fit
from core.models.memory.machine import processor_machine
from core.paths import Home
from tests.memory_group import MemoryGroup, memory_group
from tests.random_homes import choose_random_model
from tests.waggle_process import ROOT, engine, furnish, running

IDLE = 350_000_000
"""Bytes that window, helper and an engine without a run may take together."""

ERROR = 0.15  # of an estimate
LOOK_S = 0.1
TIMEOUT_S = 3_000.0
QUIET = {"QT_QPA_PLATFORM": "offscreen", "DBUS_SESSION_BUS_ADDRESS": "unix:path=/nowhere/bus"}
ROLES = {"core.serve": "engine", "core.helper": "helper", "judge_process": "judge"}

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="proportional sizes are Linux's")


def resident(process: psutil.Process) -> int:
    """Bytes of memory that a process holds; what it shares with others counts in full."""
    size: int = process.memory_info().rss
    return size


@pytest.mark.slow
def test_window_helper_and_an_idle_engine_are_small(tmp_path: Path) -> None:
    """Together, with everything that they share counted in each: torch waits for a run.

    The window has shown all pages, for which it asked its helper; the engine has refused a run.
    """
    home = tmp_path / "home"
    furnish(home)
    with (home / "settings.toml").open("a", encoding="ascii") as settings:
        settings.write("[window]\nconsent = true\n")
    command = (sys.executable, "-m", "tests.benchmarks.soak_person", str(home))
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "env": {**os.environ, **QUIET}}
    with engine(tmp_path / "other") as idle, subprocess.Popen(command, cwd=ROOT, **pipes) as window:  # type: ignore[call-overload]  # noqa: S603 - our own command
        idle.say(Join(model="nothing-of-that-name"))
        idle.wait_for(Failed)
        window.stdin.write(b"look\n")
        window.stdin.flush()
        while window.stdout.readline() != b"press Home\n":
            pass
        tree = [psutil.Process(window.pid), *psutil.Process(window.pid).children(recursive=True)]
        sizes = [resident(one) for one in (*tree, psutil.Process(idle.popen.pid))]
        window.stdin.close()
        window.wait()
    sys.stdout.write(f"window, helper and idle engine: {sizes}\n")
    assert len(tree) == 2, "a window and its helper"
    assert sum(sizes) < IDLE


@dataclass(slots=True)
class Tree:
    """A window, a helper and all that they start, in a group; the most that each of them held."""

    group: MemoryGroup
    peaks: Counter[str] = field(default_factory=Counter)
    practice: int = 0  # the most that engine and judge held together

    def look(self) -> None:
        """Count what they hold now."""
        held: Counter[str] = Counter()
        for pid in self.group.members():
            with suppress(psutil.NoSuchProcess):
                one = psutil.Process(pid)
                held[self._role(one)] += resident(one)
        held["all"] = held.total()
        self.peaks |= held
        self.practice = max(self.practice, held["engine"] + held["judge"])

    def _role(self, process: psutil.Process) -> str:
        words = " ".join(process.cmdline())
        return next((role for mark, role in ROLES.items() if mark in words), "window")


@contextmanager
def starter(home: Home, group: MemoryGroup) -> Iterator[Tree]:
    """The app as it starts with the session, which begins to practise by itself.

    A window that nobody looks at needs no helper; one is there that has listed the models.
    """
    command = (sys.executable, "-m", "app.main", "--background", "--home", str(home.root))
    with (home.root / "output.txt").open("wb") as output:
        app = subprocess.Popen(  # noqa: S603 - our own command
            group.command(command), cwd=ROOT, env={**os.environ, **QUIET}, stderr=output
        )
    try:
        with running(["core.helper", "--home", str(home.root)], home.root / "helper.txt") as helper:
            group.adopt(helper.popen.pid)
            helper.say(ListModels(id=1))
            assert isinstance(decode_answer(helper.out.readline()), ModelsListed)
            yield Tree(group)
    finally:
        app.kill()
        app.wait()


def rounds_of(home: Home, model: str) -> list[RoundFinished]:
    """Those on record."""
    if not home.ledger.exists():
        return []
    with History(home.ledger, model) as history:
        return history.history()


@pytest.mark.endurance
@pytest.mark.timeout(2 * TIMEOUT_S)
@pytest.mark.parametrize(
    ("model", "limit"), [("smollm2-135m", 2_500_000_000), ("qwen2.5-0.5b", 5_000_000_000)]
)
def test_the_whole_tree_practises_within_its_limit(tmp_path: Path, model: str, limit: int) -> None:
    """In its true size, with all budgets as they are by default: nothing is killed, rounds go on.

    What engine and judge held at most is what the list of models says there, within 15 %.
    """
    home = Home(tmp_path / "home")
    furnish(home.root)
    choose_random_model(home, model)
    # Where the limit is below what it would like to take, the estimate is of what it makes do with.
    fit = judge_fit(load_models().get(model), replace(processor_machine(), memory=limit))
    with memory_group(limit) as group, starter(home, group) as tree:
        deadline = time.monotonic() + TIMEOUT_S
        while len(rounds_of(home, model)) < 2 and time.monotonic() < deadline:
            tree.look()
            time.sleep(LOOK_S)  # a size is looked at again and again: nothing tells of it
        kills = group.kills
    told = {"estimate": fit.estimate.total, "practice": tree.practice, **tree.peaks}
    sys.stdout.write(f"{model}: {told}\n")
    assert kills == 0
    assert set(tree.peaks) >= {"window", "helper", "engine", "judge"}
    assert len(rounds_of(home, model)) >= 2, (home.root / "output.txt").read_text()
    assert fit.estimate.total == pytest.approx(tree.practice, rel=ERROR)


def pressed(home: Path, left: int, *, to_the_end: bool) -> Generator[Event, None, None]:
    """What an engine says whose limit leaves it ``left`` bytes after each round.

    Up to the first trouble that it tells, or ``to_the_end``. Nothing is killed meanwhile. The
    limit is set while the engine pauses: a round that had looked how much is left before would
    still take that.
    """
    with memory_group(4_000_000_000) as group, engine(home) as process:
        group.adopt(process.popen.pid)
        process.say(Join(model="spark", solo=True))
        presses = True
        try:
            for event in process.events():
                yield event
                presses = presses and (to_the_end or not isinstance(event, Failed))
                if presses and isinstance(event, RoundFinished):
                    process.say(Pause())
                if isinstance(event, Paused):
                    group.limit(group.held + left)
                    process.say(Resume())
        finally:
            assert group.kills == 0


@pytest.mark.slow
@pytest.mark.timeout(900)
def test_where_the_limit_is_hit_it_does_less_and_says_so(tmp_path: Path) -> None:
    """A round that needs more than is left is played in smaller steps; nothing is killed."""
    with closing(pressed(tmp_path / "home", 90_000_000, to_the_end=False)) as events:
        trouble = next(event for event in events if isinstance(event, Failed))
        assert not trouble.fatal, trouble.words
        assert trouble.words.startswith("Memory is short, so Spark practises in smaller steps")
        assert any(isinstance(event, RoundFinished) for event in events), "rounds go on"


@pytest.mark.slow
@pytest.mark.timeout(900)
def test_where_nothing_is_left_to_give_up_it_ends_in_words(tmp_path: Path) -> None:
    """And not by a kill: what was learnt is safe, and what to do is said."""
    with closing(pressed(tmp_path / "home", 10_000_000, to_the_end=True)) as events:
        end = next(event for event in events if isinstance(event, Failed) and event.fatal)
    assert "ran out while Spark was being trained" in end.words
