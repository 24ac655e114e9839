"""The questions of a deck by which it is examined: so many, or so much work."""

from collections.abc import Iterable
from typing import Final

from core.decks.questions import DeckQuestion, DeckQuestions

LOOKED_AT: Final = 400
"""Questions of a level that are tried; a deck may have a hundred thousand."""

MOST_STEPS: Final = 200_000
"""For a level; fewer are tried where templates are more work, see ``DeckQuestions.steps``."""

FEWEST_TRIED: Final = 20
"""With less in as many steps there is no verdict: a deck's bytes could be chosen to suit it."""

MOST_MISSING: Final = 0.1
"""Share of a template's puzzles that may find no values: each is looked for in vain at length."""


def sample(questions: DeckQuestions, levels: Iterable[int]) -> dict[int, list[DeckQuestion | None]]:
    """The first questions by level, at least one of each; as many as ``MOST_STEPS`` allows."""
    found: dict[int, list[DeckQuestion | None]] = {level: [] for level in levels}
    for level, asked in found.items():
        before, missing = questions.steps, 0
        for number in range(LOOKED_AT):
            if questions.steps - before > MOST_STEPS:
                break
            if missing > MOST_MISSING * LOOKED_AT:  # its verdict is certain
                break
            asked.append(questions.question(level, number))
            missing += asked[-1] is None
    return found
