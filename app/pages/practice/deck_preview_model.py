"""What is said of a table that is to become a deck; pure."""

from collections.abc import Mapping
from typing import Final, get_args

from msgspec.structs import replace
from PySide6.QtCore import QCoreApplication

from app.text.core_words import spoken
from app.text.figures import figure, percent
from app.text.phrases import labelled, names
from core.api.decks import (
    DeckMatcher,
    DeckPart,
    DeckPreviewed,
    DeckTried,
    PreviewFinding,
    PreviewRow,
)
from core.i18n import Remark, Remarks, retold

translate = QCoreApplication.translate

PARTS: Final[tuple[DeckPart, ...]] = get_args(DeckPart)
MATCHERS: Final[tuple[DeckMatcher, ...]] = get_args(DeckMatcher)


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


def matcher_title(matcher: DeckMatcher) -> str:
    """How answers are compared."""
    titles: Mapping[DeckMatcher, str] = {
        "text": translate("Practice", "Letter for letter"),
        "caseless": translate("Practice", "Capitals do not matter"),
        "integer": translate("Practice", "Whole numbers"),
        "decimal": translate("Practice", "Decimal numbers"),
        "fraction": translate("Practice", "Fractions"),
        "choice": translate("Practice", "One of the choices"),
        "words": translate("Practice", "Words in any order"),
    }
    return titles[matcher]


def summary(shown: DeckPreviewed, skipped: int) -> str:
    """How many rows become questions; ``skipped`` were left out by the person."""
    good = shown.total - shown.bad - skipped
    if shown.trouble:
        return ""
    words = translate("Practice", "{good} of {total} rows become questions.").format(
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
    return spoken(retold(shown.trouble, _in_plain(shown.remarks)))


def problem_words(row: PreviewRow) -> str:
    """Why ``row`` is left out; empty where it is good."""
    return spoken(retold(row.problem, row.remarks))


def finding_words(finding: PreviewFinding) -> str:
    """What the doctor found, what it means for keeping the deck, and where."""
    words = spoken(retold(finding.words, _in_plain(finding.remarks)))
    if finding.is_error:
        words = labelled(translate("Practice", "To be mended first"), words)
    if not finding.rows:
        return words
    rows = names(figure(number) for number in finding.rows)
    return f"{words} {translate('Practice', '(Rows: {})').format(rows)}"


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


def _in_plain(remarks: Remarks) -> Remarks:
    """``remarks`` with ways of comparing as they are called here."""
    titles = {f"“{name}”": f"“{matcher_title(name)}”" for name in MATCHERS}

    def plain(remark: Remark) -> Remark:
        blanks = (
            titles.get(one, one) if isinstance(one, str) else plain(one) for one in remark.blanks
        )
        return replace(remark, blanks=tuple(blanks))

    return tuple(map(plain, remarks))
