"""Whether a device does what the processor does: the first thing to know of a graphics card.

A model's likeliest answers, its log-probabilities, its gradient and what ten rounds of learning
make of it, on the device and on the processor in float32. The model is spark, with its real weights
and, but for the last check, by the code of models that are not small.
"""

import math
import sys
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import IO, Final

import msgspec
import torch
from torch import Tensor
from torch.nn.functional import cosine_similarity

from core.bench.card_report import CardCheck
from core.bench.job import BenchJob, dtype_name
from core.bench.material import LapWork, questions, scored_groups, with_length
from core.bench.racing import say
from core.models.catalog.catalog import SMALL_MODEL, ModelSpec
from core.models.memory.budget import SharedBudget, free_leftovers
from core.models.memory.compute import ON_CPU, Compute, has_bf16
from core.models.memory.machine import can_quantize
from core.models.policy.loading import load_policy
from core.models.policy.policy import Policy
from core.rollouts.types import SampledTokens, ScoredGroup
from core.sampling.agreement import compare, likeliest
from core.training.batch import TrainingGroup
from core.training.checkpoints import CheckpointStore
from core.training.encoding import encode_group
from core.training.gradient import accumulate_gradient, gradients
from core.training.learner import GrpoLearner
from core.training.policy_filter import likelihoods

WORK: Final = LapWork(groups=4, members=4, prompt_tokens=40, completion_tokens=12)
ROUNDS: Final = 10
RATE: Final = 3e-4
"""Of learning: high enough to see something, low enough that rounding does not grow."""


@dataclass(frozen=True, slots=True)
class Tolerance:
    """How far a precision may be from float32 on the processor.

    Some four times what the same precision is off on the processor itself, where that was measured
    (tests/benchmarks/RESULTS.md); a wrong kernel is off by far more.
    """

    logprob: float  # nats of a token
    gradient: float  # 1 - cosine of the angle between the two
    learning: float  # nats by which right answers gained on wrong ones


TOLERANCES: Final[Mapping[torch.dtype, Tolerance]] = {
    torch.float32: Tolerance(logprob=0.002, gradient=0.001, learning=0.02),
    torch.float16: Tolerance(logprob=0.05, gradient=0.08, learning=0.15),
    torch.bfloat16: Tolerance(logprob=0.25, gradient=0.4, learning=0.35),
}


@dataclass(frozen=True, slots=True)
class Traits:
    """What is compared of a model on a device."""

    answers: list[SampledTokens]
    logprobs: list[float]  # nats per token, of every answer that is learnt from
    gradient: Tensor  # float64 on the processor, all of it in one row
    margins: list[float]  # after each round: mean log-prob of right answers less that of wrong ones


def race(job: BenchJob, pipe: IO[bytes]) -> None:
    """Check the job's device, once for every line on stdin."""
    for _ in sys.stdin:
        say(pipe, check_device(job.spec, job.compute.device))


def precisions(device: torch.device) -> list[torch.dtype]:
    """Those to check on ``device``; a processor's float16 is too slow, and nobody uses it."""
    if device.type == "cpu":
        return [torch.float32, torch.bfloat16]
    if device.type == "mps":
        return [torch.float32, torch.float16]
    return [torch.float32, torch.float16, *([torch.bfloat16] if has_bf16(device) else [])]


def check_device(spec: ModelSpec, device: torch.device) -> list[CardCheck]:
    """Hold ``device`` against the processor, precision by precision; one that fails is told."""
    small = msgspec.structs.replace(with_length(spec, WORK), learning_rate=RATE)
    large = msgspec.structs.replace(small, parameters=max(SMALL_MODEL, spec.parameters))
    exact = traits(large, ON_CPU)
    checks = list[CardCheck]()
    for dtype in precisions(device):
        found = _found(large, Compute(device, dtype))
        checks += compared(dtype_name(dtype), exact, found, TOLERANCES[dtype])
    if can_quantize():
        # In float32, or weights would be rounded before that, and not to the same bits.
        quantized = Compute(device, torch.float32, quantizes=True)
        same = traits(large, replace(ON_CPU, quantizes=True))
        checks += compared("four bits", same, _found(large, quantized), TOLERANCES[torch.float32])
    found = _found(small, Compute(device, torch.float32))
    whole = compared("float32, small", traits(small, ON_CPU), found, TOLERANCES[torch.float32])
    return checks + whole


