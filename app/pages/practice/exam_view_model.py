"""An exam in words and figures, decided from its result; pure."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from PySide6.QtCore import QCoreApplication

from app.text.core_words import listed, spoken
from app.text.figures import figure, percent, points
from app.text.model_words import rounds
from app.text.moments import moment
from core.api.exam_words import margin, reach, verdict
from core.api.practice import ExamResult, KindResult, MeasuredScore

translate = QCoreApplication.translate

_SCALES: Final = (0.1, 0.2, 0.5, 1.0)


@dataclass(frozen=True, slots=True)
class ExamRow:
    """One measure, or one kind of puzzle."""

    title: str
    before: float  # share solved
    now: float
    words: str  # both, as read
    before_margin: float = 0.0  # half of the interval around each; 0: nothing is said of it
    now_margin: float = 0.0


@dataclass(frozen=True, slots=True)
class ExamViewModel:
    """All that is shown of a result."""

    headline: str
    finding: str  # skill or form
    reach: str  # the first try against eight before; empty where there is nothing to compare
    detail: str
    measures: tuple[ExamRow, ...]
    scale: float  # the share at which the lines of the measures end
    rows: tuple[ExamRow, ...]  # the largest gain first


def exam_view_model(result: ExamResult) -> ExamViewModel:
    """Put ``result`` in words."""
    measures = _measures(result)
    return ExamViewModel(
        headline=translate("Practice", "{before} before, {now} now.").format(
            before=_exact(result.before.solved.mean), now=_exact(result.now.solved.mean)
        ),
        finding=spoken(verdict(result, points)),
        reach=spoken(reach(result, _exact) or ""),
        detail=_detail(result),
        measures=measures,
        scale=_scale(measures),
        rows=tuple(_row(kind) for kind in sorted(result.kinds, key=_rank)),
    )


def progress_words(done: int, total: int) -> str:
    """What an exam under way is at; ``total`` is 0 before the puzzles are chosen."""
    if total == 0:
        return translate("Practice", "Choosing puzzles that it never practised…")
    if done < total:
        return translate("Practice", "Trying puzzles: {} to go…").format(figure(total - done))
    return translate("Practice", "Checking the answers…")


def scale_words(scale: float) -> str:
    """From where to where a line goes."""
    return translate("Practice", "Lines: 0 to {}").format(percent(scale))


def _detail(result: ExamResult) -> str:
    return translate(
        "Practice",
        "{puzzles} puzzles that it never practised, after {rounds}; {when}. Kinds: {kinds}, levels "
        "of them: {levels}.",
    ).format(
        puzzles=figure(result.puzzles),
        rounds=rounds(result.round),
        when=moment(result.at),
        kinds=figure(len(result.kinds)),
        levels=figure(result.cells),
    )


def _measures(result: ExamResult) -> tuple[ExamRow, ...]:
    before, now = result.before, result.now
    return (
        _measure(translate("Practice", "Solved at the first try"), before.solved, now.solved),
        _measure(
            translate("Practice", "The same if the form is forgiven"),
            before.forgiven,
            now.forgiven,
        ),
        _measure(translate("Practice", "Solved within eight tries"), before.pass_8, now.pass_8),
    )


def _measure(title: str, before: MeasuredScore, now: MeasuredScore) -> ExamRow:
    words = translate("Practice", "{before} ± {before_margin} → {now} ± {now_margin}").format(
        before=points(before.mean),
        before_margin=points(margin(before)),
        now=points(now.mean),
        now_margin=_exact(margin(now)),
    )
    return ExamRow(title, before.mean, now.mean, words, margin(before), margin(now))


def _scale(measures: Sequence[ExamRow]) -> float:
    """The smallest that holds every interval: where little is solved, it would be a dot."""
    most = max(max(row.before + row.before_margin, row.now + row.now_margin) for row in measures)
    return next((scale for scale in _SCALES if most <= scale), 1.0)


def _exact(share: float) -> str:
    return f"{points(share)}\u00a0%"


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
