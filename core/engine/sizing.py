"""How large the rounds of a loop are: as many questions and answers as fit into a minute.

Questions become fewer first. Where not even the fewest fit, fewer answers are tried to each, and as
small a share of them is learnt from as before; where that is still too much, groups of others only
stand in for own ones that teach nothing. One slow round may be chance, such as a computer that
slept; and how long a round with more answers would take, only such a round tells.
"""

from dataclasses import replace
from typing import Final

from core.engine.plan import RoundPlan
from core.rollouts.recipes import recipe_named
from core.rollouts.round_size import (
    FEWEST,
    LONGEST_S,
    fewer_answers,
    fitting_questions,
    learnt_answers,
)

SLOW_ROUNDS: Final = 3
"""So many rounds in a row must take too long before they shrink. In two of them another sampler may
have been opened, which took its turn."""

RETRY_AFTER: Final = 30
"""Rounds with fewer answers before one with more is tried again."""


class RoundSizer:
    """Follows the rounds of a loop and makes the plan of the next one.

    A plan that says nothing of its first round is that of all rounds.
    """

    def __init__(self, plan: RoundPlan) -> None:
        """``plan``: of the largest rounds that there may be."""
        self._most = plan
        self._slow = 0  # rounds in a row that took too long with the fewest questions
        self._reduced = 0  # rounds since the number of answers changed
        self.next = plan.first()

    def note(self, tried: int, seconds: float) -> None:
        """Note that the round just planned took ``seconds`` for ``tried`` questions."""
        if self._most.first_questions is None:
            return
        answers, is_whole = self.next.group_size, self.next.group_size == self._most.group_size
        is_slow = seconds > LONGEST_S and self.next.local_groups <= FEWEST
        self._slow = self._slow + 1 if is_slow else 0
        self._reduced += 1
        if self._slow >= SLOW_ROUNDS and fewer_answers(answers) < answers:
            self._try_answers(fewer_answers(answers))
        elif self._slow >= SLOW_ROUNDS and self.next.learnt_groups is None:
            self._slow = self._reduced = 0
            self.next = replace(self.next, learnt_groups=FEWEST)
        elif not is_whole and self._reduced >= RETRY_AFTER:
            self._try_answers(min(self._most.group_size, 2 * answers))
        elif is_whole:
            most = self._most.local_groups
            self.next = self._most.with_questions(fitting_questions(most, tried, seconds))

    def _try_answers(self, answers: int) -> None:
        most, recipe = self._most, recipe_named(self._most.recipe)
        self._slow = self._reduced = 0
        self.next = most.with_questions(self.next.local_groups)
        if answers < most.group_size:
            learnt = learnt_answers(recipe, most.group_size, answers)
            self.next = replace(self.next, group_size=answers, learnt_answers=learnt)
