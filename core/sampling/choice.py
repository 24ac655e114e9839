"""Opens the sampler that suits a policy on this machine: the one wished for, or the fastest.

llama.cpp needs a copy of the base in its own format (``gguf_copies``).
"""

import logging
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final, Literal

from core.errors import BusyError, HomeError, MemoryShortError, ModelError
from core.i18n import translatable
from core.models.export.gguf_export import gguf_bytes
from core.models.export.gguf_tensors import Quant
from core.models.export.weight_files import WeightFiles
from core.models.memory.budget import SharedBudget
from core.models.memory.compute import machine_of
from core.models.memory.fit import Rounds, estimate, llama_context
from core.models.memory.free import free_memory
from core.models.policy.policy import Policy
from core.paths import Home
from core.rollouts.types import PuzzleKey, Question, TaskId
from core.sampling.calibration import CalibrationStore, KeptTrial, Verdict, fastest, predict
from core.sampling.gguf_copies import copy_of, prune_copies
from core.sampling.llama_library import llama_available
from core.sampling.llama_runtime import LlamaRuntime
from core.sampling.llama_sampler import LlamaSampler
from core.sampling.llama_trial import SamplerTrial, try_out
from core.sampling.rival_sampler import UNUSABLE, AnySampler, RivalSampler
from core.sampling.rivals import Rivalry, rivals_of
from core.sampling.situation import can_compete, offloads, situation
from core.sampling.torch_sampler import TorchSampler
from core.storage.room import size_in_words

SamplerName = Literal["torch", "llama-f16", "llama-q8_0"]
NAMES: Final[tuple[SamplerName, ...]] = ("torch", "llama-f16", "llama-q8_0")
"""In the order of preference where two are equally fast: the most exact first."""

QUANTS: Final[dict[SamplerName, Quant]] = {"llama-f16": "f16", "llama-q8_0": "q8_0"}
"""What the copies hold that llama.cpp reads."""
WORTH_A_TRIAL: Final = 10_000_000
"""Parameters from which on samplers are compared; both starters have fewer.

Each of llama.cpp's calls costs them more than the arithmetic that it saves: torch is 1.8 to 4 times
as fast for 1.5 million parameters and 1.3 times for 5 million; at 18 million either may win
(tests/benchmarks/RESULTS.md). The trial is a quarter of the work of a first start, and on a busy
computer it errs.
"""

_PROBE_GROUP: Final = 8
_PROBE: Final = tuple(
    Question(
        PuzzleKey(TaskId("probe"), 1, 0, index),
        f"Calculate {17 * index} + {31 * index} - {index}, then add the number of letters in the "
        "word that stands last in this sentence. Answer with the number alone.",
    )
    for index in range(1, 5)
)
"""Four questions of about the length of real ones; with eight answers each, a batch that tells
samplers apart at any size of model."""

_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class SamplerContext:
    """Where a sampler is opened, and with what."""

    home: Home
    threads: int
    budget: SharedBudget
    tell: Callable[[str], None]  # what takes a while, in words
    spared: int = 0  # bytes of memory that stay free
    rounds: Rounds | None = None  # that are played; None: as usual

    @property
    def calibrations(self) -> CalibrationStore:
        """The measurements made here before."""
        return CalibrationStore(self.home.calibration)


def open_sampler(
    policy: Policy, wish: SamplerName | Literal["auto"], place: SamplerContext
) -> AnySampler:
    """Open the sampler of that name; ``auto`` takes the fastest.

    That is measured once and remembered, and corrected by real rounds (``rivals``).

    Raises:
        ModelError: the one wished for cannot be used here.
        HomeError: there is no space for what it needs.
        MemoryShortError: or no memory.
    """
    if wish != "auto":
        return _opened_alone(wish, policy, place)
    verdict = _verdict(policy, place)
    if verdict is None:
        return _opened_alone("torch", policy, place)
    try:
        sampler = _open(_named(verdict.chosen), policy, place)
    except UNUSABLE:
        _log.warning("Sampling with torch: %s cannot be opened", verdict.chosen, exc_info=True)
        return _open("torch", policy, place)  # the copies stay for when it can be opened again
    rivals = rivals_of(verdict)
    prune_copies(policy, place.home, keep=_quants(verdict.chosen, *rivals))
    return _corrected(sampler, verdict, policy, place) if rivals else sampler


def _opened_alone(name: SamplerName, policy: Policy, place: SamplerContext) -> AnySampler:
    sampler = _open(name, policy, place)
    prune_copies(policy, place.home, keep=_quants(name))
    return sampler


def _quants(*names: str) -> set[Quant]:
    """What the samplers of those ``names`` read."""
    return {quant for name, quant in QUANTS.items() if name in names}


def _named(chosen: str) -> SamplerName:
    return next(name for name in NAMES if name == chosen)


def _corrected(
    leader: AnySampler, verdict: Verdict, policy: Policy, place: SamplerContext
) -> RivalSampler:
    """``leader``, which real rounds may depose."""

    def reopen(name: str, is_guest: bool) -> tuple[str, AnySampler]:  # noqa: FBT001 - by place
        if is_guest:  # a shortage of its own costs training nothing
            aside = replace(place, budget=SharedBudget(place.budget.current))
            return name, _open(_named(name), policy, aside)
        try:
            return name, _open(_named(name), policy, place)
        except UNUSABLE:
            _log.warning("Sampling with torch: %s cannot be opened again", name, exc_info=True)
            return "torch", _open("torch", policy, place)

    def keep(now: Verdict) -> None:
        # One that lacks a candidate for the time being is made anew at the next start.
        if place.calibrations.verdict(policy.spec.id, now.situation) is not None:
            place.calibrations.note(policy.spec.id, now)

    return RivalSampler(leader, Rivalry(verdict), reopen, keep)


