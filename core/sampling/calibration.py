"""Which sampler is the fastest for a model on this machine: measured once, and remembered.

No rule of thumb decides: large batches in bfloat16 favour torch where the processor multiplies it,
llama.cpp's quantised weights win on others. Each candidate decodes a short and a longer probe; the
line through both predicts a whole round, so that a model of any size is judged in seconds.
"""

import logging
import math
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Final

import msgspec
from msgspec import Meta

from core.errors import HomeError
from core.sampling.llama_trial import SamplerTrial
from core.storage.files import replace_file

SHORT_PROBE: Final = 2
LONG_PROBE: Final = 10
"""Tokens that each sequence of a probe grows by."""

BUDGET_S: Final = 1.0
"""After which a candidate is not measured once more."""

MOST_REPEATS: Final = 3

_log = logging.getLogger(__name__)

Probe = Callable[[int], object]
"""Complete the probe's questions by so many tokens each."""


class Verdict(msgspec.Struct, frozen=True):
    """Measurements of the samplers of one model on one machine."""

    situation: str  # hardware, versions and weights; another situation asks for another trial
    seconds: dict[str, float]  # candidate -> predicted seconds for a round's sampling
    chosen: str  # the candidate to use; real rounds may correct it (``rivals``)
    rivals: tuple[str, ...] | None = None  # still to be compared with it; None: all that come close
    won: int = 0  # comparisons that the first of them won
    lost: int = 0
    drawn: int = 0


class KeptTrial(msgspec.Struct, frozen=True):
    """The trial of llama.cpp on one file, and the situation that it holds for."""

    situation: str
    trial: SamplerTrial


class PrecisionTrial(msgspec.Struct, frozen=True):
    """Whether half precision suits a model on a device, and the situation that it holds for."""

    situation: str
    trouble: str  # for the log; empty: it does


class _Page(msgspec.Struct, frozen=True):
    """The content of the file."""

    verdicts: Annotated[dict[str, Verdict], Meta(max_length=1_000)] = {}
    trials: Annotated[dict[str, KeptTrial], Meta(max_length=3_000)] = {}
    precisions: Annotated[dict[str, PrecisionTrial], Meta(max_length=1_000)] = {}


@dataclass(frozen=True, slots=True)
class CalibrationStore:
    """Measurements of samplers on this machine; a damaged file only costs another trial."""

    path: Path

    def verdict(self, model: str, situation: str) -> Verdict | None:
        """The verdict on ``model``, unless hardware, versions or weights have changed since."""
        found = self._read().verdicts.get(model)
        return found if found is not None and found.situation == situation else None

    def chosen(self) -> dict[str, str]:
        """The fastest sampler of each model, as last measured."""
        return {model: verdict.chosen for model, verdict in self._read().verdicts.items()}

    def trial(self, name: str, situation: str) -> SamplerTrial | None:
        """The trial of the file ``name``, unless hardware, versions or weights changed since."""
        found = self._read().trials.get(name)
        return found.trial if found is not None and found.situation == situation else None

    def precision(self, model: str, situation: str) -> PrecisionTrial | None:
        """The trial of half precision for ``model``, unless device, torch or weights changed."""
        found = self._read().precisions.get(model)
        return found if found is not None and found.situation == situation else None

    def note(self, name: str, found: Verdict | KeptTrial | PrecisionTrial) -> None:
        """Remember what was ``found`` of ``name``; where the disk refuses, it is found again."""
        page = self._read()
        match found:
            case Verdict():
                page.verdicts[name] = found
            case KeptTrial():
                page.trials[name] = found
            case PrecisionTrial():
                page.precisions[name] = found
        try:
            replace_file(self.path, msgspec.json.encode(page))
        except HomeError as error:
            _log.warning("What was found of %s will have to be found again: %s", name, error)

    def _read(self) -> _Page:
        try:
            return msgspec.json.decode(self.path.read_bytes(), type=_Page)
        except FileNotFoundError:
            return _Page()
        except (OSError, UnicodeDecodeError, RecursionError, msgspec.MsgspecError) as error:
            _log.warning("Measuring samplers again, %s cannot be read: %s", self.path, error)
            return _Page()


def predict(probe: Probe, tokens: int, now: Callable[[], float] = time.perf_counter) -> float:
    """Seconds that completing by ``tokens`` takes, from a short and a longer probe.

    The first run warms up caches and is not counted; of several the quickest is, since a busy
    neighbour can only slow a run down.
    """
    probe(SHORT_PROBE)
    began = now()
    short = long = math.inf
    for _ in range(MOST_REPEATS):
        short = min(short, _timed(probe, SHORT_PROBE, now))
        long = min(long, _timed(probe, LONG_PROBE, now))
        if now() - began > BUDGET_S and long > short:  # else a neighbour was in the way
            break
    per_token = max(0.0, long - short) / (LONG_PROBE - SHORT_PROBE)
    return short + per_token * (tokens - SHORT_PROBE)


def fastest(seconds: Mapping[str, float], preference: Sequence[str]) -> str:
    """The quickest candidate; of equal ones, or where none was measured, ``preference``'s first.

    Raises:
        ValueError: there are no candidates.
    """
    return min(preference, key=lambda name: seconds.get(name, math.inf))


def _timed(probe: Probe, tokens: int, now: Callable[[], float]) -> float:
    began = now()
    probe(tokens)
    return now() - began
