"""Tries half precision out on a device that has no bfloat16, at the first use of a model.

float16 ends at 65,504. Some models' activations go beyond, and what comes of it is no number, or
nonsense, depending on the device's kernels. So a model's likeliest answers there are held against
those of the processor in float32; where they differ, the device works in float32 as well. What was
found is remembered until device, torch or weights change.
"""

import hashlib
import logging
from collections.abc import Callable
from dataclasses import replace
from typing import Final

import msgspec
import torch

from core.errors import MemoryShortError, ModelError
from core.i18n import translatable
from core.models.catalog.catalog import ModelSpec
from core.models.memory.budget import free_leftovers, is_out_of_memory
from core.models.memory.compute import ON_CPU, Compute, choose_compute, machine_of
from core.models.memory.fit import Rounds, judge_fit
from core.models.memory.free import free_memory
from core.models.policy.loading import load_policy, model_fingerprint
from core.paths import Home
from core.rollouts.types import PuzzleKey, Question, SampledTokens, TaskId
from core.sampling.agreement import compare, likeliest
from core.sampling.calibration import CalibrationStore, PrecisionTrial
from core.sampling.situation import device_name
from core.settings import DeviceChoice

WORST: Final = 0.25
"""Nats by which rounding to half precision may move a token's log-probability: many times what was
seen (tests/benchmarks/RESULTS.md), and far less than an overflow makes of it."""

TRIAL_TOKENS: Final = 16
_FLOAT32: Final = 4
_ROOM: Final = 1.3  # times the weights: what reading two short questions takes beside them
_ASKED: Final = tuple(
    Question(PuzzleKey(TaskId("precision"), 1, 0, index), text)
    for index, text in enumerate(
        (
            "Calculate 17 + 25 - 8. Answer with the number alone.",
            "How many letters are there in the word honeycomb? Answer with the number alone.",
        )
    )
)

_log = logging.getLogger(__name__)


def compute_for(
    spec: ModelSpec,
    wish: DeviceChoice,
    home: Home,
    tell: Callable[[str], None] = lambda _: None,
    rounds: Rounds | None = None,
) -> Compute:
    """The device of ``wish`` for ``spec``, in the precision that suits both.

    Weights are quantised where the model could not be trained in ``rounds`` otherwise.

    Blocking; where half precision is to be tried out, as long as loading the model twice. ``tell``
    is told of that in words.

    Raises:
        UsageError: there is no such device here.
        ModelError: files of the model are missing or damaged.
    """
    compute = _quantized(spec, choose_compute(spec.parameters, wish), rounds)
    found = proven(spec, compute, CalibrationStore(home.calibration), tell)
    # Twice as wide, what fitted as it is may have to be quantised.
    return found if found.dtype == compute.dtype else _quantized(spec, found, rounds)


def _quantized(spec: ModelSpec, compute: Compute, rounds: Rounds | None) -> Compute:
    """``compute``, with weights that are quantised where they have to be."""
    if compute.device.type != "cuda":  # nothing is quantised elsewhere, so its memory can wait
        return compute
    machine = machine_of(replace(compute, quantizes=False))
    return replace(compute, quantizes=judge_fit(spec, machine, rounds).quantizes)


def proven(
    spec: ModelSpec, compute: Compute, calibrations: CalibrationStore, tell: Callable[[str], None]
) -> Compute:
    """``compute``, or the same device in float32 where half precision does not suit ``spec``.

    bfloat16 is not tried out: its range is that of float32.

    Raises:
        ModelError: files of the model are missing or damaged.
    """
    if compute.dtype != torch.float16:
        return compute
    situation = _situation(spec, compute)
    trial = calibrations.precision(spec.id, situation)
    if trial is None:
        if free_memory() < _ROOM * _FLOAT32 * spec.parameters:
            _log.warning("Half precision is not tried out: there is no memory to compare with.")
            return compute
        tell(translatable("Trying out which precision suits this computer"))
        trouble = _trouble_unless_short(spec, compute)
        if trouble is None:
            _log.warning("Half precision could not be tried out: memory ran out.")
            return compute
        trial = PrecisionTrial(situation, trouble)
        calibrations.note(spec.id, trial)
    if not trial.trouble:
        return compute
    _log.warning("%s works in float32 on %s: %s", spec.id, compute.device, trial.trouble)
    return replace(compute, dtype=torch.float32)


def _trouble_unless_short(spec: ModelSpec, compute: Compute) -> str | None:
    """``_trouble``; None where memory ran out, which passes, and float32 would take more."""
    try:
        return _trouble(spec, compute)
    except (MemoryShortError, MemoryError, RuntimeError) as error:
        if not isinstance(error, MemoryShortError) and not is_out_of_memory(error):
            raise
    free_leftovers(compute.device)  # anew: until here the error's frames held the model
    return None


def _trouble(spec: ModelSpec, compute: Compute) -> str:
    """What is wrong with half precision; empty where nothing is.

    Raises:
        MemoryShortError, MemoryError, RuntimeError: memory ran out.
        ModelError, RuntimeError: the processor cannot answer either, which says nothing of it.
    """
    expected = _answers(spec, replace(ON_CPU, quantizes=compute.quantizes))
    try:
        drawn = _answers(spec, compute)
    except (ModelError, RuntimeError) as error:
        if is_out_of_memory(error):
            raise
        return str(error) or type(error).__name__
    found = compare(expected, drawn)
    if found.worst <= WORST:
        return ""
    return f"log-probabilities differ by {found.worst:.3g} after {found.tokens} tokens"


def _answers(spec: ModelSpec, compute: Compute) -> list[SampledTokens]:
    """The likeliest answers; nothing of the model stays in memory."""
    try:
        return likeliest(load_policy(spec, 0, compute), _ASKED, TRIAL_TOKENS)
    finally:
        free_leftovers(compute.device)


def _situation(spec: ModelSpec, compute: Compute) -> str:
    """Hex digest that changes with weights, device and torch."""
    facts = [model_fingerprint(spec), device_name(compute.device), str(torch.__version__)]
    return hashlib.sha256(msgspec.json.encode(facts)).hexdigest()[:16]