def choose(policy: Policy, place: SamplerContext) -> SamplerName:
    """Name the fastest sampler for ``policy`` on this machine; seconds of work the first time."""
    verdict = _verdict(policy, place)
    return "torch" if verdict is None else _named(verdict.chosen)


def _verdict(policy: Policy, place: SamplerContext) -> Verdict | None:
    """What was measured, now if not before; None where there is nothing to compare torch with."""
    if policy.spec.parameters < WORTH_A_TRIAL or not can_compete(policy.device):
        return None
    facts = situation(policy, place.threads)
    verdict = place.calibrations.verdict(policy.spec.id, facts)
    if verdict is None or not {verdict.chosen, *rivals_of(verdict)} <= set(NAMES):
        place.tell(translatable("Trying out what is fastest on this computer"))
        verdict = _compare(policy, place, facts)
        _log.info("Seconds to sample a round of %s: %s", policy.spec.id, verdict.seconds)
    return verdict


def _compare(policy: Policy, place: SamplerContext, facts: str) -> Verdict:
    """Measure all that can be used; remembered unless what stood in the way may pass."""
    policy.learned()  # with an adapter at work, as in every round but the first
    # A shortage while trying costs a candidate, not the training its budget.
    place = replace(place, budget=SharedBudget(place.budget.current))
    seconds: dict[str, float] = {}
    may_pass = False
    for name in reversed(NAMES):  # torch last: alone it need not be measured
        if name == "torch" and not seconds:
            break
        try:
            seconds[name] = _measure(name, policy, place)
        except (BusyError, HomeError, MemoryShortError) as error:
            may_pass = True
            _log.warning("Doing without the sampler %s this time: %s", name, error)
        except ModelError as error:
            _log.warning("Doing without the sampler %s: %s", name, error)
    verdict = Verdict(facts, seconds, fastest(seconds, NAMES))
    if not may_pass:
        place.calibrations.note(policy.spec.id, verdict)
    return verdict


def _measure(name: SamplerName, policy: Policy, place: SamplerContext) -> float:
    """Predict the seconds of a round."""
    sampler = _open(name, policy, place)
    try:
        return predict(
            lambda most: sampler.complete(_PROBE, _PROBE_GROUP, seed=0, most_tokens=most),
            policy.spec.completion_tokens,
        )
    finally:
        sampler.close()


def _open(name: SamplerName, policy: Policy, place: SamplerContext) -> AnySampler:
    if name == "torch":
        return TorchSampler(policy, budget=place.budget)
    if not llama_available():
        raise ModelError(
            translatable(
                "llama.cpp is not installed. Set sampler to auto or torch in {}.",
                place.home.settings,
            )
        )
    _require_memory(policy, name, place)
    path = copy_of(policy, QUANTS[name], place.home.cache, place.tell)
    trial = _tried(path, policy, place)
    if not trial.usable:
        _log.warning("llama.cpp cannot be used on %s: %s", path.name, trial.words)
        raise (BusyError if trial.timed_out else ModelError)(
            translatable(
                "llama.cpp cannot be used for the model {} on this computer; the log folder says "
                "more. Set sampler to auto or torch in {}.",
                policy.spec.title,
                place.home.settings,
            )
        )
    runtime = open_runtime(path, policy, place, trial)
    return LlamaSampler(policy, runtime, place.budget)


def open_runtime(
    path: Path, policy: Policy, place: SamplerContext, trial: SamplerTrial
) -> LlamaRuntime:
    """Load the copy at ``path`` as ``trial`` found that it can be, where ``policy`` trains."""
    offload = offloads(policy.device)
    return LlamaRuntime(path, place.threads, extra_buffers=trial.extra_buffers, offload=offload)


def _require_memory(policy: Policy, name: SamplerName, place: SamplerContext) -> None:
    """Raise MemoryShortError unless the copy fits beside what training takes."""
    need = estimate(policy.spec, machine_of(policy.compute), place.budget.current, place.rounds)
    copy = gguf_bytes(WeightFiles(policy.spec), QUANTS[name])
    sampler = llama_context(policy.spec, place.budget.current, place.rounds)
    coming = copy + need.optimiser + max(sampler, need.update)
    free = free_memory(place.spared)
    if free < coming:
        raise MemoryShortError(
            translatable(
                "{} and a copy of it for llama.cpp take {} of "
                "memory, and {} are free for it. Set sampler to auto or torch in {}.",
                policy.spec.title,
                size_in_words(coming),
                size_in_words(free),
                place.home.settings,
            )
        )


def _tried(path: Path, policy: Policy, place: SamplerContext) -> SamplerTrial:
    """Try the file out in a process of its own, once."""
    facts = situation(policy, place.threads)
    trial = place.calibrations.trial(path.name, facts)
    if trial is None:
        trial = try_out(path, offload=offloads(policy.device))
        if not trial.timed_out:
            place.calibrations.note(path.name, KeptTrial(facts, trial))
    return trial
