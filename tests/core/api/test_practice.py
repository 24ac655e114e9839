"""Words about practice cross the pipe unharmed, and no farther than their bounds."""

import pytest
from msgspec.structs import replace

from core.api.pipe import encode
from core.api.practice import (
    ExamProgress,
    ExamTaken,
    ModelTried,
    PracticeShown,
    PuzzleKind,
    ShowPractice,
    TakeExam,
    Trying,
    TryModel,
)
from core.api.preview import ANSWER_LENGTH, MOST_ANSWERS, QUESTION_LENGTH, Attempt
from core.api.protocol import AnyAnswer, AnyRequest, decode_answer, decode_request
from core.errors import WireError
from tests.saved_models import invented_exam

ATTEMPTS = (Attempt("6", 1.0), Attempt("Hello", None))
TRIED = ModelTried(
    id=2, model="spark", round=7, title="", question="3 + 4?", before=ATTEMPTS, now=ATTEMPTS
)
KINDS = (PuzzleKind(task="gcd", title="Find the greatest common divisor"),)


@pytest.mark.parametrize(
    "request_",
    [
        ShowPractice(id=1, model="spark"),
        TryModel(model="spark", text="What is 3 + 4?"),
        TryModel(model="spark", task="gcd", seed=2**32 - 1, attempts=8),
        TakeExam(model="spark", puzzles=100),
    ],
)
def test_a_request_comes_back_equal(request_: AnyRequest) -> None:
    """What the window asks is what the helper hears."""
    assert decode_request(encode(request_)) == request_


@pytest.mark.parametrize(
    "answer",
    [
        PracticeShown(id=1, model="spark", kinds=KINDS),
        PracticeShown(id=1, model="spark", kinds=KINDS, exam=invented_exam()),
        Trying(is_loading=True),
        TRIED,
        ExamProgress(done=3, total=200),
        ExamTaken(result=invented_exam()),
    ],
)
def test_an_answer_comes_back_equal(answer: AnyAnswer) -> None:
    """What the helper says is what the window hears."""
    assert decode_answer(encode(answer)) == answer


@pytest.mark.parametrize(
    "request_",
    [
        TryModel(model="spark", text="x" * (QUESTION_LENGTH + 1)),
        TryModel(model="spark", attempts=MOST_ANSWERS + 1),
        TryModel(model="", text="Hello"),
        TakeExam(model="spark", puzzles=1),
        TakeExam(model="spark", puzzles=10**6),
    ],
)
def test_what_is_out_of_bounds_is_no_request(request_: AnyRequest) -> None:
    """The helper does no endless work, whoever asks."""
    with pytest.raises(WireError):
        decode_request(encode(request_))


@pytest.mark.parametrize(
    "answer",
    [
        replace(TRIED, now=(Attempt("x" * (ANSWER_LENGTH + 1), 0.0),)),
        replace(TRIED, before=ATTEMPTS * MOST_ANSWERS),
        ExamTaken(result=replace(invented_exam(), round=-1)),
    ],
)
def test_what_is_out_of_bounds_is_no_answer(answer: AnyAnswer) -> None:
    """The page never has to shorten anything."""
    with pytest.raises(WireError):
        decode_answer(encode(answer))


def test_only_progress_is_followed_by_more() -> None:
    """Everything else ends its request."""
    kinds = (Trying, ExamProgress, PracticeShown, ModelTried, ExamTaken)
    assert [kind.is_last for kind in kinds] == [False, False, True, True, True]
