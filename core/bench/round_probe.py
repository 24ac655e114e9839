"""Measures what ``core.bench.round_time`` needs of a model's shape, in a process of its own.

Torch and a network would stay in the helper's memory for good. It takes less memory than training
the model, and for half a billion parameters a minute and a half of two cores.
"""

import faulthandler
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
    shorter_rounds,
    usual_answer,
    with_layers,
)
from core.bench.runs import updating
from core.children import crash_quietly, make_way
from core.models.catalog.catalog import ModelSpec
from core.models.memory.compute import choose_compute
from core.models.memory.fit import Rounds
from core.models.policy.loading import random_policy
from core.models.policy.policy import Policy
from core.rollouts.probing import PROBE, is_probed
from core.rollouts.recipes import recipe_named
from core.rollouts.round_size import (
    FEWEST,
    LONGEST_S,
    fitted_seconds,
    learnt_answers,
    seconds_with_fewer_answers,
    shorter_answers,
    usually_learnt,
)
from core.rollouts.types import Question
from core.sampling.torch_sampler import TorchSampler

PROMPT_TOKENS: Final = 90
"""Of a question, about."""

SHORT: Final = 2
LONG: Final = 26
"""Tokens of each answer in the two runs of a sampler whose difference is that of a step."""

REPEATS: Final = 3
LONG_RUN_S: Final = 3.0

LEASH_S: Final = 600.0

Clock = Callable[[], float]


def measured_seconds(probe: RoundProbe, clock: Clock = time.perf_counter) -> float:
    """Seconds that a round will take; one that would be too long has fewer questions or answers.

    Of a round without groups of others.
    """
    torch.set_num_threads(probe.threads)
    sizes = shorter_rounds(probe.rounds)
    few, more = (part_times(probe, sizes, layers, clock) for layers in (FEW, MORE))
    spec = probe.spec
    times = [with_layers(a, b, spec.shape.layers) for a, b in zip(few, more, strict=True)]
    whole, fewest, least = (
        predicted_seconds(spec, one, size) for one, size in zip(times, sizes, strict=True)
    )
    seconds = whole
    if seconds > LONGEST_S and probe.groups > FEWEST:
        seconds = fitted_seconds(fewest, whole, probe.groups)
    if seconds > LONGEST_S:
        seconds = seconds_with_fewer_answers(least, seconds, probe.group_size)
    if seconds > LONGEST_S:
        short = shorter_answers(spec.completion_tokens)
        seconds = min(seconds, predicted_seconds(spec, times[-1], sizes[-1], short))
    return seconds


def part_times(
    probe: RoundProbe, sizes: Sequence[Rounds], layers: int, clock: Clock
) -> list[PartTimes]:
    """What a network of that shape with so many ``layers`` takes for rounds of these ``sizes``.

    The first of them is the largest, and in the last one all has been given up. Learning is timed
    for the first, and for the last in proportion to the tokens learnt from.
    """
    spec, largest, least = probe.spec, sizes[0], sizes[-1]
    work = LapWork(largest.groups, largest.group_size, PROMPT_TOKENS, spec.completion_tokens)
    thin = msgspec.structs.replace(
        with_length(spec, work), shape=msgspec.structs.replace(spec.shape, layers=layers)
    )
    compute = choose_compute(spec.parameters, probe.device)
    policy = never_ending(random_policy(thin, probe.language, compute))
    policy.learned()  # with an adapter at work, as in every round but the first
    asked = questions(lambda text: len(policy.encode_prompt(text)), work)
    sampling = {  # by size: of a small round several are the same
        size: sampling_times(policy, asked[: size.groups], members(spec, size), clock)
        for size in dict.fromkeys(sizes)
    }
    answer = usual_answer(spec)
    one = LapWork(1, largest.group_size, PROMPT_TOKENS, answer)
    seconds = quickest(updating(policy, asked[:1], one, probe.recipe), clock)
    recipe = recipe_named(probe.recipe)
    usual = usually_learnt(recipe, largest.group_size)
    few = learnt_answers(recipe, largest.group_size, least.group_size)
    share = (PROMPT_TOKENS + answer * few) / (PROMPT_TOKENS + answer * usual)
    whole = [PartTimes(*sampling[size], seconds) for size in sizes[:-1]]
    return [*whole, PartTimes(*sampling[least], seconds * share)]


def members(spec: ModelSpec, size: Rounds) -> int:
    """Answers to each question that are drawn in one call, in the larger of two."""
    answers = size.group_size
    return max(PROBE, answers - PROBE) if is_probed(answers, is_small=spec.is_small) else answers


def sampling_times(
    policy: Policy, asked: Sequence[Question], attempts: int, clock: Clock
) -> tuple[float, float]:
    """Seconds for reading what is ``asked``, and for one token of all answers to it."""
    sampler = TorchSampler(policy)

    def sample(most: int) -> float:
        return quickest(lambda: sampler.complete(asked, attempts, seed=0, most_tokens=most), clock)

    sampler.complete(asked, attempts, seed=0, most_tokens=SHORT)
    short, long = sample(SHORT), sample(LONG)
    sampler.close()
    step = max(0.0, long - short) / (LONG - SHORT)
    return max(0.0, short - SHORT * step), step


def quickest(run: Callable[[], object], clock: Clock) -> float:
    """Seconds of the quickest of some runs: a busy neighbour can only slow one down.

    Of one that takes long there is no second: it evens such moments out by itself.
    """
    took: list[float] = []
    while len(took) < REPEATS and max(took, default=0.0) < LONG_RUN_S:
        began = clock()
        run()
        took.append(clock() - began)
    return min(took)


def main(arguments: Sequence[str] | None = None) -> int:
    """Measure what the first argument describes in JSON, and print the seconds."""
    crash_quietly()
    make_way()  # as practice does, which it foretells
    faulthandler.dump_traceback_later(LEASH_S, exit=True)  # should whoever waits for it be gone
    arguments = sys.argv[1:] if arguments is None else arguments
    probe = msgspec.json.decode(
        arguments[0], type=RoundProbe, dec_hook=lambda _, value: Path(value)
    )
    sys.stdout.write(f"{measured_seconds(probe)}\n")
    return 0
