"""How quick the isolated judge is: ``python tests/benchmarks/bench_judge.py``.

Targets: ready at most 3 s after the start, which itself holds nobody up; at most 0.15 ms per judged
answer at the median, in batches of 64.
"""

import asyncio
import statistics
import sys
import time
from pathlib import Path

import psutil

sys.path.append(str(Path(__file__).resolve().parents[2]))  # so that it runs as a script

from core.rollouts.types import (
    Completion,
    ModelId,
    PeerId,
    PuzzleKey,
    Question,
    RolloutGroup,
    TaskId,
)
from core.tasks.catalog import load_catalog
from core.tasks.scorer import IsolatedScorer

GROUP = 8
BATCH = 8  # groups
ROUNDS = 50


def groups_of(questions: list[Question], round_number: int) -> list[RolloutGroup]:
    """A batch of groups whose answers are all different."""
    texts = [str(round_number * GROUP + n) for n in range(GROUP)]
    completions = tuple(Completion(text, ended=True) for text in texts)
    return [
        RolloutGroup(q.key, q.digest, PeerId("c" * 64), ModelId("spark"), 1, completions)
        for q in questions
    ]


async def measure() -> None:
    catalog = load_catalog()
    began = time.perf_counter()
    async with IsolatedScorer(catalog) as scorer:
        started = time.perf_counter() - began
        confinement = await scorer.confinement()
        ready = time.perf_counter() - began
        for level in (1, 2, 3):
            await measure_level(scorer, [task.id for task in catalog.tasks], level)
        memory = psutil.Process().children()[0].memory_info().rss / 2**20
    say(f"start returns after {started * 1000:.1f} ms, judge ready after {ready:.2f} s")
    say(f"judge takes {memory:.0f} MB")
    say(confinement.in_words())


async def measure_level(scorer: IsolatedScorer, tasks: list[TaskId], level: int) -> None:
    """Ask new puzzles of all tasks in turn, and judge a batch of answers to them."""
    asked, judged = [], []
    for number in range(ROUNDS):
        keys = [
            PuzzleKey(tasks[(number * BATCH + n) % len(tasks)], level, number * BATCH + n, 0)
            for n in range(BATCH)
        ]
        began = time.perf_counter()
        questions = await scorer.ask(keys)
        middle = time.perf_counter()
        await scorer.judge(groups_of(questions, number))
        asked.append((middle - began) * 1000 / BATCH)
        judged.append((time.perf_counter() - middle) * 1000 / (BATCH * GROUP))
    say(f"level {level}: question {quantiles(asked)}; judged answer {quantiles(judged)}")


def quantiles(times: list[float]) -> str:
    """Median and 95th percentile of milliseconds, in words."""
    return f"p50 {statistics.median(times):.3f} ms, p95 {statistics.quantiles(times, n=20)[-1]:.3f}"


def say(line: str) -> None:
    sys.stdout.write(line + "\n")


if __name__ == "__main__":
    asyncio.run(measure())
