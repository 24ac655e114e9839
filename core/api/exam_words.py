"""What to make of an exam, in sentences: was it skill or form, and how far has practice reached.

The window and the terminal say the same, each with figures as its language writes them.
"""

from collections.abc import Callable
from typing import Final, Literal

from core.api.practice import ExamResult, MeasuredScore
from core.i18n import TranslatableText, together, translatable

SURE: Final = 2.0
"""Standard errors beyond which chance alone hardly reaches: once in twenty exams."""

_ABOUT: Final = 0.05
"""The widest margin at which two shares that cannot be told apart are about the same."""

Finding = Literal["unpractised", "unsure", "worse", "both", "skill", "form", "unclear"]
"""Whether the model has become better, and by what; ``unclear``: better, but nobody can say how."""

FormatShare = Callable[[float], str]
"""Writes a share of one, such as 0.091 as "9.1": as points, or as a percentage."""


def margin(measured: MeasuredScore) -> float:
    """Half of the interval in which the truth lies in 95 of 100 exams."""
    return SURE * measured.standard_error


def finding(result: ExamResult) -> Finding:
    """What the exam has shown, as far as it can."""
    if result.round == 0:
        return "unpractised"
    if not _is_gain(result.gain.solved):
        return "worse" if result.gain.solved.mean < -margin(result.gain.solved) else "unsure"
    if _is_gain(result.gain.forgiven):
        return "both" if _is_gain(result.form) else "skill"
    return "form" if _is_gain(result.form) else "unclear"


def _is_gain(measured: MeasuredScore) -> bool:
    return measured.mean > margin(measured)


def verdict(result: ExamResult, points: FormatShare) -> TranslatableText:
    """Skill or form: a sentence that promises no more than the exam shows."""
    found = finding(result)
    gain, sure = points(result.gain.solved.mean), points(margin(result.gain.solved))
    if found == "unpractised":
        return translatable("It has not practised yet, so both are the same model.")
    if found == "unsure":
        unsure = translatable(
            "No difference that chance could not make: {} points, give or take {}.", gain, sure
        )
        return together(unsure, _more(result))
    if found == "worse":
        return translatable("It has become worse: {} points, give or take {}.", gain, sure)
    if found == "both":
        skill, form = points(result.gain.forgiven.mean), points(result.form.mean)
        return translatable(
            "Of the gain of {} points, {} are skill: right answers that were wrong before even "
            "when the form is forgiven; {} are form.",
            gain,
            skill,
            form,
        )
    if found == "unclear":
        unclear = translatable(
            "It has become better by {} points, give or take {}; whether by skill or by form, "
            "this exam cannot tell.",
            gain,
            sure,
        )
        return together(unclear, _more(result))
    return _of_one_kind(found, gain, sure)


def _more(result: ExamResult) -> TranslatableText | None:
    """What would tell more, where there is any."""
    return None if result.is_all else translatable("More puzzles tell more.")


def _of_one_kind(found: Literal["skill", "form"], gain: str, sure: str) -> TranslatableText:
    if found == "skill":
        return translatable(
            "The gain of {} points, give or take {}, is skill: right answers that were wrong "
            "before even when the form is forgiven.",
            gain,
            sure,
        )
    return translatable(
        "The gain of {} points, give or take {}, is form: it knew these answers before, "
        "and now writes them as asked.",
        gain,
        sure,
    )


def reach(result: ExamResult, percent: FormatShare) -> TranslatableText | None:
    """Whether it finds at the first try what the base only finds within eight; None unpractised."""
    if result.round == 0:
        return None
    now, base = percent(result.now.solved.mean), percent(result.before.pass_8.mean)
    if _is_gain(result.ahead):
        return translatable(
            "It now solves more at the first try than it did before within eight tries: "
            "{} against {}.",
            now,
            base,
        )
    if result.ahead.mean < -margin(result.ahead):
        return translatable(
            "It does not yet solve as much at the first try as it did before within eight tries: "
            "{} against {}.",
            now,
            base,
        )
    if margin(result.ahead) > _ABOUT:
        return translatable(
            "Whether it now solves as much at the first try as it did before within eight tries, "
            "this exam cannot tell: {} against {}.",
            now,
            base,
        )
    return translatable(
        "It now solves about as much at the first try as it did before within eight tries: "
        "{} against {}.",
        now,
        base,
    )


def exam_words(result: ExamResult, points: FormatShare, percent: FormatShare) -> TranslatableText:
    """Both sentences."""
    return together(verdict(result, points), reach(result, percent))
