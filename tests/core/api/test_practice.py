"""Words about practice cross the pipe unharmed, and no farther than their bounds."""

import pytest
from msgspec.structs import replace

from core.api.curves import MAX_POINTS
from core.api.events import Point
from core.api.pipe import MAX_LINE, encode
from core.api.practice import (
    ExamProgress,
    ExamTaken,
    HistoryShown,
    ModelTried,
    PracticeShown,
    PuzzleKind,
    ShowHistory,
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
        TryModel(model="spark", text="x" * (QUESTION_LENGTH + 1)),
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


POINTS = tuple(Point(n, 1 / 3, 2 / 3, 1.7e9 + n / 3) for n in range(1, MAX_POINTS + 1))


def test_the_longest_history_fits_on_a_line() -> None:
    """And comes back equal, as does the question."""
    shown = HistoryShown(id=3, model="spark", history=POINTS)
    line = encode(shown)
    assert len(line) < MAX_LINE / 5
    assert decode_answer(line) == shown
    asked = ShowHistory(id=3, model="spark")
    assert decode_request(encode(asked)) == asked


def test_more_than_can_be_drawn_is_refused() -> None:
    """The window draws nothing that is out of bounds."""
    with pytest.raises(WireError):
        decode_answer(encode(HistoryShown(model="spark", history=(*POINTS, POINTS[-1]))))
