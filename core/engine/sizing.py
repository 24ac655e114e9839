"""How large the rounds of a loop are: as many questions and answers as fit into a minute.

Questions become fewer first. Where not even the fewest fit, a round gives up one thing after the
other: answers to each question, and of those learnt from as large a share; tokens of an answer; and
groups of others, which then only stand in for own ones that teach nothing. One slow round may be
chance, such as a computer that slept; and how long a larger round would take, only such a round
tells.
"""

from dataclasses import replace
from typing import Final

from core.engine.plan import RoundPlan
from core.rollouts.recipes import Recipe, recipe_named
from core.rollouts.round_size import (
    FEWEST,
    LONGEST_S,
    fewer_answers,
    fitting_questions,
    learnt_answers,
    shorter_answers,
    usually_learnt,
)

SLOW_ROUNDS: Final = 3
"""So many rounds in a row must take too long before they shrink. In two of them another sampler may
have been opened, which took its turn."""

RETRY_AFTER: Final = 30
"""Rounds after giving something up, before one with it is tried again. If that one is slow, too,
it is the last for as long."""


def reductions(plan: RoundPlan, *, solo: bool = False) -> list[RoundPlan]:
    """``plan``, and what it comes to as one thing after the other is given up."""
    recipe, found = recipe_named(plan.recipe), [plan]
    size = plan.group_size, usually_learnt(recipe, plan.group_size)
    while (smaller := _smaller(recipe, plan.group_size, size[0])) != size:
        size = smaller
        found.append(replace(found[-1], group_size=size[0], learnt_answers=size[1]))
    tokens = plan.answer_tokens
    if tokens is not None and shorter_answers(tokens) < tokens:
        found.append(replace(found[-1], answer_tokens=shorter_answers(tokens)))
    if plan.swarm_groups and not solo:
        found.append(replace(found[-1], learnt_groups=FEWEST))
    return found


def _smaller(recipe: Recipe, most: int, answers: int) -> tuple[int, int]:
    """Fewer answers to each question than ``answers``, if possible; and those learnt from."""
    fewer = fewer_answers(answers)
    return fewer, learnt_answers(recipe, most, fewer)


class RoundSizer:
    """Follows the rounds of a loop and makes the plan of the next one.

    A plan that says nothing of its first round is that of all rounds.
    """

    def __init__(self, plan: RoundPlan, *, given_up: int = 0, solo: bool = False) -> None:
        """Go on where another run was.

        Args:
            plan: of the largest rounds that there may be.
            given_up: things that rounds did without.
            solo: there are no groups of others to give up.
        """
        self._plans = reductions(plan, solo=solo)
        self._slow = 0  # rounds in a row that took too long with the fewest questions
        self._since = 0  # rounds since something was given up or taken back
        self._enough = SLOW_ROUNDS  # of those before something is given up
        self.given_up = 0
        self.next = plan.first()
        if given_up and plan.first_questions is not None:
            self._go_to(min(given_up, len(self._plans) - 1))

    def note(self, seconds: float) -> None:
        """Note that the round just planned took ``seconds``.

        What was planned counts: fewer questions are tried where others' groups stand in for them.
        """
        whole = self._plans[0]
        if whole.first_questions is None:
            return
        is_slow = seconds > LONGEST_S and self.next.local_groups <= FEWEST
        self._slow = self._slow + 1 if is_slow else 0
        self._since += 1
        if not is_slow:
            self._enough = SLOW_ROUNDS
        if self._slow >= self._enough and self.given_up + 1 < len(self._plans):
            self._go_to(self.given_up + 1)
        elif self.given_up and self._since >= RETRY_AFTER and not is_slow:
            self._go_to(self.given_up - 1)
            self._enough = 1  # it has been too long before
        elif not self.given_up:
            planned = self.next.local_groups
            questions = fitting_questions(whole.local_groups, planned, seconds)
            self.next = whole.with_questions(questions)

    def _go_to(self, step: int) -> None:
        self.given_up, self._slow, self._since, self._enough = step, 0, 0, SLOW_ROUNDS
        self.next = self._plans[step].with_questions(FEWEST)
