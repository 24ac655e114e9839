"""Peak memory of training against its estimate: ``python3 dev.py bench memory``.

Measured is the resident memory of ``waggle join`` and all its children together, looked at fifty
times a second while it practises alone; below each model, the most in each phase of a round, where
the judge is a part of what the children hold. ``--random`` adds Qwen2.5 0.5B with random weights of
its true shape, which takes minutes.
"""
# ruff: noqa: T201 - a script talks to the person who runs it

import argparse
import sys
import tempfile
import time
from collections import defaultdict
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, suppress
from dataclasses import dataclass, field
from pathlib import Path
from subprocess import PIPE, Popen
from threading import Thread
from typing import IO, Final

import psutil

from core.api.events import PhaseEntered, RoundFinished, Started
from core.api.pipe import decode_event
from core.bench.job import BenchJob
from core.bench.material import LapWork, real_questions
from core.bench.racing import Racer
from core.models.catalog.catalog import ModelSpec, load_models
from core.models.memory.fit import MemoryEstimate, judge_fit
from core.models.memory.machine import machine_for, processor_machine
from core.paths import Home
from core.storage.room import size_in_words
from tests.benchmarks.racer import command_of
from tests.benchmarks.rivals import find_model

RANDOM: Final = "random-qwen2.5-0.5b"
BETWEEN_LOOKS_S: Final = 0.02


@dataclass(slots=True)
class Watch:
    """The most bytes held in each phase: by the engine, and by its children."""

    phase: str = "waking up"
    engine: defaultdict[str, int] = field(default_factory=lambda: defaultdict(int))
    children: defaultdict[str, int] = field(default_factory=lambda: defaultdict(int))
    most: int = 0  # bytes of all together, at one time

    def listen(self, out: IO[bytes]) -> None:
        """Follow the phases until the engine ends."""
        for line in out:
            event = decode_event(line)
            if isinstance(event, PhaseEntered):
                self.phase = event.phase
            elif isinstance(event, (Started, RoundFinished)):
                self.phase = "between rounds"

    def look(self, pid: int) -> None:
        """Count what a process and its children hold now."""
        phase = self.phase
        with suppress(psutil.NoSuchProcess):
            process = psutil.Process(pid)
            engine, children = process.memory_info().rss, 0
            for child in process.children(recursive=True):
                with suppress(psutil.NoSuchProcess):
                    children += child.memory_info().rss
            self.engine[phase] = max(self.engine[phase], engine)
            self.children[phase] = max(self.children[phase], children)
            self.most = max(self.most, engine + children)


def main(arguments: Sequence[str] | None = None) -> None:
    """Print one line a model, and one for each phase."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument(
        "--sampler", default="auto", choices=("auto", "torch", "llama-f16", "llama-q8_0")
    )
    parser.add_argument("--random", type=Path, metavar="FOLDER", help="keeps random models")
    parser.add_argument("models", nargs="*", default=["spark", "ember"])
    chosen = parser.parse_args(arguments)
    print(f"{'model':20}{'estimate':>10}{'measured':>10}{'error':>8}")
    for name in chosen.models:
        spec = load_models().get(name)
        estimate = judge_fit(spec, machine_for(spec)).estimate  # while nothing is running yet
        with tempfile.TemporaryDirectory() as folder:
            home = Home(Path(folder))
            home.settings.write_text(f'[compute]\nsampler = "{chosen.sampler}"\n', "utf-8")
            tell(name, estimate, watch(name, home, chosen))
    if chosen.random:
        spec = find_model(RANDOM, chosen.random)
        estimate = judge_fit(spec, processor_machine()).estimate
        tell(spec.id, estimate, watch_rounds(spec, chosen))


def watch(name: str, home: Home, chosen: argparse.Namespace) -> Watch:
    """Practise and look on."""
    options = ("--solo", "--json", "--seed", "1", "--rounds", str(chosen.rounds))
    command = [sys.executable, "-m", "core.cli.main", "join", "--model", name, *options]
    command += ["--threads", str(chosen.threads), "--home", str(home.root)]
    watched = Watch()
    with Popen(command, stdout=PIPE) as join:  # noqa: S603 - our own command
        assert join.stdout is not None
        listener = Thread(target=watched.listen, args=(join.stdout,))
        listener.start()
        while join.poll() is None:
            watched.look(join.pid)
            time.sleep(BETWEEN_LOOKS_S)
        listener.join()
    if join.returncode != 0:
        raise SystemExit(f"waggle join ended with {join.returncode}")
    return watched


def tell(name: str, estimate: MemoryEstimate, watched: Watch) -> None:
    """Print the estimate beside what was measured."""
    error = estimate.total / watched.most - 1
    print(
        f"{name:20}{size_in_words(estimate.total):>10}{size_in_words(watched.most):>10}"
        f"{error:>8.0%}  ({estimate.words})"
    )
    for phase, engine in watched.engine.items():
        children = size_in_words(watched.children[phase])
        print(f"  {phase}: engine {size_in_words(engine)}, children {children}", flush=True)


def watch_rounds(spec: ModelSpec, chosen: argparse.Namespace) -> Watch:
    """Play rounds with the real parts in a process of its own, but learn from every group.

    Random weights earn nothing, so in ``waggle join`` no group would be trained on. Nothing is
    saved here, which takes less than learning.
    """
    work = LapWork(groups=8, members=8, prompt_tokens=0, completion_tokens=spec.completion_tokens)
    sampler = "torch" if chosen.sampler == "auto" else chosen.sampler
    asked = tuple(real_questions(work.groups))
    job = BenchJob(spec, work, asked, chosen.threads, sampler=sampler)
    watched = Watch("whole rounds")
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        racer = Racer(command_of(Path(sys.executable)), "round", job, folder / "stderr")
        stack.callback(racer.close)
        pool = stack.enter_context(ThreadPoolExecutor(1))
        for _ in range(chosen.rounds):
            lap = pool.submit(racer.lap)
            while not lap.done():
                watched.look(racer.pid)
                time.sleep(BETWEEN_LOOKS_S)
            lap.result()
    return watched


if __name__ == "__main__":
    main()
