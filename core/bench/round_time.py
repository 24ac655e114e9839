"""How long a round of a model will take here, from two short measurements of its shape; pure.

All layers of a network cost the same, so two networks of few layers tell what all of them will
take: what both have in common (head, drawing, bookkeeping) counts once, the difference for each
further layer. Weights are random, so that no model need be here.
"""

from pathlib import Path
from typing import Final

import msgspec

from core.models.catalog.catalog import ModelSpec
from core.models.memory.fit import Rounds
from core.rollouts.probing import SPARE, is_large_enough, is_probed
from core.rollouts.round_size import FEWEST, FEWEST_ANSWERS
from core.settings import DeviceChoice

FEW: Final = 1
MORE: Final = 6
"""Layers of the two networks that are measured; more of them than a processor's cache holds."""

TEACHING: Final = 0.7
TEACHING_AT_ONCE: Final = 0.55
TEACHING_OF_FEW: Final = 0.35
TEACHING_OF_STARTERS: Final = 0.87
"""Shares of the own groups that an update learns from, where questions are tried in two steps,
where they are not, and where they get fewer answers than that takes: 5 to 8 of 8, 4 or 5, and about
3; or 7 where it is known what to expect of a question, as it is with starters."""

STARTER_LONGEST: Final = 1 / 5
STARTER_MEAN: Final = 1 / 12
"""Shares of the longest answer allowed at which a starter's longest ends, and its mean one.

Of other models nobody knows before they answer: theirs are taken to go on to the end.
"""


class RoundProbe(msgspec.Struct, frozen=True):
    """What is measured: of which model, by how many threads and where, for what rounds."""

    spec: ModelSpec
    threads: int
    groups: int
    group_size: int
    language: Path  # folder of a model whose tokenizer is borrowed
    recipe: str
    device: DeviceChoice = "auto"

    @property
    def rounds(self) -> Rounds:
        """Number and size of a round's groups."""
        return Rounds(self.groups, self.group_size)


def shorter_rounds(whole: Rounds) -> tuple[Rounds, Rounds, Rounds]:
    """``whole``, with the fewest questions, and with the fewest answers to these."""
    few = Rounds(min(FEWEST, whole.groups), whole.group_size)
    return whole, few, Rounds(few.groups, min(FEWEST_ANSWERS, whole.group_size))


class PartTimes(msgspec.Struct, frozen=True):
    """Seconds of the parts of a round."""

    read: float  # prompts of all questions
    step: float  # one token of every answer that is drawn at once
    update: float  # learning from one group


def usual_answer(spec: ModelSpec) -> int:
    """Tokens of an answer that an update learns from."""
    return max(1, round((STARTER_MEAN if spec.is_small else 1.0) * spec.completion_tokens))


def with_layers(few: PartTimes, more: PartTimes, layers: int) -> PartTimes:
    """What a network of so many ``layers`` takes, by those of ``FEW`` and of ``MORE``."""

    def reach(of_few: float, of_more: float) -> float:
        each = max(0.0, of_more - of_few) / (MORE - FEW)  # a busy moment may turn them round
        return of_few + each * (layers - FEW)

    return PartTimes(
        reach(few.read, more.read), reach(few.step, more.step), reach(few.update, more.update)
    )


def predicted_seconds(
    spec: ModelSpec, times: PartTimes, rounds: Rounds, tokens: int | None = None
) -> float:
    """Seconds of a round: questions are answered, a starter's in two steps; an update follows.

    Answers have ``tokens`` at most; None: as many as the model may.
    """
    most = spec.completion_tokens
    steps = min(tokens or most, STARTER_LONGEST * most if spec.is_small else most)
    calls, teaching = 1, TEACHING_OF_FEW
    if is_probed(rounds.group_size, is_small=spec.is_small):
        calls, teaching = 2, TEACHING
    elif is_large_enough(rounds.group_size):
        teaching = TEACHING_AT_ONCE
    elif spec.is_small:
        teaching = TEACHING_OF_STARTERS
    reading = times.read * (1 + (1 + SPARE) * (calls - 1))
    return reading + calls * steps * times.step + teaching * rounds.groups * times.update
