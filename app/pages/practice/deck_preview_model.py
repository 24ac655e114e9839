"""What is said of a table that is to become a deck; pure."""

from collections.abc import Mapping
from typing import Final, get_args

from PySide6.QtCore import QCoreApplication

from app.text.core_words import spoken
from app.text.deck_words import in_plain
from app.text.figures import figure, percent
from app.text.phrases import names
from core.api.decks import (
    DeckPart,
    DeckPreviewed,
    DeckTried,
    PreviewRow,
)
from core.i18n import retold

translate = QCoreApplication.translate

PARTS: Final[tuple[DeckPart, ...]] = get_args(DeckPart)


def part_title(part: DeckPart) -> str:
    """What a column holds."""
    titles: Mapping[DeckPart, str] = {
        "question": translate("Practice", "Question"),
        "answer": translate("Practice", "Answer"),
        "level": translate("Practice", "Level"),
        "labels": translate("Practice", "Choices"),
        "solution": translate("Practice", "How one gets there"),
        "variables": translate("Practice", "Variables"),
        "where": translate("Practice", "Condition"),
    }
    return titles[part]


def summary(shown: DeckPreviewed, skipped: int) -> str:
    """How many rows become questions; ``skipped`` were left out by the person."""
    good = shown.total - shown.bad - skipped
    if shown.trouble:
        return ""
    words = translate("Practice", "Rows that become questions: {good} of {total}.").format(
        good=figure(good), total=figure(shown.total)
    )
    if not shown.bad:
        return words
    left = translate("Practice", "Left out for what is wrong with them: {}.")
    return f"{words} {left.format(figure(shown.bad))}"


def shown_rows(shown: DeckPreviewed) -> str:
    """Which rows are shown, where not all of them are; else empty."""
    if len(shown.rows) >= shown.total:
        return ""
    words = translate(
        "Practice", "Shown are the first rows, and bad ones among the rest: {} in all."
    )
    return words.format(figure(len(shown.rows)))


def trouble_words(shown: DeckPreviewed) -> str:
    """Why there is no deck in it so far; empty where there is one."""
    return spoken(retold(shown.trouble, in_plain(shown.remarks)))


def problem_words(row: PreviewRow) -> str:
    """Why ``row`` is left out; empty where it is good."""
    return spoken(retold(row.problem, row.remarks))


def is_sound(shown: DeckPreviewed) -> bool:
    """It can be kept."""
    return not shown.trouble and not any(finding.is_error for finding in shown.findings)


def tried_words(tried: DeckTried) -> str:
    """How a model did, and at which levels."""
    words = spoken(retold(tried.words, tried.remarks))
    if len(tried.levels) == 1:
        return words
    each = (
        translate("Practice", "level {level}: {share}").format(level=level, share=percent(share))
        for level, share in sorted(tried.levels.items())
    )
    return f"{words} ({names(each)})"
