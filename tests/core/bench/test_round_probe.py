"""Measuring the shape of a model, on a tiny one."""

import subprocess
from collections.abc import Sequence
from itertools import count
from pathlib import Path

import msgspec
import pytest

from core.bench import round_probe
from core.bench.round_probe import LONG_RUN_S, PROMPT_TOKENS, measured_seconds, part_times, quickest
from core.bench.round_time import PartTimes, RoundProbe, shorter_rounds, usual_answer
from core.children import python_command
from core.models.catalog.catalog import load_models
from core.models.memory.fit import Rounds
from core.models.policy.policy import Policy
from core.rollouts.round_size import FEWEST, FEWEST_ANSWERS
from core.rollouts.types import Question
from tests.tiny_models import FAMILIES, SHAPE, Family, tiny_spec


def probe(family: Family) -> RoundProbe:
    spec = tiny_spec(Path("nowhere"), family)
    shape = msgspec.structs.replace(SHAPE, vocabulary=2_048, layers=40)
    spec = msgspec.structs.replace(spec, shape=shape)
    return RoundProbe(spec, 1, 2, 4, load_models().get("spark").folder, "waggle")


@pytest.mark.parametrize("family", FAMILIES)
def test_a_shape_is_measured_without_the_model(family: Family) -> None:
    """Sampler and learner run on random weights; by a clock that ticks, all take the same."""
    ticks = count()
    assert measured_seconds(probe(family), lambda: float(next(ticks))) > 0


def test_where_a_round_would_be_too_long_it_has_fewer_questions_and_answers(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """As the rounds of a run do, see ``core.engine.sizing``."""

    def part_times(_: RoundProbe, sizes: Sequence[Rounds], *__: object) -> list[PartTimes]:
        return [PartTimes(0.0, size.groups * size.group_size * 1.0, 0.0) for size in sizes]

    monkeypatch.setattr(round_probe, "part_times", part_times)
    few = msgspec.structs.replace(probe("llama"), groups=FEWEST, group_size=FEWEST_ANSWERS)
    whole = msgspec.structs.replace(few, groups=8, group_size=32)
    assert measured_seconds(whole) == measured_seconds(few)


def test_no_size_is_measured_twice(monkeypatch: pytest.MonkeyPatch) -> None:
    """A round that is as small as can be has one size, whatever would have to be given up."""
    measured: list[int] = []

    def sampling_times(_: Policy, asked: Sequence[Question], *__: object) -> tuple[float, float]:
        measured.append(len(asked))
        return 1.0, 2.0

    monkeypatch.setattr(round_probe, "sampling_times", sampling_times)
    few = msgspec.structs.replace(probe("llama"), groups=FEWEST, group_size=FEWEST_ANSWERS)
    times = part_times(few, shorter_rounds(few.rounds), 1, lambda: 0.0)
    assert measured == [FEWEST]
    assert [(one.read, one.step) for one in times] == [(1.0, 2.0)] * 3


@pytest.mark.parametrize("answers", [4, 8])
def test_what_is_learnt_from_decides_how_long_learning_takes(answers: int) -> None:
    """At most four of the answers of a group; of a group of four, in the end, two."""
    ticks = count()
    asked = msgspec.structs.replace(probe("llama"), groups=4, group_size=answers)
    sizes = shorter_rounds(asked.rounds)
    whole, few, short = part_times(asked, sizes, 1, lambda: float(next(ticks)))
    answer = usual_answer(asked.spec)
    assert whole.update == few.update == 1.0, "by a clock that ticks"
    assert short.update == pytest.approx(
        (PROMPT_TOKENS + 2 * answer) / (PROMPT_TOKENS + 4 * answer)
    )


def test_the_quickest_run_counts() -> None:
    """A neighbour can only slow one down."""
    times = iter([0.0, 2.0, 2.0, 3.0, 3.0, 5.0])
    assert quickest(lambda: None, lambda: next(times)) == 1.0


def test_a_long_run_is_not_repeated() -> None:
    """Whoever chose a large model waits for it."""
    times = iter([0.0, LONG_RUN_S])
    assert quickest(lambda: None, lambda: next(times)) == LONG_RUN_S


def test_it_prints_the_seconds() -> None:
    """One number, for whoever started the process."""
    asked = msgspec.json.encode(probe("llama"), enc_hook=str).decode()
    command = (*python_command("core.bench.round_probe"), asked)
    said = subprocess.run(command, capture_output=True, check=True, timeout=120)  # noqa: S603 - our own program
    assert float(said.stdout) > 0
