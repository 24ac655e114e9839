"""The parameters of rounds; no I/O."""

import math
from dataclasses import dataclass, replace

from core.rollouts.types import ModelId, PeerId, TaskId


@dataclass(frozen=True, slots=True)
class RoundPlan:
    """Parameters of a round, or of the largest rounds that a loop plays."""

    model: ModelId
    author: PeerId
    seed: int
    local_groups: int  # I: questions tried per round
    swarm_groups: int  # J: groups of others trained on, at most, unless the recipe fills up
    group_size: int  # G: completions per question
    recipe: str = "sapo"  # how the learner weighs what was tried
    learnt_answers: int | None = None  # of each group, at most; None: as many as the recipe says
    answer_tokens: int | None = None  # of each answer, at most; None: as many as the model may
    learnt_groups: int | None = None  # of an update, beyond which no other's is; None: no bound
    teaches: bool = False  # decks show how they would answer where all own answers fail
    scope: str | None = None  # what skills are means over; None: everything that is built in
    is_small: bool = True  # the model; see ``core.rollouts.probing.is_probed``
    unshared: frozenset[TaskId] = frozenset()  # kinds of which no try leaves this computer
    first_questions: int | None = None
    """Own questions of the first round that a loop plays; later ones are as large as fits, see
    ``sizing``. None: all have ``local_groups``, and do not depend on how long they take."""

    def with_questions(self, questions: int) -> "RoundPlan":
        """This plan with so many own questions at most, and groups of others in proportion."""
        questions = min(questions, self.local_groups)
        others = math.ceil(self.swarm_groups * questions / self.local_groups)
        return replace(self, local_groups=questions, swarm_groups=others)

    def first(self) -> "RoundPlan":
        """The plan of the first round that a loop plays."""
        return self if self.first_questions is None else self.with_questions(self.first_questions)
