"""An exam in words and figures, decided from its result; pure."""

from dataclasses import dataclass
from typing import Literal, assert_never

from PySide6.QtCore import QCoreApplication

from app.text.core_words import listed
from app.text.figures import figure, percent
from app.text.moments import moment
from core.api.practice import ExamResult, KindResult, MeasuredScore

translate = QCoreApplication.translate

SURE = 2.0
"""Standard errors beyond which chance alone hardly reaches: once in twenty exams."""

Finding = Literal["unpractised", "better", "unsure", "worse"]


@dataclass(frozen=True, slots=True)
class ExamRow:
    """One kind of puzzle."""

    title: str
    before: float  # share solved
    now: float
    words: str  # both, as read


@dataclass(frozen=True, slots=True)
class ExamViewModel:
    """All that is shown of a result."""

    headline: str
    finding: str  # what to make of it
    detail: str
    rows: tuple[ExamRow, ...]  # the largest gain first


def exam_view_model(result: ExamResult) -> ExamViewModel:
    """Put ``result`` in words."""
    found = finding(result)
    return ExamViewModel(
        headline=translate("Practice", "{before} before, {now} now.").format(
            before=percent(result.before.mean), now=percent(result.now.mean)
        ),
        finding=_words(found, result.gain),
        detail=_detail(result),
        rows=tuple(_row(kind) for kind in sorted(result.kinds, key=_rank)),
    )


def finding(result: ExamResult) -> Finding:
    """Whether the model has become better, as far as an exam can tell."""
    if result.round == 0:
        return "unpractised"
    margin = SURE * result.gain.standard_error
    if result.gain.mean > margin:
        return "better"
    return "worse" if result.gain.mean < -margin else "unsure"


def progress_words(done: int, total: int) -> str:
    """What an exam under way is at; nothing is ``done`` before the puzzles are chosen."""
    if done == 0:
        return translate("Practice", "Choosing puzzles that it never practised…")
    if done < total:
        return translate("Practice", "Trying puzzles: {} to go…").format(figure(total - done))
    return translate("Practice", "Checking the answers…")


def _words(found: Finding, gain: MeasuredScore) -> str:
    points = translate("Practice", "{gain} points, give or take {margin}").format(
        gain=f"{100 * gain.mean:+.0f}", margin=f"{100 * SURE * gain.standard_error:.0f}"
    )
    match found:
        case "unpractised":
            return translate("Practice", "It has not practised yet, so both are the same model.")
        case "better":
            return translate("Practice", "The gain is real: {}.").format(points)
        case "unsure":
            return translate(
                "Practice", "The difference may be chance: {}. More puzzles tell more."
            ).format(points)
        case "worse":
            return translate("Practice", "It has become worse: {}.").format(points)
        case _:
            assert_never(found)


def _detail(result: ExamResult) -> str:
    return translate(
        "Practice", "{puzzles} puzzles that it never practised, after {rounds} rounds; {when}."
    ).format(puzzles=figure(result.puzzles), rounds=figure(result.round), when=moment(result.at))


def _row(kind: KindResult) -> ExamRow:
    words = translate("Practice", "{before} → {now}")
    return ExamRow(
        listed(kind.title),
        kind.before,
        kind.now,
        words.format(before=percent(kind.before), now=percent(kind.now)),
    )


def _rank(kind: KindResult) -> tuple[float, float, str]:
    return kind.before - kind.now, -kind.now, listed(kind.title)
