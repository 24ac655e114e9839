"""Puzzles, answers and exams as the page gets them."""

from app.state.app_state import AppState
from app.state.engine_status import EngineStatus
from app.state.model_choices import ModelChoice
from core.api.events import Paused, Started
from core.api.practice import (
    ExamResult,
    ExamScores,
    KindResult,
    MeasuredScore,
    ModelTried,
    PracticeShown,
    PuzzleKind,
)
from core.api.preview import Attempt, PuzzleTried
from core.api.skills import CellSkill, KindSkill, SkillsShown
from core.api.state import NodeState, apply

SPARK = ModelChoice(id="spark", title="Spark", parameters=1_500_000)
EMBER = ModelChoice(id="ember", title="Ember", parameters=5_200_000)
PEER = "b" * 64
IDLE = AppState(choices=(SPARK, EMBER), chosen="spark")
_STARTED = apply(
    NodeState(), Started(model="spark", round=812, peer="", name="amber-otter-27", solo=False)
)
RUNNING = AppState(choices=(SPARK, EMBER), chosen="spark", node=_STARTED, link=EngineStatus("up"))
PAUSED = AppState(
    choices=(SPARK, EMBER),
    chosen="spark",
    node=apply(_STARTED, Paused(reason="you")),
    link=EngineStatus("up"),
)
KINDS = (
    PuzzleKind(task="lcm", title="Find the least common multiple"),
    PuzzleKind(task="gcd", title="Find the greatest common divisor"),
)


def attempts(*answers: tuple[str, float | None]) -> tuple[Attempt, ...]:
    return tuple(Attempt(text, reward) for text, reward in answers)


MINE = attempts(("12", 0.0), ("6", 1.0), ("12", 0.0))
THEIRS = attempts(("6", 1.0), ("\u202e9", 0.5))


def own_puzzle(number: int = 1) -> PuzzleTried:
    """What the own model tried in round ``number``."""
    return PuzzleTried(
        round=number,
        task="gcd",
        title="Find the greatest common divisor",
        question="Find the GCD of these numbers: 12, 18.\n\n1 0\n0 1",
        own=MINE,
    )


def peer_puzzle(number: int = 1, peer: str = PEER) -> PuzzleTried:
    """What a peer tried."""
    return PuzzleTried(
        round=number,
        task="lcm",
        title="Find the least common multiple",
        question="Find the LCM of these numbers: 2, 3.",
        peer=peer,
        name="gentle-hare-31",
        theirs=THEIRS,
    )


def shared_puzzle(number: int = 1) -> PuzzleTried:
    """What both tried."""
    return PuzzleTried(
        round=number,
        task="gcd",
        title="Find the greatest common divisor",
        question="Find the GCD of these numbers: 4, 6.",
        own=MINE,
        peer=PEER,
        name="gentle-hare-31",
        theirs=THEIRS,
    )


def exam(
    gain: float = 0.13, error: float = 0.02, rounds: int = 812, form: float = 0.0
) -> ExamResult:
    """An exam that brought so much, and so much of it in form."""
    return ExamResult(
        model="spark",
        round=rounds,
        at=1_700_000_000.0,
        puzzles=600,
        cells=296,
        before=_scores(0.31, 0.31 + form, 0.5, 0.02),
        now=_scores(0.31 + gain, 0.31 + gain, 0.6, 0.02),
        gain=_scores(gain, gain - form, 0.1, error),
        form=MeasuredScore(mean=form, standard_error=error / 4),
        ahead=MeasuredScore(mean=gain - 0.19, standard_error=error),
        kinds=(
            KindResult(task="a", title="Add", puzzles=9, before=0.5, now=0.25),
            KindResult(task="b", title="Build", puzzles=9, before=0.0, now=0.5),
            KindResult(task="c", title="Count", puzzles=9, before=0.25, now=0.25),
        ),
    )


def _scores(solved: float, forgiven: float, pass_8: float, error: float) -> ExamScores:
    return ExamScores(
        solved=MeasuredScore(mean=solved, standard_error=error),
        forgiven=MeasuredScore(mean=forgiven, standard_error=error),
        pass_8=MeasuredScore(mean=pass_8, standard_error=error),
    )


def tried(number: int = 0, rounds: int = 812) -> ModelTried:
    """The answer to the request of that number, or to the last one."""
    return ModelTried(
        id=number,
        model="spark",
        round=rounds,
        title="Find the greatest common divisor",
        question="Find the GCD of these numbers: 12, 18.",
        before=attempts(("12", 0.0), ("6", 1.0)),
        now=attempts(("6", 1.0), ("6", 1.0)),
    )


def shown(result: ExamResult | None = None, model: str = "spark") -> PracticeShown:
    """What the helper says when the page is opened."""
    return PracticeShown(model=model, kinds=KINDS, exam=result)


def skills(rounds: int = 812) -> SkillsShown:
    """Three kinds: one half mastered, one hardly begun, one of which little is known."""
    solved = (
        CellSkill(base=0.5, now=0.9, swarm=0.92, tries=80.0, is_open=True),
        CellSkill(base=0.25, now=0.5, swarm=0.75, tries=80.0, is_open=True),
        CellSkill(base=0.0, now=0.0),
    )
    begun = (
        CellSkill(base=0.125, now=0.25, tries=40.0, is_open=True),
        CellSkill(base=0.0, now=0.0, swarm=0.01),
    )
    unknown = (CellSkill(is_open=True), CellSkill(), CellSkill(swarm=0.5), CellSkill())
    return SkillsShown(
        model="spark",
        round=rounds,
        kinds=(
            KindSkill(task="odd", title="Do something odd", cells=unknown),
            KindSkill(task="lcm", title="Find the least common multiple", cells=begun),
            KindSkill(task="gcd", title="Find the greatest common divisor", cells=solved),
        ),
        skill=0.23,
        base_skill=0.17,
        swarm_skill=0.25,
    )


NO_SKILLS = SkillsShown(
    model="spark",
    round=0,
    kinds=(KindSkill(task="gcd", title="Find the greatest common divisor", cells=(CellSkill(),)),),
)
"""Of a model that was never measured and never practised."""
