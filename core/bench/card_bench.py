"""``waggle bench gpu``: is a graphics card right, and how fast is it; ten minutes at most.

Correctness comes first, then what matters most. Every part runs in processes of its own with a
limit: a card that hangs, or runs out of memory, costs one row and not the run. ``--device cpu``
takes every step at stand-in sizes, so that all but the card is proven without one.
"""

import platform
import shutil
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, suppress
from dataclasses import dataclass, field
from functools import partial
from importlib.util import find_spec
from pathlib import Path
from typing import Final

import msgspec
import torch

from core.bench.card_report import CardCheck, CardReport, CardRow
from core.bench.contest import Contestant, Figure, Lap, OnLap, hold_contest, ignore
from core.bench.job import BenchJob, dtype_name
from core.bench.material import LapWork, questions, real_questions, usual_work
from core.bench.racing import Answer, Racer, racer_command
from core.bench.random_models import narrow
from core.models.catalog.catalog import ModelSpec, load_models
from core.models.memory.compute import Compute, machine_of, on_device
from core.models.memory.machine import processor_name
from core.models.policy.language import read_language
from core.rollouts.types import Question
from core.sampling.situation import device_name
from core.version import VERSION

MINUTES: Final = 9.5
"""For all parts together; starting and cleaning up take the rest of ten."""
ROOMY: Final = 40_000_000_000
"""Bytes of a card's memory from which on many rows are tried."""

LAPS: Final = 3
STARTER, HALF, LARGER = "spark", "qwen2.5-0.5b", "qwen2.5-1.5b"
MANY_ROWS: Final = (64, 128, 256, 512)
OURS: Final = "Waggle"
NO_TIME: Final = "no time was left"

_PART_S: Final = 90.0  # a part takes at most, whatever time is left
_FIRST_S: Final = 150.0  # and the first ones, which matter most
_LEAST_S: Final = 5.0  # below which nothing is begun
_PREFIX: Final = "bench-"
_STALE_S: Final = 3600.0  # after which no run goes on in a folder that was not touched
_GROUP: Final = 8
_WHOLE: Final = LapWork(groups=9, members=_GROUP, prompt_tokens=100, completion_tokens=128)
_STAND_IN: Final = LapWork(groups=2, members=2, prompt_tokens=12, completion_tokens=4)
_FEW: Final = (4, 8)


@dataclass(slots=True)
class Allowance:
    """The time that is left for all, and for one part of it."""

    until: float  # by ``now``
    now: Callable[[], float] = time.monotonic
    part_until: float = field(init=False, default=0.0)

    def begin(self, most_s: float) -> bool:
        """Begin a part of ``most_s`` at most; False where there is no time for any."""
        self.part_until = min(self.until, self.now() + most_s)
        return self.left() >= _LEAST_S

    def left(self) -> float:
        """Seconds of the part."""
        return max(0.0, self.part_until - self.now())


