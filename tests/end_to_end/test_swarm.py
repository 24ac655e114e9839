"""Two nodes and a hub on one machine, as two people would run them."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from core.engine.events import RoundFinished, SwarmChanged
from tests.waggle_process import Process, hub, rounds, waggle


@contextmanager
def node(home: Path, model: str, url: str, count: int) -> Iterator[Process]:
    arguments = ("join", "--model", model, "--hub", url, "--rounds", str(count), "--json")
    with waggle(home, *arguments, "--threads", "1", "--seed", str(len(model))) as process:
        yield process


@pytest.mark.parametrize(
    "count", [10, pytest.param(50, marks=[pytest.mark.slow, pytest.mark.timeout(1_200)])]
)
def test_two_models_learn_from_each_other(tmp_path: Path, count: int) -> None:
    """A Llama and a Qwen2 with different tokenizers train on each other's answers, most rounds."""
    with (
        hub(tmp_path / "hub") as (_, url),
        node(tmp_path / "spark", "spark", url, count) as spark,
        node(tmp_path / "ember", "ember", url, count) as ember,
    ):
        slow_one = rounds(ember)
        fast_one = rounds(spark)
    for played in (fast_one, slow_one):
        assert len(played) == count
        # The first and the last rounds may have nobody to meet: one starts before the other.
        assert sum(r.useful_swarm > 0 for r in played) > count / 2


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
