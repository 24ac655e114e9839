"""The control that the paper lacks: a node alone that makes up for its flat groups by generating.

It stands where the swarm stands, so that everything else of a round stays the same: J groups that
teach are added to the own ones, only that the node tried them itself. What they cost in generated
tokens is what a swarm saves.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from random import Random

from core.engine.ports import Curriculum, Exchange, Sampler, Scorer
from core.engine.round import RoundPlan
from core.rollouts.mixing import has_signal
from core.rollouts.types import PeerId, Question, RolloutGroup

ONESELF = PeerId("self")
"""Whose these groups are said to be, so that the own figures stay those of the I questions."""

MOST_TRIED = 64
"""Questions that a round tries, or a model that knows nothing would try forever."""


@dataclass(frozen=True, slots=True)
class SelfSupply:
    """Answers the node's request for groups with more of its own; matches ``ports.Swarm``."""

    plan: RoundPlan
    curriculum: Curriculum
    sampler: Sampler
    scorer: Scorer

    async def exchange(
        self, own: Sequence[RolloutGroup], want: int, score: float | None = None
    ) -> Exchange:
        """Try more questions until J groups teach something; no more than are missing at a time."""
        del want, score
        rng = Random(f"{self.plan.seed}/{own[0].round}/more")  # noqa: S311 - repeatable on purpose
        found: list[RolloutGroup] = []
        tried = 0
        while tried < MOST_TRIED and len(found) < self.plan.swarm_groups:
            missing = min(self.plan.swarm_groups - len(found), MOST_TRIED - tried)
            found += await self._try_more(missing, own[0].round, rng)
            tried += missing
        return Exchange(tuple(found), peers=0, reachable=True, words="")

    def learnt_from(self, groups: Sequence[RolloutGroup]) -> None:
        """There is nobody to thank."""

    async def _try_more(self, count: int, number: int, rng: Random) -> list[RolloutGroup]:
        questions: list[Question] = []
        while len(questions) < count:
            keys = self.curriculum.draw(count - len(questions), rng)
            questions += [q for q in await self.scorer.ask(keys) if not q.is_held_out]
        answers = self.sampler.complete(questions, self.plan.group_size, rng.getrandbits(62))
        tried = [
            RolloutGroup(q.key, q.digest, ONESELF, self.plan.model, number, completions)
            for q, completions in zip(questions, answers, strict=True)
        ]
        return [scored.group for scored in await self.scorer.judge(tried) if has_signal(scored)]
