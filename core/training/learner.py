"""GRPO on own and others' groups: one Adam step an update (SAPO, arXiv 2509.08721, algorithm 1).

Deviations from the paper:
1. The adapter learns, not the whole model: LoRA on all linear layers, alpha/rank scaling.
2. The gradient's norm is clipped at 1.
3. Others' completions that are longer than the own budget are left out, and the advantages are
   taken over those that remain.
4. Own groups and those of others may be weighed differently: see ``core.rollouts.recipes``.
5. The learning rate falls: see ``decayed``.

Old log-probabilities, normalisation and clip: see ``core.training.loss``.
"""

import logging
import math
from collections.abc import Mapping, Sequence
from itertools import chain
from typing import Final, Protocol

import torch
from torch import Tensor

from core.engine.ports import Progress, UpdateReport
from core.errors import CheckpointError
from core.i18n import together, translatable
from core.models.memory.budget import SharedBudget
from core.models.policy.policy import Policy
from core.paths import HOW_TO_START_OVER
from core.rollouts.recipes import recipe_named
from core.rollouts.types import ScoredGroup
from core.training.batch import TrainingGroup
from core.training.checkpoint_notes import CheckpointNote
from core.training.checkpoints import Checkpoint
from core.training.effect_of_working import EffectOfWorking
from core.training.encoding import accepted, completions_each, encode_group, is_own, thinned
from core.training.gradient import accumulate_gradient
from core.training.influence import bound_weights
from core.training.pass_memory import has_room

MAX_GRAD_NORM: Final = 1.0
DECAY_STEPS: Final = 100
LEAST_RATE: Final = 0.1  # of the peak

_ADAPTER: Final = "adapter/"
_OPTIMISER: Final = "adam/"
_MOMENTS: Final = ("step", "exp_avg", "exp_avg_sq")

_log = logging.getLogger(__name__)


def decayed(peak: float, steps: int) -> float:
    """Learning rate after ``steps`` of the optimiser: it falls with their inverse square root.

    A rate that stays high keeps moving what an update says nothing of, and unlearns it. How many
    steps there will be nobody knows, so it follows no end (arXiv 1706.03762, section 5.3).
    """
    return peak * max(LEAST_RATE, 1 / math.sqrt(1 + steps / DECAY_STEPS))


class ProgressStore(Protocol):
    """Where a learner keeps its progress; ``core.training.checkpoints`` has the one on disk."""

    def save(self, checkpoint: Checkpoint) -> None:
        """Keep ``checkpoint``.

        Raises:
            DiskFullError: what was kept before is still there.
        """

    def newest(self) -> Checkpoint | None:
        """The one that was kept last; None where there is none.

        Raises:
            CheckpointError: there are some, but none that can be used.
        """