@dataclass(frozen=True, slots=True)
class CardBench:
    """One run on one device."""

    compute: Compute  # of models that are not small
    folder: Path  # for random models; goes afterwards
    allowance: Allowance
    laps: int = LAPS
    on_lap: OnLap = ignore
    command: Sequence[str] = field(default_factory=racer_command)

    @property
    def is_small(self) -> bool:
        """Stand-in sizes: no card, so nothing but the steps is to be proven."""
        return self.compute.device.type == "cpu"

    def run(self, began: float) -> CardReport:
        """Check, then measure; whatever fails becomes a row."""
        memory = _memory(self.compute)
        report = CardReport(
            device=str(self.compute.device),
            title=_title(self.compute.device),
            memory=memory,
            dtype=dtype_name(self.compute.dtype),
            versions=f"Waggle {VERSION}, torch {torch.__version__}, {platform.system()}",
            at=time.time(),
            seconds=0.0,
            is_small=self.is_small,
        )
        checks, trouble = self._check()
        rows = tuple(self._measured(memory))
        seconds = self.allowance.now() - began
        return msgspec.structs.replace(
            report, checks=checks, trouble=trouble, rows=rows, seconds=seconds
        )

    def _check(self) -> tuple[tuple[CardCheck, ...], str]:
        job = self._job(load_models().get(STARTER), _STAND_IN)
        found = self._asked("check", job, tuple[CardCheck, ...])
        return ((), found) if isinstance(found, str) else (found, "")

    def _measured(self, memory: int) -> Iterator[CardRow]:
        """Rows in the order of their weight: the time may end anywhere."""
        half = self._random(HALF)
        yield from self._build(half)
        yield from self._model(half, _STAND_IN if self.is_small else _WHOLE)
        starter = load_models().get(STARTER)
        yield from self._model(starter, _STAND_IN if self.is_small else usual_work(starter))
        if memory >= ROOMY or self.is_small:
            for rows in _FEW if self.is_small else MANY_ROWS:
                yield from self._many(half, rows)
        larger = self._random(LARGER)
        yield from self._build(larger)
        yield from self._model(larger, _STAND_IN if self.is_small else _WHOLE)

    def _build(self, spec: ModelSpec) -> Iterator[CardRow]:
        """Write a model's weights; told only where that fails."""
        found = self._asked("build", self._job(spec, _STAND_IN), Lap)
        if isinstance(found, str):
            yield CardRow(spec.id, "built", 0, OURS, trouble=found)
        else:
            self.on_lap(f"{spec.id}, built", found)

    def _asked(self, race: str, job: BenchJob, kind: type[Answer]) -> Answer | str:
        """The answer of a contestant that has one turn; or why there is none."""
        if not self.allowance.begin(_FIRST_S):
            return NO_TIME
        racer = self._racer(race, job)
        try:
            return racer.ask(kind, self.allowance.left())
        except (RuntimeError, TimeoutError) as error:
            return _last_line(error)
        finally:
            racer.close()

    def _model(self, spec: ModelSpec, work: LapWork) -> Iterator[CardRow]:
        trl = {"TRL": "trl"} if has_trl() else {}
        rival = {"transformers' generate": "generate"}
        yield from self._contest("sampling", spec, work, {OURS: "sampling", **rival})
        yield from self._contest("update", spec, work, {OURS: "update"})
        yield from self._contest("round", spec, work, {OURS: "round", **trl})

    def _many(self, spec: ModelSpec, rows: int) -> Iterator[CardRow]:
        members = min(rows, _GROUP)
        usual = _STAND_IN if self.is_small else _WHOLE
        work = msgspec.structs.replace(usual, groups=rows // members, members=members)
        yield from self._contest(f"sampling, {rows} rows", spec, work, {OURS: "sampling"})

    def _contest(
        self, what: str, spec: ModelSpec, work: LapWork, races: Mapping[str, str]
    ) -> list[CardRow]:
        """Let contestants take turns; one that cannot go on becomes a row that says why."""
        troubles: dict[str, str] = {}
        figures: dict[str, Figure] = {}
        if not (spec.folder / "config.json").exists():
            return []  # that it could not be built was told
        if self.allowance.begin(_PART_S):
            with ExitStack() as stack:
                job = self._job(spec, work, is_round=what == "round")
                started: dict[str, Contestant] = {}
                for who, race in races.items():
                    racer = self._racer(race, job)
                    stack.callback(racer.close)
                    started[who] = partial(self._lap, racer)
                figures = hold_contest(
                    started,
                    self.laps,
                    lambda who, lap: self.on_lap(f"{spec.id}, {what}, {who}", lap),
                    lambda who, error: troubles.update({who: _last_line(error)}),
                )
        else:
            troubles = dict.fromkeys(races, NO_TIME)
        count = work.groups * work.members
        return [
            CardRow(spec.id, what, count, who, figures.get(who), troubles.get(who, ""))
            for who in races
        ]

    def _lap(self, racer: Racer) -> Lap:
        return racer.ask(Lap, self.allowance.left())

    def _racer(self, race: str, job: BenchJob) -> Racer:
        return Racer(self.command, race, job, self.folder / f"{race}.stderr")

    def _random(self, name: str) -> ModelSpec:
        """A model of random weights of the true shape; where there is no card, of a narrow one."""
        spec = load_models().get(name)
        folder = self.folder / name
        random = msgspec.structs.replace(spec, folder=folder, repo=None, chat=False)
        return narrow(random) if self.is_small else random

    def _job(self, spec: ModelSpec, work: LapWork, *, is_round: bool = False) -> BenchJob:
        count = work.groups * work.members
        dtype = torch.float32 if spec.is_small else self.compute.dtype
        asked = real_questions(work.groups) if is_round else self._made_up(spec, work)
        return BenchJob(
            spec,
            work,
            tuple(asked),
            threads=1,  # the card counts; a processor has only stand-ins to do
            rows=count,
            device=str(self.compute.device),
            dtype=dtype_name(dtype),
            together=count,
        )

    def _made_up(self, spec: ModelSpec, work: LapWork) -> list[Question]:
        if not (spec.folder / "tokenizer.json").exists():  # it is about to be built
            return []
        language = read_language(spec.folder, chat=spec.chat)
        return questions(lambda text: len(language.encode_prompt(text)), work)


def bench_card(device: torch.device, cache: Path, on_lap: OnLap = ignore) -> CardReport:
    """Check and measure ``device`` within ``MINUTES``; random models lie below ``cache`` meanwhile.

    Raises:
        OSError: nothing can be written there.
    """
    began = time.monotonic()
    _sweep(cache)
    with tempfile.TemporaryDirectory(prefix=_PREFIX, dir=cache) as folder:
        allowance = Allowance(began + 60 * MINUTES)
        laps = 1 if device.type == "cpu" else LAPS
        bench = CardBench(on_device(device), Path(folder), allowance, laps, on_lap)
        return bench.run(began)


def _sweep(cache: Path) -> None:
    """Remove the gigabytes that runs left behind which were killed."""
    for folder in cache.glob(f"{_PREFIX}*"):
        with suppress(OSError):
            if time.time() - folder.stat().st_mtime > _STALE_S:
                shutil.rmtree(folder)


def has_trl() -> bool:
    """Whether TRL is installed beside Waggle."""
    return all(find_spec(name) is not None for name in ("trl", "datasets"))


def _memory(compute: Compute) -> int:
    if compute.device.type == "cuda":
        return torch.cuda.get_device_properties(compute.device).total_memory
    return machine_of(compute).memory


def _title(device: torch.device) -> str:
    return (processor_name() or "processor") if device.type == "cpu" else device_name(device)


def _last_line(error: Exception) -> str:
    """What a contestant said last, which is the reason."""
    lines = [line for line in str(error).splitlines() if line.strip()]
    return lines[-1].strip()[:300] if lines else type(error).__name__
