"""Answers as they are shown: equal ones together, each with its verdict in words; pure."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, assert_never

from PySide6.QtCore import QCoreApplication

from app.text.plain_text import harmless
from core.api.preview import ANSWER_LENGTH, Attempt

translate = QCoreApplication.translate

Verdict = Literal["right", "partly", "wrong", "unjudged"]

MOST_LINES = 12  # of one answer


@dataclass(frozen=True, slots=True)
class AnswerCount:
    """One text that was answered once or several times."""

    text: str  # harmless; never empty
    verdict: Verdict
    times: int


def answers_of(attempts: Sequence[Attempt]) -> tuple[AnswerCount, ...]:
    """Equal attempts counted, the best first."""
    counted = Counter((_text(attempt), attempt.reward) for attempt in attempts)
    ranked = sorted(counted, key=lambda answer: (-(answer[1] or 0.0), -counted[answer]))
    return tuple(
        AnswerCount(text, verdict_of(reward), counted[text, reward]) for text, reward in ranked
    )


def verdict_of(reward: float | None) -> Verdict:
    """What a reward in [0, 1] means."""
    if reward is None:
        return "unjudged"
    if reward >= 1:
        return "right"
    return "partly" if reward > 0 else "wrong"


def verdict_words(verdict: Verdict) -> str:
    """A verdict in a word."""
    match verdict:
        case "right":
            return translate("Practice", "right")
        case "partly":
            return translate("Practice", "partly right")
        case "wrong":
            return translate("Practice", "wrong")
        case "unjudged":
            return ""
        case _:
            assert_never(verdict)


def tally(attempts: Sequence[Attempt]) -> str:
    """How many were right, such as ``3 of 8 right``; empty where nobody can judge."""
    if not attempts or any(attempt.reward is None for attempt in attempts):
        return ""
    right = sum(verdict_of(attempt.reward) == "right" for attempt in attempts)
    return translate("Practice", "{right} of {tries} right").format(
        right=right, tries=len(attempts)
    )


def _text(attempt: Attempt) -> str:
    text = harmless(attempt.text, ANSWER_LENGTH, MOST_LINES)
    return text if text.strip() else translate("Practice", "(no answer)")
