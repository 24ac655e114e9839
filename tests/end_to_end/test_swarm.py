"""Two nodes and a hub on one machine, as two people would run them."""

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path

import pytest

from core.api.events import RoundFinished, SwarmChanged
from tests.waggle_process import Process, hub, rounds, waggle


@contextmanager
def node(home: Path, model: str, url: str, count: int) -> Iterator[Process]:
    arguments = ("join", "--model", model, "--hub", url, "--rounds", str(count), "--json")
    with waggle(home, *arguments, "--threads", "1", "--seed", str(len(model))) as process:
        yield process


def practise_together(folder: Path, count: int) -> tuple[list[RoundFinished], ...]:
    """``count`` rounds of the slow model, and those of the quick one in the same time."""
    with (
        ThreadPoolExecutor(1) as reader,
        hub(folder / "hub") as (_, url),
        node(folder / "ember", "ember", url, count) as ember,
        node(folder / "spark", "spark", url, 10_000) as spark,
    ):
        reading = reader.submit(rounds, spark)
        slow_one = rounds(ember)
        spark.interrupt()
        fast_one = reading.result()
    assert len(slow_one) == count < len(fast_one)
    return slow_one, fast_one


@pytest.mark.slow
def test_two_models_learn_from_each_other(tmp_path: Path) -> None:
    """A Llama and a Qwen2 with different tokenizers train on each other's answers."""
    for played in practise_together(tmp_path, 12):
        assert sum(r.useful_swarm for r in played) > 0
        assert any(r.swarm_score for r in played)


@pytest.mark.endurance
@pytest.mark.timeout(1_200)
def test_what_one_shares_teaches_the_other(tmp_path: Path) -> None:
    """The slow one nearly always; the quick one as often as the slow one has a round to share."""
    slow_one, fast_one = practise_together(tmp_path, 50)
    assert sum(r.useful_swarm > 0 for r in slow_one) > 0.9 * len(slow_one)
    assert sum(r.useful_swarm > 0 for r in fast_one) >= len(slow_one)


def test_a_node_outlives_the_hub_and_comes_back_to_it(tmp_path: Path) -> None:
    """With the hub gone the node goes on alone; with the hub back it shares again by itself."""
    with hub(tmp_path / "hub") as (first, url):
        port = int(url.rsplit(":", 1)[1])
        with node(tmp_path / "spark", "spark", url, 10_000) as spark:
            spark.wait_for(SwarmChanged, lambda e: e.reachable)
            first.kill()
            spark.wait_for(SwarmChanged, lambda e: not e.reachable)
            alone = spark.wait_for(RoundFinished)
            assert alone.useful_local > 0
            with hub(tmp_path / "hub", port):
                spark.wait_for(SwarmChanged, lambda e: e.reachable)
                spark.interrupt()
                assert spark.wait() == 0
