"""How a scorer's judge begins, is replaced, and ends; never without the engine knowing why."""

import asyncio
import subprocess
import sys
import tempfile
from pathlib import Path

import psutil
import pytest

from core.errors import RulesetError, ScorerError
from core.tasks.scorer import IsolatedScorer, JudgeTimeouts
from tests.core.tasks.evil_judge import (
    BUGGY,
    EVIL_CATALOG,
    ROOT,
    evil_keys,
)
from tests.core.tasks.evil_scorer import (
    QUICK,
    evil_scorer,
    group_of,
    judge_processes,
    rewards_of,
)


async def test_a_fresh_judge_takes_over_before_processor_time_is_up() -> None:
    """After its share of work a judge is replaced, unnoticed by the caller."""
    async with evil_scorer(timeouts=JudgeTimeouts(busy_s=0.0)) as scorer:
        assert len(judge_processes()) == 1
        await scorer.ask(evil_keys([0]))
        assert judge_processes() == []
        assert await rewards_of(scorer, "right") == (1.0,)


async def test_what_a_judge_refuses_takes_its_time_too() -> None:
    """However many unmakeable puzzles strangers name, it is replaced before its time is up."""
    async with evil_scorer(timeouts=JudgeTimeouts(busy_s=0.0)) as scorer:
        assert await scorer.judge([group_of(evil_keys([BUGGY])[0], ["right"])]) == []
        assert judge_processes() == []


@pytest.mark.parametrize(
    ("mood", "error", "words"),
    [
        ("other release", RulesetError, "Install the right one"),
        ("broken", ScorerError, "ImportError: no such library"),
        ("stillborn", ScorerError, "ended 5 times"),
        ("dumb", ScorerError, "ended 5 times"),
    ],
)
async def test_a_judge_that_cannot_start_is_explained(
    mood: str, error: type[Exception], words: str
) -> None:
    """Wrong library, broken installation, death or silence at start: one sentence each."""
    timeouts = JudgeTimeouts(start_s=0.3) if mood == "dumb" else QUICK
    async with evil_scorer(mood, timeouts) as scorer:
        with pytest.raises(error, match=words):
            await scorer.ask(evil_keys([0]))
        with pytest.raises(error, match=words):
            await scorer.confinement()


async def test_a_program_that_is_not_there_is_explained() -> None:
    """A system that starts no process raises ScorerError."""
    scorer = IsolatedScorer(EVIL_CATALOG, command=["/nowhere/python"])
    with pytest.raises(ScorerError, match="cannot be started"):
        await scorer.start()
    await scorer.close()


async def test_a_full_disk_for_temporary_files_is_explained(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """The judge's empty folder needs a place, too."""
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path / "gone"))
    scorer = IsolatedScorer(EVIL_CATALOG)
    with pytest.raises(ScorerError, match="temporary folder"):
        await scorer.start()
    await scorer.close()


async def test_starting_does_not_wait_for_the_puzzles() -> None:
    """``start`` returns while the judge still loads, here one that never gets ready."""
    async with asyncio.timeout(5), evil_scorer("dumb"):
        assert len(judge_processes()) == 1


async def test_closing_leaves_no_orphan() -> None:
    """Even a judge in the midst of hanging is gone after ``close``; the request fails in words."""
    scorer = evil_scorer(timeouts=JudgeTimeouts(answer_s=100.0))
    await scorer.ask(evil_keys([0]))
    hanging = asyncio.gather(rewards_of(scorer, "hang"), return_exceptions=True)
    await asyncio.sleep(0)
    await scorer.close()
    (outcome,) = await hanging
    assert isinstance(outcome, ScorerError)
    assert judge_processes() == []
    with pytest.raises(ScorerError, match="closed"):
        await scorer.start()


@pytest.mark.skipif(sys.platform != "linux", reason="elsewhere it ends when its input does")
def test_the_judge_dies_with_an_engine_that_is_killed() -> None:
    """SIGKILL of the engine while an answer hangs: no judge is left over."""
    program = """
import asyncio, psutil
from core.tasks.scorer import IsolatedScorer, JudgeTimeouts
from tests.core.tasks.evil_scorer import (
    PROMPT,
    QUICK,
    evil_scorer,
    group_of,
    judge_processes,
    rewards_of,
)
from tests.core.tasks.evil_judge import EVIL_CATALOG, evil_command, evil_keys
from tests.core.tasks.evil_scorer import rewards_of
async def main():
    timeouts = JudgeTimeouts(answer_s=100.0)
    async with IsolatedScorer(EVIL_CATALOG, timeouts=timeouts, command=evil_command()) as scorer:
        await scorer.ask(evil_keys([0]))
        print(psutil.Process().children()[0].pid, flush=True)
        await rewards_of(scorer, "sulk")
asyncio.run(main())
"""
    with subprocess.Popen(  # noqa: S603 - a program of this test
        [sys.executable, "-c", program], cwd=ROOT, stdout=subprocess.PIPE, text=True
    ) as engine:
        assert engine.stdout is not None
        judge = psutil.Process(int(engine.stdout.readline()))
        engine.kill()
    psutil.wait_procs([judge], timeout=10)
    assert not judge.is_running()
