"""The engine process behind the window."""

import os
import sys
from pathlib import Path

import psutil
import pytest

from core.api.events import (
    Failed,
    Finish,
    Join,
    Loading,
    Pause,
    Paused,
    PhaseEntered,
    Resume,
    Resumed,
    RoundFinished,
    Started,
    Stop,
    Stopped,
)
from core.children import NICENESS
from tests.waggle_process import engine

AFTER_OTHERS = psutil.BELOW_NORMAL_PRIORITY_CLASS if sys.platform == "win32" else NICENESS
JOIN = Join(model="spark", solo=True)


def test_a_window_can_join_pause_resume_and_finish(tmp_path: Path) -> None:
    """Every command is answered by its event, and the next process knows the history."""
    with engine(tmp_path) as process:
        process.say(JOIN)
        process.wait_for(Loading)
        assert process.wait_for(Started).round == 0
        process.wait_for(RoundFinished)
        process.say(Pause())
        process.wait_for(Paused)
        process.say(Resume())
        process.wait_for(Resumed)
        process.say(Finish())
        done = process.wait_for(Stopped).round
        assert done >= 2
    with engine(tmp_path) as process:
        process.say(JOIN)
        again = process.wait_for(Started)
        assert [point.round for point in again.history] == list(range(1, done + 1))


@pytest.mark.slow
def test_others_have_the_processor_first(tmp_path: Path) -> None:
    """All of the engine makes way for whoever is at the computer: its judge, too."""
    with engine(tmp_path) as process:
        process.say(JOIN)
        process.wait_for(Started)
        engines = [psutil.Process(process.popen.pid), *process.children()]
        assert len(engines) > 1
        assert {one.nice() for one in engines} == {AFTER_OTHERS}
        if sys.platform == "linux":  # where each thread has a place of its own
            threads = [thread.id for one in engines for thread in one.threads()]
            assert {os.getpriority(os.PRIO_PROCESS, thread) for thread in threads} == {NICENESS}


@pytest.mark.slow
def test_stop_drops_the_round(tmp_path: Path) -> None:
    """Stop is answered in the middle of a round; the last finished one counts."""
    with engine(tmp_path, "--every-phase") as process:
        process.say(JOIN)
        process.wait_for(PhaseEntered, lambda e: (e.round, e.phase) == (2, "sampling"))
        process.say(Stop())
        assert process.wait_for(Stopped).round == 1


@pytest.mark.slow
def test_the_end_of_stdin_is_the_leash(tmp_path: Path) -> None:
    """When the window dies, the engine says goodbye and ends by itself."""
    with engine(tmp_path) as process:
        process.say(JOIN)
        process.wait_for(RoundFinished)
        process.let_go()
        process.wait_for(Stopped)
        assert process.wait() == 0


@pytest.mark.slow
def test_neither_garbage_nor_a_second_engine_ends_one(tmp_path: Path) -> None:
    """The second is told in words that it cannot be."""
    with engine(tmp_path) as process:
        assert process.popen.stdin is not None
        process.popen.stdin.write(b"this is no command\n")
        process.say(JOIN)
        process.wait_for(Started)
        with engine(tmp_path) as second:
            second.say(JOIN)
            assert "already running" in second.wait_for(Failed).words
        process.wait_for(RoundFinished)
