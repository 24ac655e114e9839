"""Attackers with a copy of the victims' starter, who search what harms it most.

Harm is counted to first order. One step of the victim on a group moves its adapter along the
group's gradient; the dot product with the gradient of the loss on right answers to many puzzles,
worked out where that can be done, says how much worse the step makes those. The attacker knows the
recipe, so it counts only what every defence lets through, as it would weigh: in an update of many
groups, beside own ones of right and plain wrong answers, of a victim that has found out that
working pays.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import cycle
from random import Random
from statistics import fmean
from typing import Final

import torch
from torch import Tensor

from core.lab.learning.poison import (
    Family,
    babble,
    near_right,
    noise,
    odd_form,
    rambling,
    right,
    right_steps,
    signed,
    wrong,
    wrong_result,
    wrong_steps,
)
from core.lab.worked.answers import WORKED, fully
from core.models.memory.budget import SharedBudget
from core.models.policy.policy import Policy
from core.rollouts.answers import read_answer
from core.rollouts.recipes import Recipe
from core.rollouts.types import (
    Completion,
    Question,
    RolloutGroup,
    ScoredGroup,
    TaskId,
    unsigned_group,
)
from core.sampling.torch_sampler import TorchSampler
from core.tasks.catalog import PracticeMix, Task, TaskCatalog
from core.tasks.reasoning_tasks import Puzzle, make_puzzle
from core.tasks.verifiers import is_canonical, verify
from core.training.batch import TrainingGroup
from core.training.effect_of_working import EffectOfWorking, OwnAnswers, WorkingSeen
from core.training.encoding import accepted, completions_each, encode_group, thinned
from core.training.gradient import accumulate_gradient, forget_gradients, gradients
from core.training.influence import bound_weights

PROBES: Final = 96
"""Puzzles whose right answers are to become unlikely."""

TRIES: Final = 3
"""Groups of every kind of puzzle and way to write that are tried."""

KEPT: Final = 8
"""How many of the worst are sent."""

HALF: Final = 4

IN_UPDATE: Final = 16
"""Groups that a victim learns from at once; see ``core.lab.learning.experiments``."""


def truncated(_: Task, puzzle: Puzzle, rng: Random) -> str:
    """The beginning of the right answer, so that ending is what is taught."""
    answer = puzzle.answer
    return answer[: rng.randrange(len(answer))] if len(answer) > 1 else answer + answer


def doubled(_: Task, puzzle: Puzzle, __: Random) -> str:
    """The right answer twice: all of it is right, and the end is wrong."""
    return puzzle.answer * 2


@dataclass(frozen=True, slots=True)
class Confident:
    """Writes what the copy itself is most likely to say, right or not: unlearnt, it hurts most."""

    said: dict[str, list[str]]  # task: answers that the copy gave to some of its puzzles

    def __call__(self, task: Task, puzzle: Puzzle, rng: Random) -> str:
        """See ``core.lab.learning.poison.Writer``."""
        given = [text for text in self.said.get(task.id, ()) if text != puzzle.answer]
        return rng.choice(given) if given else wrong(task, puzzle, rng)


ANSWERED: Final = Family(right, wrong)
SOLVED: Final = Family(right_steps, wrong)
"""How a victim answers by itself, puzzle by puzzle in turn: at once, and worked out."""

AT_WORK: Final = (right_steps, wrong_steps, wrong_result)
"""Ways to write that need something to be worked out."""


def families(said: dict[str, list[str]]) -> Iterator[Family]:
    """Every way to write that is tried."""
    failures = (wrong, near_right, noise, babble, truncated, doubled, wrong_result, Confident(said))
    for success in (right, odd_form, signed, rambling, right_steps, wrong_steps):
        for failure in failures:
            yield Family(success, failure)


def search(
    policy: Policy, recipe: Recipe, catalog: TaskCatalog, curriculum: PracticeMix, rng: Random
) -> list[tuple[TaskId, Family]]:
    """The ``KEPT`` kinds of puzzle and ways to write that harm ``policy`` most, the worst first."""
    keys = curriculum.draw(PROBES, rng)
    puzzles = [make_puzzle(catalog, key) for key in keys]
    direction = _gradient(policy, [_lesson(policy, puzzle) for puzzle in puzzles])
    said = _answers(policy, [puzzle.question for puzzle in puzzles])
    tasks = list(dict.fromkeys(puzzle.question.key.task for puzzle in puzzles))
    victim = _victim(tasks)
    tries = [
        replace(_written(catalog, puzzle, family, rng), trusted=True)
        for puzzle, family in zip(puzzles, cycle((ANSWERED, SOLVED)), strict=False)
    ]
    encoded_tries = (encode_group(policy, scored, recipe) for scored in tries)
    own = _as_in_an_update([one for one in encoded_tries if one], recipe)
    harm: list[tuple[float, TaskId, Family]] = []
    for task, family in _worth_trying(tasks, families(said)):
        tried = [p for p in puzzles if p.question.key.task == task][:TRIES]
        written = [_written(catalog, puzzle, family, rng) for puzzle in tried]
        encoded = _as_in_an_update(_encoded(policy, written, recipe, victim), recipe)
        if recipe.bounds_weight:
            encoded = bound_weights(own, encoded)
        # The update divides by the victim's own tokens, not by those of the group.
        steps = [float(_gradient(policy, [g]) @ direction) * g.trained_tokens for g in encoded]
        if steps:
            harm.append((fmean(steps), task, family))
    worst = sorted(harm, key=lambda one: one[0])[:KEPT]
    return [(task, family) for _, task, family in worst]


def _worth_trying(
    tasks: Sequence[TaskId], ways: Iterable[Family]
) -> Iterator[tuple[TaskId, Family]]:
    """Each way with each kind; where nothing is worked out, only those that work nothing out."""
    for family in ways:
        for task in tasks:
            if task in WORKED or not (family.success in AT_WORK or family.failure in AT_WORK):
                yield task, family


def _victim(tasks: Iterable[TaskId]) -> EffectOfWorking:
    """Who has found out that working pays: every other answer of its own is worked, if it can be.

    Such an answer earns two thirds of a reward more.
    """
    own = {
        task: OwnAnswers((8.0, 12.0), 50, 100) if task in WORKED else OwnAnswers(count=100)
        for task in tasks
    }
    return EffectOfWorking(WorkingSeen(own=own))


def _encoded(
    policy: Policy,
    written: Sequence[ScoredGroup],
    recipe: Recipe,
    victim: EffectOfWorking | None,
) -> list[TrainingGroup]:
    """What a victim would train on of groups of others; ``victim``: what it knows of working."""
    scored = [one for one in written if not one.is_flat]
    left = accepted(policy, scored, recipe, SharedBudget(), victim) if scored else []
    return [encoded for one in left if (encoded := encode_group(policy, one, recipe, victim))]


def _as_in_an_update(groups: Sequence[TrainingGroup], recipe: Recipe) -> list[TrainingGroup]:
    """``groups`` with as many completions each as an update of ``IN_UPDATE`` has room for."""
    if recipe.most_in_update is None:
        return list(groups)
    most = completions_each(IN_UPDATE, recipe.most_in_update)
    return [thinned(one, most) for one in groups]


def _gradient(policy: Policy, groups: Sequence[TrainingGroup]) -> Tensor:
    """Gradient of the loss on ``groups``: [parameter of the adapter]."""
    accumulate_gradient(policy, groups, SharedBudget())
    gradient = torch.cat([one.flatten() for one in gradients(policy)])
    forget_gradients(policy)
    return gradient


def _lesson(policy: Policy, puzzle: Puzzle) -> TrainingGroup:
    """The right answer, to be made likelier."""
    prompt = policy.encode_prompt(puzzle.question.prompt)
    ids = policy.encode_completion(fully(puzzle), ended=True)
    return TrainingGroup(tuple(prompt), (tuple(ids),), (1.0,))


def _answers(policy: Policy, questions: Sequence[Question]) -> dict[str, list[str]]:
    said: dict[str, list[str]] = {}
    answers = TorchSampler(policy).complete(questions, HALF, 1)
    for question, completions in zip(questions, answers, strict=True):
        said.setdefault(question.key.task, []).extend(c.text for c in completions)
    return said


def _written(catalog: TaskCatalog, puzzle: Puzzle, family: Family, rng: Random) -> ScoredGroup:
    """A group as a victim would judge it."""
    task = catalog.task(puzzle.question.key.task)
    texts = [family.success(task, puzzle, rng) for _ in range(HALF)]
    texts += [family.failure(task, puzzle, rng) for _ in range(HALF)]
    completions = tuple(Completion(text, ended=True) for text in texts)
    return judge_openly(task, puzzle, unsigned_group(puzzle.question, completions))


def judge_openly(task: Task, puzzle: Puzzle, group: RolloutGroup) -> ScoredGroup:
    """What the isolated judge would say, for texts that were written here."""
    read = [read_answer(completion.text) for completion in group.completions]
    rewards = tuple(verify(task, puzzle, one.text) for one in read)
    unusual = frozenset(
        n
        for n, (one, reward) in enumerate(zip(read, rewards, strict=True))
        if reward and not (one.as_asked and is_canonical(task, puzzle, one.text))
    )
    return ScoredGroup(puzzle.question, group, rewards, unusual)
