"""Measures what ``core.bench.round_time`` needs of a model's shape, in a process of its own.

Torch and a network would stay in the helper's memory for good. It takes less than a minute, and
less memory than training the model.
"""

import sys
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Final

import msgspec
import torch

from core.bench.material import LapWork, never_ending, questions, with_length
from core.bench.round_time import (
    FEW,
    MORE,
    PartTimes,
    RoundProbe,
    predicted_seconds,
    usual_answer,
    with_layers,
)
from core.bench.runs import updating
from core.children import crash_quietly
from core.models.memory.compute import choose_compute
from core.models.policy.loading import random_policy
from core.rollouts.probing import PROBE, is_probed
from core.rollouts.round_size import (
    FEWEST,
    FEWEST_ANSWERS,
    LONGEST_S,
    fitted_seconds,
    seconds_with_fewer_answers,
)
from core.sampling.torch_sampler import TorchSampler

PROMPT_TOKENS: Final = 90
"""Of a question, about."""

SHORT: Final = 2
LONG: Final = 8
"""Tokens of each answer in the two runs of a sampler whose difference is that of a step."""

REPEATS: Final = 3

Clock = Callable[[], float]


def measured_seconds(probe: RoundProbe, clock: Clock = time.perf_counter) -> float:
    """Seconds that a round will take; one that would be too long has fewer questions or answers."""
    torch.set_num_threads(probe.threads)
    seconds = _seconds(probe, clock)
    if seconds > LONGEST_S and probe.groups > FEWEST:
        whole, most = seconds, probe.groups
        probe = msgspec.structs.replace(probe, groups=FEWEST)
        seconds = fitted_seconds(_seconds(probe, clock), whole, most)
    if seconds > LONGEST_S and probe.group_size > FEWEST_ANSWERS:
        few = msgspec.structs.replace(probe, group_size=FEWEST_ANSWERS)
        seconds = seconds_with_fewer_answers(_seconds(few, clock), seconds, probe.group_size)
    return seconds


def _seconds(probe: RoundProbe, clock: Clock) -> float:
    """Seconds of a round with all questions of ``probe``."""
    few, more = (part_times(probe, layers, clock) for layers in (FEW, MORE))
    times = with_layers(few, more, probe.spec.shape.layers)
    return predicted_seconds(probe.spec, times, probe.rounds)


def part_times(probe: RoundProbe, layers: int, clock: Clock) -> PartTimes:
    """What a network of that shape with so many ``layers`` takes; of several runs the quickest."""
    spec = probe.spec
    probed = PROBE if is_probed(probe.group_size, is_small=spec.is_small) else 0
    members = probe.group_size - probed
    work = LapWork(probe.groups, members, PROMPT_TOKENS, spec.completion_tokens)
    thin = msgspec.structs.replace(
        with_length(spec, work), shape=msgspec.structs.replace(spec.shape, layers=layers)
    )
    policy = random_policy(thin, probe.language, choose_compute(spec.parameters))
    policy = never_ending(policy)
    policy.learned()  # with an adapter at work, as in every round but the first
    asked = questions(lambda text: len(policy.encode_prompt(text)), work)
    sampler = TorchSampler(policy)

    def sample(most: int) -> float:
        return quickest(lambda: sampler.complete(asked, members, seed=0, most_tokens=most), clock)

    sample(SHORT)
    short, long = sample(SHORT), sample(LONG)
    step = max(0.0, long - short) / (LONG - SHORT)
    sampler.close()
    one = LapWork(1, probe.group_size, PROMPT_TOKENS, usual_answer(spec))
    update = updating(policy, asked[:1], one)
    return PartTimes(max(0.0, short - SHORT * step), step, quickest(update, clock))


def quickest(run: Callable[[], object], clock: Clock) -> float:
    """Seconds of the quickest of some runs: a busy neighbour can only slow one down."""
    took = []
    for _ in range(REPEATS):
        began = clock()
        run()
        took.append(clock() - began)
    return min(took)


def main(arguments: Sequence[str] | None = None) -> int:
    """Measure what the first argument describes in JSON, and print the seconds."""
    crash_quietly()
    arguments = sys.argv[1:] if arguments is None else arguments
    probe = msgspec.json.decode(
        arguments[0], type=RoundProbe, dec_hook=lambda _, value: Path(value)
    )
    sys.stdout.write(f"{measured_seconds(probe)}\n")
    return 0
