"""How many questions and answers a round has, where all would take too long; pure.

A round is what a person sees: until it is over, no score moves, and a computer that is wanted back
has lost what was begun. Starters play several a second; a model of half a billion parameters would
take minutes for eight questions and as many groups of others. It learns from fewer then, and steps
more often. Where even two questions take too long, fewer answers are tried to each, and half of the
fewest learnt from, for less work and about as much skill (``core/lab/RESULTS.md``); then answers
are cut off sooner.
"""

import math
from typing import Final

from core.rollouts.recipes import Recipe

LONGEST_S: Final = 60.0
"""Seconds that a round may take."""

SHORT_S: Final = 40.0
"""A round that takes longer than this is long enough: one question more might be too much."""

FEWEST: Final = 2
"""Questions of a round, however long it takes; one alone would often teach nothing."""

FEWEST_ANSWERS: Final = 4
"""Answers to each, however long a round takes; of fewer, all would often earn the same."""

PAIR: Final = 2
"""Of the fewest answers, those that are learnt from at most where a round takes too long."""

FEWEST_TOKENS: Final = 48
"""Tokens that an answer may have, however long a round takes; with fewer nothing can be worked."""


def fewer_answers(answers: int) -> int:
    """Half of ``answers``, as far as there are more than the fewest."""
    return min(answers, max(FEWEST_ANSWERS, answers // 2))


def shorter_answers(tokens: int) -> int:
    """Half of ``tokens``, as far as there are more than the fewest."""
    return min(tokens, max(FEWEST_TOKENS, tokens // 2))


def learnt_answers(recipe: Recipe, most: int, answers: int) -> int:
    """Of ``answers`` to a question as small a share is learnt from as of ``most``, rounded up.

    Of the fewest a pair at most.
    """
    learnt = math.ceil(usually_learnt(recipe, most) * answers / most)
    return min(learnt, PAIR) if answers <= FEWEST_ANSWERS else learnt


def usually_learnt(recipe: Recipe, answers: int) -> int:
    """Of so many ``answers`` to a question, those that are learnt from where there is time."""
    return min(answers, recipe.most_completions or answers)


def fitting_questions(most: int, tried: int, seconds: float) -> int:
    """Of ``most`` questions, as many as fit into a round, if ``tried`` of them took ``seconds``.

    A round's time is taken to be proportional to its questions. Part of it is not, so that what is
    foreseen for more of them is too long, and rounds come near to ``LONGEST_S`` from below.
    """
    if SHORT_S < seconds <= LONGEST_S:
        return min(most, max(FEWEST, tried))
    if seconds * most <= tried * LONGEST_S:
        return most
    return min(most, max(FEWEST, math.floor(tried * LONGEST_S / seconds)))


def fitted_seconds(few: float, whole: float, most: int) -> float:
    """Seconds of a round with as many of ``most`` questions, more than ``FEWEST``, as fit.

    Those with ``FEWEST`` take ``few``, those with all of them ``whole``; between them time is
    linear.
    """
    each = max(0.0, whole - few) / (most - FEWEST)
    fits = max(0, math.floor((LONGEST_S - few) / each)) if each else most
    return few + each * min(fits, most - FEWEST)


def seconds_with_fewer_answers(few: float, whole: float, most: int) -> float:
    """Seconds of a round with as many of ``most`` answers, more than the fewest, as fit.

    Those with ``FEWEST_ANSWERS``, of which a pair is learnt from, take ``few``, those with all of
    them ``whole``; between them time is linear.
    """
    if most <= FEWEST_ANSWERS:
        return few
    answers, seconds = most, whole
    while seconds > LONGEST_S and answers > FEWEST_ANSWERS:
        answers = fewer_answers(answers)
        share = (answers - FEWEST_ANSWERS) / (most - FEWEST_ANSWERS)
        seconds = few + (whole - few) * share
    return seconds
