"""Lessons: where all own answers to a deck's question fail, the deck shows its own.

Whoever does not train may post rollouts too (SAPO, arXiv 2509.08721, section 3): the deck is such a
peer. Its answer stands beside the failures as the one success of the group, so relative advantages
are what they would be if the model had found it. Where the model succeeds at all, nobody teaches:
what it finds by itself suits it better. Pure.
"""

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from core.rollouts.types import Completion, ScoredGroup

SHARE: Final = 0.25
"""Lessons in a round for each question that it goes on with, at most; but one, if there is any."""


def lessons(own: Sequence[ScoredGroup], local_groups: int) -> list[ScoredGroup]:
    """A group for each question of ``own`` that failed altogether and whose deck tells more.

    The first of them, as far as ``SHARE`` of ``local_groups`` allows. Those that are held out for
    the exam are never taught.
    """
    failed = [one for one in own if _can_be_taught(one)]
    return [_lesson(one) for one in failed[: max(1, int(SHARE * local_groups))]]


def _can_be_taught(scored: ScoredGroup) -> bool:
    question = scored.question
    return bool(question.lesson) and not question.is_held_out and not any(scored.rewards)


def _lesson(scored: ScoredGroup) -> ScoredGroup:
    shown = Completion(scored.question.lesson, ended=True)
    group = replace(scored.group, completions=(*scored.group.completions, shown))
    return replace(scored, group=group, rewards=(*scored.rewards, 1.0), trusted=True)
