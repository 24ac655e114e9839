"""Kill -9 at any moment: at most the running round is repeated, and no file is corrupt.

A moment is drawn from a seeded generator: a phase of a round, or the first sign of a file, and how
far into it the node may get. The test waits for the event or the file and then spins for that
fraction of what the phase took in an undisturbed run; it asserts nothing about time, so on a busy
machine the kill lands elsewhere and everything asserted has to hold there, too.
"""

import importlib.util
import shutil
import sqlite3
import time
from collections import defaultdict
from dataclasses import dataclass
from pathlib import Path
from random import Random
from statistics import median

import pytest
from safetensors.torch import load_file

from core.api.events import Event, Loading, PhaseEntered, RoundFinished, Started
from core.api.pipe import decode_event
from core.training.checkpoints import CheckpointStore
from tests.waggle_process import Process, rounds, rounds_on_record, waggle

MODEL = "spark"
JOIN = ("join", "--solo", "--model", MODEL, "--seed", "3", "--threads", "1", "--json")
HAS_LLAMA = importlib.util.find_spec("llama_cpp") is not None
MOST_FILES = "llama-q8_0" if HAS_LLAMA else "torch"  # makes a copy of the model, and adapters
SAMPLERS = [
    "torch",
    pytest.param(
        "llama-q8_0", marks=pytest.mark.skipif(not HAS_LLAMA, reason="llama.cpp is not installed")
    ),
]
LOADING = "loading"
FIRST_USE = "first use"  # llama.cpp's copy of the model is made again
SPOTS = ("learning", "saving", "sampling", LOADING, "judging", "saving", "saving", "sampling")
QUICK = 5
EXPORTS = 4
EXPORT_S = 0.03  # what writing a draft takes, roughly
MANY = 50
MOST_DRAFTS = 1


@dataclass(frozen=True, slots=True)
class Moment:
    """When to kill."""

    spot: str  # a phase, or one of those above
    fraction: float  # of what the spot usually takes
    undisturbed: int  # rounds that may be finished first


def moments(sampler: str, count: int) -> list[Moment]:
    """``count`` moments, of which the first ones cover every spot."""
    rng = Random(count)
    spots = list(dict.fromkeys(SPOTS if sampler == "torch" else (FIRST_USE, *SPOTS)))
    drawn = (spots + [rng.choice(spots + list(SPOTS)) for _ in range(count)])[:count]
    # Squared: what is risky, such as an adapter's swap, comes early in a phase.
    return [Moment(spot, rng.random() ** 2, rng.randrange(2)) for spot in drawn]


class Life:
    """A node that is killed again and again, and what it said about its rounds."""

    def __init__(self, home: Path, usual: dict[str, float]) -> None:
        self.home = home
        self._usual = usual
        self._told = 0  # the last round that it said was finished
        self._saving = 0  # the last round that it began to save

    def live_until(self, moment: Moment) -> None:
        """Start it, check where it goes on, and kill it."""
        if moment.spot == FIRST_USE:
            shutil.rmtree(self.home / "cache", ignore_errors=True)
        with waggle(self.home, *JOIN) as process:
            at = self._wait(process, moment)
            until = time.perf_counter() + moment.fraction * self._usual[at]
            while time.perf_counter() < until:
                pass
            process.kill()
            for line in process.out.readlines():  # what it had said before it died
                if line.endswith(b"\n"):
                    self._hear(decode_event(line))

    def _wait(self, process: Process, moment: Moment) -> str:
        """Wait for the spot of ``moment``; returns the phase that begins there."""
        left = moment.undisturbed
        for event in process.events():
            self._hear(event)
            if isinstance(event, Loading) and moment.spot in (LOADING, FIRST_USE):
                return LOADING
            if isinstance(event, RoundFinished):
                left -= 1
            if isinstance(event, PhaseEntered) and event.phase == moment.spot and left <= 0:
                return event.phase
        raise AssertionError(f"it ended by itself: {process.errors()}")

    def _hear(self, event: Event) -> None:
        """At most the running round is repeated, and only a saved one is skipped."""
        if isinstance(event, Started):
            assert self._told <= event.round <= max(self._told, self._saving)
            self._told = event.round
        elif isinstance(event, PhaseEntered):
            assert event.round == self._told + 1
            self._saving = event.round if event.phase == "saving" else self._saving
        elif isinstance(event, RoundFinished):
            assert event.round == self._told + 1
            self._told = event.round

    def check_files(self, scratch: Path) -> None:
        """Everything that has its final name is whole, and little else lies about."""
        for path in (self.home / "checkpoints" / MODEL).glob("*.safetensors"):
            alone = scratch / "alone"
            alone.mkdir()
            shutil.copy(path, alone)
            assert CheckpointStore(alone).newest() is not None
            shutil.rmtree(alone)
        for path in self.home.rglob("*.gguf"):
            read_gguf(path)
        if (self.home / "ledger.sqlite").exists():
            database = sqlite3.connect(self.home / "ledger.sqlite")
            assert database.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
            database.close()
        for folder in (self.home, self.home / "checkpoints" / MODEL, self.home / "cache"):
            assert len(list(folder.glob("*.draft"))) <= MOST_DRAFTS


