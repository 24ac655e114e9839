"""How many questions a round has, where all that were planned would take too long; pure.

A round is what a person sees: until it is over, no score moves, and a computer that is wanted back
has lost what was begun. Starters play several a second; a model of half a billion parameters would
take minutes for eight questions and as many groups of others. It learns from fewer then, and steps
more often: the tokens that an answer costs are the same.
"""

import math
from typing import Final

LONGEST_S: Final = 60.0
"""Seconds that a round may take."""

FEWEST: Final = 2
"""Questions of a round, however long it takes; one alone would often teach nothing."""


def fitting_questions(most: int, tried: int, seconds: float) -> int:
    """Of ``most`` questions, as many as fit into a round, if ``tried`` of them took ``seconds``.

    A round's time is taken to be proportional to its questions. Part of it is not, so that what is
    foreseen for more of them is too long, and rounds come near to ``LONGEST_S`` from below: with n
    questions they end between n / (n + 1) of it and all of it.
    """
    if seconds * most <= tried * LONGEST_S:
        return most
    return min(most, max(FEWEST, math.floor(tried * LONGEST_S / seconds)))


def in_proportion(groups: int, questions: int, most: int) -> int:
    """Of ``groups`` of others, as many as go with ``questions`` of ``most`` own ones."""
    return math.ceil(groups * questions / most)
