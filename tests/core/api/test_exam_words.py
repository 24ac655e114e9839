"""An exam in sentences that promise no more than it shows."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from core.api.exam_words import Finding, exam_words, finding, reach, verdict
from core.api.practice import ExamResult, MeasuredScore
from tests.saved_models import invented_exam


def measured(mean: float, error: float = 0.01) -> MeasuredScore:
    return MeasuredScore(mean=mean, standard_error=error)


def exam(solved: float, forgiven: float, error: float = 0.01, rounds: int = 7) -> ExamResult:
    """An exam that brought so much, with the form and with the form forgiven."""
    result = invented_exam()
    gain = replace(result.gain, solved=measured(solved, error), forgiven=measured(forgiven, error))
    form = measured(max(-1.0, min(1.0, solved - forgiven)), error / 4)
    return replace(result, round=rounds, gain=gain, form=form)


def points(share: float) -> str:
    return f"{100 * share:.1f}"


@pytest.mark.parametrize(
    ("result", "expected", "words"),
    [
        (
            exam(0.091, 0.084),
            "both",
            "Of the gain of 9.1 points, 8.4 are skill: right answers that were wrong before ",
        ),
        (exam(0.091, 0.09), "skill", "The gain of 9.1 points, give or take 2.0, is skill: "),
        (exam(0.091, 0.12), "skill", "The gain of 9.1 points, give or take 2.0, is skill: "),
        (exam(0.091, 0.01), "form", "The gain of 9.1 points, give or take 2.0, is form: "),
        (exam(0.021, 0.018), "unclear", "It has become better by 2.1 points"),
        (exam(0.019, 0.019), "unsure", "No difference that chance could not make: 1.9 points"),
        (exam(-0.019, 0.5), "unsure", "No difference that chance could not make: -1.9 points"),
        (exam(-0.091, 0.0), "worse", "It has become worse: -9.1 points, give or take 2.0."),
        (exam(0.0, 0.0, 0.0, 0), "unpractised", "It has not practised yet"),
        (exam(0.0, 0.0, 0.0), "unsure", "No difference that chance could not make: 0.0 points"),
    ],
)
def test_skill_and_form_are_told_apart_beyond_chance(
    result: ExamResult, expected: Finding, words: str
) -> None:
    """Two standard errors decide of the gain, of the skill in it, and of the form."""
    assert finding(result) == expected
    assert verdict(result, points).startswith(words)


@pytest.mark.parametrize(
    ("ahead", "words"),
    [
        (0.05, "It now solves more at the first try than it did before within eight tries: "),
        (0.01, "It now solves about as much at the first try as it did before within eight"),
        (-0.05, "It does not yet solve as much at the first try as it did before within eight"),
    ],
)
def test_the_first_try_is_held_against_eight_before(ahead: float, words: str) -> None:
    """Beyond chance only; with both figures."""
    result = replace(invented_exam(), ahead=measured(ahead))
    said = reach(result, points)
    assert said is not None
    assert said.startswith(words)
    scores = result.now.solved.mean, result.before.pass_8.mean
    assert said.endswith(f"{points(scores[0])} against {points(scores[1])}.")
    assert reach(replace(result, round=0), points) is None


@pytest.mark.parametrize(("now", "base"), [(0.0, 0.182), (0.588, 0.8)])
def test_few_puzzles_do_not_make_two_shares_the_same(now: float, base: float) -> None:
    """Where many points lie within chance, it is not said that they are about as much."""
    result = replace(invented_exam(), ahead=measured(now - base, 0.12))
    said = reach(result, points)
    assert said is not None
    assert said.startswith("Whether it now solves as much at the first try ")
    assert ", this exam cannot tell: " in said


@pytest.mark.parametrize("unknown", [exam(0.021, 0.018), exam(0.019, 0.019)])
def test_more_puzzles_are_advised_where_there_are_more(unknown: ExamResult) -> None:
    """Not to someone whose exam had all that are held out, as of a small deck."""
    advice = " More puzzles tell more."
    assert verdict(unknown, points).endswith(advice)
    assert f"{verdict(replace(unknown, is_all=True), points)}{advice}" == verdict(unknown, points)


@given(st.floats(-1, 1), st.floats(-1, 1), st.floats(0, 1), st.integers(0, 10**6))
def test_every_result_has_words(solved: float, forgiven: float, error: float, rounds: int) -> None:
    """No figure leaves a page silent; no loss is called a gain, and no unsure skill skill."""
    result = exam(solved, forgiven, error, rounds)
    found = finding(result)
    assert exam_words(result, points, points)
    assert found not in ("both", "skill", "form", "unclear") or solved > 2 * error
    assert found not in ("both", "skill") or forgiven > 2 * error
