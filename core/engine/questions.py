"""Questions for a round: drawn, made, and none of them of the exam."""

import logging
from random import Random
from typing import Final

from core.engine.ports import Curriculum, Scorer
from core.errors import PuzzleError
from core.rollouts.types import Question

MOST_UNMADE: Final = 32
"""Questions of a round that may not be made, before what is practised is held to be broken."""

_log = logging.getLogger(__name__)


async def new_questions(
    curriculum: Curriculum, scorer: Scorer, wanted: int, rng: Random
) -> list[Question]:
    """As many questions as are ``wanted``, none of them held out for the exam.

    One that cannot be made gives its place to another, or the next start would fail on it again.

    Raises:
        PuzzleError: hardly one can be made.
        ScorerError: the process cannot be kept alive.
    """
    failures = 0
    questions: list[Question] = []
    while len(questions) < wanted:
        for key in curriculum.draw(wanted - len(questions), rng):
            try:
                questions += [q for q in await scorer.ask([key]) if not q.is_held_out]
            except PuzzleError as error:
                failures += 1
                if failures > MOST_UNMADE:
                    raise
                _log.warning("Another puzzle in its place: %s", error)
    return questions