def read_gguf(path: Path) -> None:
    """Read every tensor of a GGUF file; a truncated one cannot be mapped."""
    from gguf import GGUFReader

    assert GGUFReader(path).tensors


def undisturbed(home: Path, count: int) -> dict[str, float]:
    """Play ``count`` rounds; returns what loading and each phase took: medians."""
    spans: defaultdict[str, list[float]] = defaultdict(list)
    with waggle(home, *JOIN, "--rounds", str(count)) as process:
        now, began = LOADING, time.perf_counter()
        for event in process.events():
            if isinstance(event, (PhaseEntered, RoundFinished, Started)):
                spans[now].append(time.perf_counter() - began)
                now = event.phase if isinstance(event, PhaseEntered) else "between"
                began = time.perf_counter()
    return {phase: median(seconds) for phase, seconds in spans.items()}


def choose(sampler: str, home: Path) -> Path:
    """A home that insists on ``sampler``."""
    home.mkdir()
    (home / "settings.toml").write_text(f'[compute]\nsampler = "{sampler}"\n[swarm]\nlan = false\n')
    return home


def kill_again_and_again(sampler: str, count: int, folder: Path) -> None:
    """Kill ``count`` times; then the record equals that of a run that nobody disturbed."""
    whole = choose(sampler, folder / "whole")
    life = Life(choose(sampler, folder / "cut"), undisturbed(whole, count))
    for moment in moments(sampler, count):
        life.live_until(moment)
        life.check_files(folder)
    with waggle(life.home, *JOIN, "--rounds", "2") as process:
        last = rounds(process)[-1].round
        assert process.wait() == 0
    assert not list(life.home.rglob("*.draft"))
    if last > count:
        undisturbed(whole, last - count)
    found = rounds_on_record(life.home)
    assert [r.round for r in found] == list(range(1, last + 1))
    assert found == rounds_on_record(whole)[:last]


@pytest.mark.slow
def test_a_node_outlives_being_killed(tmp_path: Path) -> None:
    """While it makes its copy of the model, learns, saves, samples and loads."""
    kill_again_and_again(MOST_FILES, QUICK, tmp_path)


@pytest.mark.endurance
@pytest.mark.timeout(2_400)
@pytest.mark.parametrize("sampler", SAMPLERS)
def test_a_node_outlives_being_killed_fifty_times(sampler: str, tmp_path: Path) -> None:
    """At random moments of loading, sampling, judging, learning and saving."""
    kill_again_and_again(sampler, MANY, tmp_path)


@pytest.mark.endurance
@pytest.mark.parametrize("form", ["gguf", "merged", "peft"])
def test_a_killed_export_leaves_nothing_half_done(form: str, tmp_path: Path) -> None:
    """The final name belongs to a whole export or to nothing, and the next one is not in its way.

    The moments are counted from the first sign of a draft; one that comes too late finds a whole
    export, which is replaced. A draft that is left has a name by which the person knows it.
    """
    home, out = tmp_path / "home", tmp_path / "away" / form
    command = ("export", "--model", MODEL, "--to", form, "--out", str(out), "--force")
    rng = Random(form)
    for _ in range(EXPORTS):
        with waggle(home, *command) as process:
            while process.popen.poll() is None and not list(out.parent.glob("*.draft")):
                pass
            until = time.perf_counter() + EXPORT_S * rng.random()
            while time.perf_counter() < until:
                pass
            process.kill()
        check_export(out)
        for left in out.parent.glob(f"{form}.*.draft"):
            shutil.rmtree(left)
    with waggle(home, *command) as process:
        assert process.wait() == 0, process.errors()
    check_export(out)
    assert [path.name for path in out.parent.iterdir()] == [form]


def check_export(out: Path) -> None:
    """Read every tensor in ``out``, if there is one."""
    if out.is_file():
        read_gguf(out)
    elif out.exists():
        assert (out / "config.json").exists() or (out / "adapter_config.json").exists()
        (weights,) = out.glob("*.safetensors")
        assert load_file(weights)
