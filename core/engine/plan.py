"""The parameters of rounds; no I/O."""

import math
from dataclasses import dataclass, replace

from core.rollouts.round_size import RoundSize, fitting_size
from core.rollouts.types import ModelId, PeerId


@dataclass(frozen=True, slots=True)
class RoundPlan:
    """Parameters of a round, or of the largest rounds that a loop plays."""

    model: ModelId
    author: PeerId
    seed: int
    local_groups: int  # I: questions tried per round
    swarm_groups: int  # J: groups of others trained on, at most, unless the recipe fills up
    group_size: int  # G: completions per question
    learnt_answers: int | None = None  # of each group, at most; None: as many as the recipe says
    recipe: str = "sapo"  # how the learner weighs what was tried
    teaches: bool = False  # decks show how they would answer where all own answers fail
    scope: str | None = None  # what skills are means over; None: everything that is built in
    is_small: bool = True  # the model; see ``core.rollouts.probing.is_probed``
    first_questions: int | None = None
    """Own questions of the first round that a loop plays; later ones have as many as fit. None: all
    have ``local_groups``, so that rounds do not depend on how long they take."""

    def with_questions(self, questions: int) -> "RoundPlan":
        """This plan with so many own questions at most, and groups of others in proportion."""
        questions = min(questions, self.local_groups)
        others = math.ceil(self.swarm_groups * questions / self.local_groups)
        return replace(self, local_groups=questions, swarm_groups=others)

    def first(self) -> "RoundPlan":
        """The plan of the first round that a loop plays."""
        return self if self.first_questions is None else self.with_questions(self.first_questions)

    def with_size(self, size: RoundSize) -> "RoundPlan":
        """This plan with so many own questions and answers to each; of fewer answers half teach."""
        plan = self.with_questions(size.questions)
        if size.answers >= self.group_size:
            return plan
        return replace(plan, group_size=size.answers, learnt_answers=size.answers // 2)

    def after(self, tried: RoundSize, seconds: float) -> "RoundPlan":
        """The plan of the round after one of the size ``tried`` that took ``seconds``."""
        if self.first_questions is None:
            return self
        most = RoundSize(self.local_groups, self.group_size)
        return self.with_size(fitting_size(most, tried, seconds))

    def tried(self, questions: int) -> RoundSize:
        """The size of a round of this plan in which so many questions were tried."""
        return RoundSize(questions, self.group_size)
