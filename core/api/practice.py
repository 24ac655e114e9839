"""Requests and replies about practice: the history, a try of the model, an exam."""

from typing import Annotated, ClassVar

import msgspec
from msgspec import Meta

from core.api.curves import MAX_POINTS
from core.api.events import Point
from core.api.models import ModelName
from core.api.preview import QUESTION_LENGTH, Attempts, Count, PuzzleTask, PuzzleTitle, Share
from core.api.requests import Piece, Reply, Request


class ShowHistory(Request, frozen=True, tag="show_history"):
    """Which rounds of ``model`` are known here? Answered by ``HistoryShown``."""

    model: ModelName


Scope = Annotated[str, Meta(max_length=16)]
"""What skills are means over; see ``RoundFinished.scope``."""


class HistoryShown(Reply, frozen=True, tag="history_shown"):
    """The rounds of ``model`` as ``Started`` would tell them; none where it never practised."""

    model: ModelName
    history: Annotated[tuple[Point, ...], Meta(max_length=MAX_POINTS)]
    round: Annotated[int, Meta(ge=0)] = 0  # the last one; there are none of before a skill is known
    base_skill: Annotated[float, Meta(ge=0, le=1)] | None = None  # that of ``Started``
    scope: Scope | None = None  # that of ``Started``


MOST_KINDS = 200  # of puzzles
MOST_PUZZLES = 5_000  # of one exam

_Question = Annotated[str, Meta(max_length=QUESTION_LENGTH)]


class PuzzleKind(Piece, frozen=True):
    """A task, as people choose it."""

    task: PuzzleTask
    title: PuzzleTitle


class MeasuredScore(Piece, frozen=True):
    """A mean with its standard error over puzzles."""

    mean: Annotated[float, Meta(ge=-1, le=1)]
    standard_error: Annotated[float, Meta(ge=0, le=1)]


class KindResult(Piece, frozen=True):
    """Scores of the puzzles of one kind."""

    task: PuzzleTask
    title: PuzzleTitle
    puzzles: Count
    before: Share  # solved by the base model
    now: Share


class ExamScores(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What an exam measures: shares of all puzzles, over kinds and levels alike; or differences."""

    solved: MeasuredScore  # at the first try
    forgiven: MeasuredScore  # at the first try, with words around a right answer forgiven
    pass_8: MeasuredScore  # at one of eight tries


class ExamResult(Piece, frozen=True):
    """An exam: held-out puzzles, tried by the base model and by the model as last saved."""

    model: ModelName
    round: Count  # rounds practised; 0: not at all
    at: Annotated[float, Meta(ge=0, le=1e11)]  # unix seconds
    puzzles: Count
    cells: Count  # pairs of kind and level that they are of
    before: ExamScores
    now: ExamScores
    gain: ExamScores  # puzzle by puzzle
    form: MeasuredScore  # the part of the gain in what is solved that is form, and not skill
    ahead: MeasuredScore  # how much more is solved at the first try now than before within eight
    kinds: Annotated[tuple[KindResult, ...], Meta(max_length=MOST_KINDS)]
    scope: Scope | None = None  # what was practised then; None: all that is built in
    is_all: bool = False  # no more puzzles are held out


class ShowPractice(Request, frozen=True, tag="show_practice"):
    """Look up the kinds of puzzles and the last exam; answered by ``PracticeShown``."""

    model: ModelName


class PracticeShown(Reply, frozen=True, tag="practice_shown"):
    """The kinds of puzzles, and how the last exam of ``model`` went."""

    model: ModelName
    kinds: Annotated[tuple[PuzzleKind, ...], Meta(max_length=MOST_KINDS)]
    exam: ExamResult | None = None  # None: there was none of what is practised at present


class TryModel(Request, frozen=True, tag="try_model"):
    """Ask the base model and the model as last saved the same; answered by ``ModelTried``.

    Asked is ``text``, or where there is none a puzzle of ``task`` at the level of practice.
    """

    model: ModelName
    text: _Question = ""
    task: PuzzleTask = ""
    seed: Annotated[int, Meta(ge=0, lt=2**32)] = 0  # of the puzzle and of chance


class Trying(Reply, frozen=True, tag="trying"):
    """Progress of ``TryModel``."""

    is_last: ClassVar[bool] = False

    is_loading: bool  # the model has to be loaded first


class ModelTried(Reply, frozen=True, tag="model_tried"):
    """Answers of the base model and of the model as last saved, drawn with the same seed."""

    model: ModelName
    round: Count  # rounds practised by the model as last saved
    title: PuzzleTitle  # of the kind of puzzle; empty: it was a text
    question: _Question
    before: Attempts  # of the base model
    now: Attempts


class TakeExam(Request, frozen=True, tag="take_exam"):
    """Let both try held-out puzzles; answered by ``ExamTaken``, which is kept."""

    model: ModelName
    puzzles: Annotated[int, Meta(ge=2, le=MOST_PUZZLES)]


class ExamProgress(Reply, frozen=True, tag="exam_progress"):
    """Progress of an exam."""

    is_last: ClassVar[bool] = False

    done: Count  # of ``total``
    total: Count  # puzzles to be tried, by the one and by the other; 0 while they are chosen


class ExamTaken(Reply, frozen=True, tag="exam_taken"):
    """The result of an exam."""

    result: ExamResult
