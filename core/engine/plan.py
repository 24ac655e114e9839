"""The parameters of rounds; no I/O."""

from dataclasses import dataclass, replace

from core.rollouts.round_size import fitting_questions, in_proportion
from core.rollouts.types import ModelId, PeerId


@dataclass(frozen=True, slots=True)
class RoundPlan:
    """Parameters that stay the same from round to round."""

    model: ModelId
    author: PeerId
    seed: int
    local_groups: int  # I: questions tried per round, at most where a loop plays them
    swarm_groups: int  # J: groups of others trained on, at most, unless the recipe fills up
    group_size: int  # G: completions per question
    recipe: str = "sapo"  # how the learner weighs what was tried
    teaches: bool = False  # decks show how they would answer where all own answers fail
    scope: str | None = None  # what skills are means over; None: everything that is built in
    first_questions: int | None = None  # of a run's first round, at most; None: ``local_groups``

    def fitted(self, questions: int) -> "RoundPlan":
        """The plan of a round into which so many own questions fit; 0: nobody knows yet.

        Groups of others are fewer in proportion.
        """
        most = self.local_groups
        questions = min(most, questions or self.first_questions or most)
        others = in_proportion(self.swarm_groups, questions, most)
        return replace(self, local_groups=questions, swarm_groups=others)

    def fitting(self, played: "RoundPlan", seconds: float) -> int:
        """Own questions that fit into a round, if one by the plan ``played`` took ``seconds``."""
        return fitting_questions(self.local_groups, played.local_groups, seconds)