class GrpoLearner:
    """Owns the policy's adapter and its optimiser, and keeps both in a store."""

    def __init__(
        self,
        policy: Policy,
        store: ProgressStore,
        recipe: str = "sapo",
        budget: SharedBudget | None = None,
    ) -> None:
        self._policy = policy
        self._store = store
        self._recipe = recipe_named(recipe)
        self._budget = budget or SharedBudget()
        self._adapter = policy.adapter()
        self._optimiser = torch.optim.Adam(
            self._adapter.values(), lr=policy.spec.learning_rate, fused=True
        )
        self._working = EffectOfWorking()
        self._tried = 0  # terms of the own tries of this round
        self._steps = 0  # as Adam counts them, which may be on a card that one would wait for
        # Before any work: Adam would make it in its first step, where a shortage cannot be mended.
        for parameter in self._adapter.values():
            self._optimiser.state[parameter] = {
                "step": torch.zeros((), device=parameter.device),
                "exp_avg": torch.zeros_like(parameter),
                "exp_avg_sq": torch.zeros_like(parameter),
            }

    def update(
        self, groups: Sequence[ScoredGroup], answers_each: int | None = None
    ) -> UpdateReport:
        """Take one optimiser step on ``groups``; without anything to learn from, none.

        Of each group at most ``answers_each`` answers are learnt from, two at least. Groups that
        are flat, or become so once what does not fit is left out, are ignored, unless they are own
        ones of whose questions something was expected. Questions that are too long for the memory
        there is are ignored, too.

        Raises:
            MemoryShortError: the memory is too small for it, whatever is given up; the adapter is
                as it was.
        """
        encoded = self._with_room(self._encode(groups, answers_each))
        if not encoded:
            return UpdateReport()
        learnt = [*encoded.values()]
        tried = self._tried if self._recipe.counts_tries else None
        accumulate_gradient(self._policy, learnt, self._budget, tried)
        norm = torch.nn.utils.clip_grad_norm_(self._adapter.values(), MAX_GRAD_NORM).item()
        if not math.isfinite(norm):
            _log.warning("The gradient is not finite; this update is skipped.")
            self._optimiser.zero_grad()
            return UpdateReport()
        self._set_rate()
        self._optimiser.step()
        self._steps += 1
        self._optimiser.zero_grad()
        self._policy.learned()
        trained = tuple(groups[number] for number in sorted(encoded))
        tokens = sum(group.trained_tokens for group in encoded.values())
        return UpdateReport(trained, tokens, norm)

    def observe(self, tries: Sequence[ScoredGroup]) -> None:
        """Learn how much working brings from own ``tries`` of a round, and count their terms."""
        self._working.observe_own(tries)
        answers = [one.tokens for tried in tries for one in tried.group.completions if one.tokens]
        by_sequence = self._recipe.by_sequence
        self._tried = len(answers) if by_sequence else sum(len(one.ids) for one in answers)

    def accept(self, groups: Sequence[ScoredGroup]) -> list[ScoredGroup]:
        """The part of others' ``groups`` that may be learnt from; see ``encoding.accepted``."""
        self._working.observe_others(groups)
        return accepted(self._policy, groups, self._recipe, self._budget, self._working)

    def save(self, progress: Progress) -> None:
        """Write adapter, optimiser and ``progress`` atomically.

        Raises:
            DiskFullError: nothing was replaced.
        """
        tensors: dict[str, Tensor] = {}
        for name, parameter in self._adapter.items():
            tensors[_ADAPTER + name] = parameter.detach().cpu()
            for moment, value in self._optimiser.state[parameter].items():
                tensors[f"{_OPTIMISER}{moment}/{name}"] = value.cpu()
        self._store.save(Checkpoint(self._note(progress), tensors))

    def resume(self) -> Progress | None:
        """Load the newest readable checkpoint and go on with its recipe; None where there is none.

        Raises:
            CheckpointError: there are checkpoints, but none that can be used.
        """
        checkpoint = self._store.newest()
        if checkpoint is None:
            return None
        self._check(checkpoint)
        self._recipe = recipe_named(checkpoint.note.progress.recipe)
        self._working = EffectOfWorking(checkpoint.note.working_seen)
        self._load(checkpoint.tensors)
        self._policy.learned()
        return checkpoint.note.progress

    def _set_rate(self) -> None:
        for group in self._optimiser.param_groups:
            group["lr"] = decayed(self._policy.spec.learning_rate, self._steps)

    def _encode(
        self, groups: Sequence[ScoredGroup], answers_each: int | None
    ) -> dict[int, TrainingGroup]:
        """Those that teach something, by number: own ones first, then lessons, then others'."""
        own = [n for n, group in enumerate(groups) if is_own(group)]
        lessons = [n for n, group in enumerate(groups) if group.trusted]
        others = [n for n, group in enumerate(groups) if not (is_own(group) or group.trusted)]
        policy, recipe, working = self._policy, self._recipe, self._working
        encoded = [
            {n: one for n in side if (one := encode_group(policy, groups[n], recipe, working))}
            for side in (own, lessons, others)
        ]
        most, count = self._recipe.most_in_update, sum(map(len, encoded))
        bounds = [] if answers_each is None else [max(2, answers_each)]
        if most is not None and count:
            bounds.append(completions_each(count, most))
        if bounds:
            most = min(bounds)
            encoded = [{n: thinned(one, most) for n, one in side.items()} for side in encoded]
        if self._recipe.bounds_weight:
            bounded = bound_weights([*encoded[0].values()], [*encoded[-1].values()])
            encoded[-1] = dict(zip(encoded[-1], bounded, strict=True))
        return dict(chain.from_iterable(side.items() for side in encoded))

    def _with_room(self, groups: Mapping[int, TrainingGroup]) -> dict[int, TrainingGroup]:
        """Without questions that are too long for the memory there is now."""
        budget = self._budget.current
        left = {n: one for n, one in groups.items() if has_room(self._policy, one, budget)}
        if len(left) < len(groups):
            _log.warning("%d questions are too long for the free memory.", len(groups) - len(left))
        return left

    def _note(self, progress: Progress) -> CheckpointNote:
        spec, seen = self._policy.spec, self._working.seen
        return CheckpointNote(spec.id, self._policy.fingerprint, progress, working_seen=seen)

    def _check(self, checkpoint: Checkpoint) -> None:
        note, spec = checkpoint.note, self._policy.spec
        shapes = {
            name.removeprefix(_ADAPTER): tensor.shape
            for name, tensor in checkpoint.tensors.items()
            if name.startswith(_ADAPTER)
        }
        own = {name: parameter.shape for name, parameter in self._adapter.items()}
        if (note.model, note.base, shapes) != (spec.id, self._policy.fingerprint, own):
            raise CheckpointError(
                together(
                    translatable(
                        "The saved progress belongs to another version of the model {}.", spec.title
                    ),
                    HOW_TO_START_OVER,
                )
            )

    def _load(self, tensors: Mapping[str, Tensor]) -> None:
        for name, parameter in self._adapter.items():
            parameter.detach().copy_(tensors[_ADAPTER + name])
            self._optimiser.state[parameter] = {
                moment: tensors[f"{_OPTIMISER}{moment}/{name}"].to(parameter.device)
                for moment in _MOMENTS
            }
        self._steps = int(next(iter(self._optimiser.state.values()))["step"])