def compared(
    precision: str, exact: Traits, found: Traits | str, tolerance: Tolerance
) -> list[CardCheck]:
    """A check of each trait; where there are none, the reason."""
    if isinstance(found, str):
        return [CardCheck(precision, "everything", math.nan, 0.0, passed=False, words=found)]
    texts = compare(exact.answers, found.answers)
    apart = zip(exact.logprobs, found.logprobs, strict=True)
    cosine = cosine_similarity(exact.gradient, found.gradient, dim=0).item()
    gained = zip(exact.margins, found.margins, strict=True)
    rises = found.margins[-1] > found.margins[0]
    words = f"{texts.tokens} of {texts.of} tokens alike"
    return [
        _check(precision, "likeliest answers", texts.worst, tolerance.logprob, words),
        _check(precision, "log-probabilities", _worst(apart), tolerance.logprob),
        _check(precision, "gradient", 1 - cosine, tolerance.gradient),
        _check(
            precision,
            f"{ROUNDS} rounds of learning",
            _worst(gained) if rises else math.inf,
            tolerance.learning,
            f"right answers gained {found.margins[-1] - found.margins[0]:.3f} nats",
        ),
    ]


def traits(spec: ModelSpec, compute: Compute) -> Traits:
    """Load the model of ``spec``, look at it, and let it learn."""
    policy = load_policy(spec, 0, compute)
    asked = questions(lambda text: len(policy.encode_prompt(text)), WORK)
    answers = likeliest(policy, asked, WORK.completion_tokens)
    scored = scored_groups(policy, asked, WORK)
    encoded = [group for one in scored if (group := encode_group(policy, one)) is not None]
    logprobs = [value for group in _logprobs(policy, encoded) for value in group]
    gradient = _gradient(policy, encoded)
    return Traits(answers, logprobs, gradient, _margins(policy, scored, encoded))


def _found(spec: ModelSpec, compute: Compute) -> Traits | str:
    """The traits; where the device fails, what it says."""
    try:
        return traits(spec, compute)
    except Exception as error:  # noqa: BLE001 - drivers and kernels raise what they like
        return f"{type(error).__name__}: {error}"[:300]
    finally:
        free_leftovers(compute.device)


def _logprobs(policy: Policy, encoded: Sequence[TrainingGroup]) -> list[list[float]]:
    found = likelihoods(policy, encoded, SharedBudget().current)
    return [[one.mean for one in group] for group in found]


def _gradient(policy: Policy, encoded: Sequence[TrainingGroup]) -> Tensor:
    accumulate_gradient(policy, encoded, SharedBudget())
    return torch.cat([part.detach().cpu().double().flatten() for part in gradients(policy)])


def _margins(
    policy: Policy, scored: Sequence[ScoredGroup], encoded: Sequence[TrainingGroup]
) -> list[float]:
    learner = GrpoLearner(policy, CheckpointStore(Path("never-written")))
    margins = list[float]()
    for _ in range(ROUNDS):
        learner.update(scored)
        means = _logprobs(policy, encoded)
        right = [value for group in means for value in group[1::2]]
        wrong = [value for group in means for value in group[0::2]]
        margins.append(sum(right) / len(right) - sum(wrong) / len(wrong))
    return margins


def _worst(pairs: Iterable[tuple[float, float]]) -> float:
    """The largest difference; infinite where one is no number."""
    apart = [abs(one - other) for one, other in pairs]
    return max(apart) if all(map(math.isfinite, apart)) else math.inf


def _check(precision: str, what: str, found: float, most: float, words: str = "") -> CardCheck:
    return CardCheck(precision, what, found, most, passed=found <= most, words=words)
