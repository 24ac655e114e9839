"""The run over all parts, with contestants that only pretend to work."""

import os
import sys
from pathlib import Path

import pytest
import torch

from core.bench import card_bench
from core.bench.card_bench import Allowance, CardBench, bench_card
from core.bench.card_report import CardReport
from core.models.memory.compute import ON_CPU

CONTESTANT = """
import json, pathlib, sys
name, job = sys.argv[1], json.loads(sys.argv[2])
for _ in sys.stdin:
    if name == BROKEN:
        sys.exit("no kernel")
    if name == "check":
        answer = [dict(precision="float32", what="gradient", found=0.0, most=1.0, passed=True)]
    else:
        answer = dict(seconds=2.0, work=6.0, peak_mb=1.0)
    if name == "build":
        folder = pathlib.Path(job["spec"]["folder"])
        folder.mkdir()
        (folder / "config.json").touch()
    if name == "update":
        sys.exit("CUDA out of memory")
    print(json.dumps(answer), flush=True)
"""


def run(folder: Path, broken: str = "", seconds: float = 600.0) -> CardReport:
    """All parts within so many seconds, of which each look at the clock takes none."""
    script = CONTESTANT.replace("BROKEN", repr(broken))
    allowance = Allowance(seconds, now=lambda: 0.0)
    command = (sys.executable, "-c", script)
    return CardBench(ON_CPU, folder, allowance, laps=1, command=command).run(0.0)


def test_a_part_that_fails_costs_its_own_row(tmp_path: Path) -> None:
    """Out of memory in every update; all else is measured, the checks first."""
    report = run(tmp_path)
    assert report.passed
    troubles = {row.trouble for row in report.rows if row.what == "update"}
    assert troubles == {"update died: CUDA out of memory"}
    assert all(row.figure for row in report.rows if row.what != "update")
    assert {row.model for row in report.rows} == {"spark", "qwen2.5-0.5b", "qwen2.5-1.5b"}
    assert {"Waggle", "transformers' generate"} <= {row.who for row in report.rows}


@pytest.mark.parametrize("broken", ["check", "build"])
def test_without_what_others_rest_on_the_rest_is_done(tmp_path: Path, broken: str) -> None:
    """A card that cannot be checked is measured; without a model's weights, other models are."""
    report = run(tmp_path, broken)
    if broken == "check":
        assert (report.passed, report.trouble) == (False, "check died: no kernel")
        return
    built = [row for row in report.rows if row.what == "built"]
    assert [row.trouble for row in built] == ["build died: no kernel"] * 2
    assert {row.model for row in report.rows if row.figure} == {"spark"}


def test_when_time_is_over_the_rest_says_so(tmp_path: Path) -> None:
    """Nothing is begun that could not end."""
    report = run(tmp_path, seconds=4.0)
    assert report.trouble == "no time was left"
    assert {row.trouble for row in report.rows} == {"no time was left"}


def test_what_a_killed_run_left_is_removed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Gigabytes of random models; those of a run that may still go on stay."""
    monkeypatch.setattr(card_bench, "MINUTES", 0)
    left, busy = tmp_path / "bench-left", tmp_path / "bench-busy"
    for folder in (left, busy):
        folder.mkdir()
        (folder / "model.safetensors").touch()
    os.utime(left, (0, 0))
    bench_card(torch.device("cpu"), tmp_path)
    assert list(tmp_path.iterdir()) == [busy]


def test_a_part_takes_no_more_than_its_share() -> None:
    """Nor more than there is."""
    clock = [100.0]
    allowance = Allowance(200.0, now=lambda: clock[0])
    assert allowance.begin(90.0)
    assert allowance.left() == 90.0
    clock[0] = 150.0
    assert allowance.begin(90.0)
    assert allowance.left() == 50.0
    clock[0] = 199.0
    assert not allowance.begin(90.0)
