"""The scorer with real judge processes; the evil ones obey their answers (``evil_judge``)."""

import asyncio
import subprocess
import sys
from collections.abc import AsyncIterator, Sequence

import psutil
import pytest

from core.errors import RulesetError, ScorerError, UnknownTaskError
from core.rollouts.types import (
    Completion,
    ModelId,
    PeerId,
    PuzzleKey,
    Question,
    RolloutGroup,
    TaskId,
)
from core.tasks.catalog import load_catalog
from core.tasks.scorer import IsolatedScorer, Patience
from tests.core.tasks.evil_judge import (
    BUGGY,
    DEADLY,
    EVIL_CATALOG,
    ROOT,
    evil_command,
    evil_keys,
)

QUICK = Patience(start_s=20.0, question_s=5.0, answer_s=0.3)
PROMPT = "Say right. This is number {}."


def group_of(
    key: PuzzleKey, answers: Sequence[str], digest: str | None = None, name: str = "a"
) -> RolloutGroup:
    """A group that answers the evil question of ``key``."""
    question = Question(key, PROMPT.format(key.seed + key.index))
    return RolloutGroup(
        key=key,
        digest=question.digest if digest is None else digest,
        author=PeerId(name * 64),
        model=ModelId("spark"),
        round=1,
        completions=tuple(Completion(text, ended=True) for text in answers),
    )


def evil_scorer(mood: str = "confined", patience: Patience = QUICK) -> IsolatedScorer:
    return IsolatedScorer(EVIL_CATALOG, patience=patience, command=evil_command(mood))


async def rewards_of(scorer: IsolatedScorer, *answers: str) -> tuple[float, ...]:
    (scored,) = await scorer.judge([group_of(evil_keys([0])[0], answers)])
    return scored.rewards


def judge_processes() -> list[psutil.Process]:
    """The children of this process, which starts nothing else."""
    return list(psutil.Process().children())


@pytest.fixture
async def evil() -> AsyncIterator[IsolatedScorer]:
    async with evil_scorer() as scorer:
        yield scorer


async def test_questions_come_in_the_order_of_their_keys(evil: IsolatedScorer) -> None:
    """``ask`` answers each key, repeated ones too."""
    keys = evil_keys([5, 2, 5])
    questions = await evil.ask(keys)
    assert [question.key for question in questions] == keys
    assert [question.prompt for question in questions] == [
        PROMPT.format(n) for n in (105, 102, 105)
    ]


async def test_asking_outside_the_catalogue_is_a_mistake_of_the_caller(
    evil: IsolatedScorer,
) -> None:
    """Unknown task, unknown level: UnknownTaskError, and the judge goes on."""
    with pytest.raises(UnknownTaskError):
        await evil.ask([PuzzleKey(TaskId("nonsense"), 1, 0, 0)])
    with pytest.raises(UnknownTaskError):
        await evil.ask(evil_keys([0], level=4))
    assert await evil.ask(evil_keys([0]))


async def test_groups_that_mean_something_else_are_left_out(evil: IsolatedScorer) -> None:
    """Unknown task or level, seed out of range, other question, unmakeable puzzle: no error."""
    good = group_of(evil_keys([0])[0], ["right"])
    strangers = [
        group_of(PuzzleKey(TaskId("nonsense"), 1, 0, 0), ["right"]),
        group_of(evil_keys([0], level=9)[0], ["right"]),
        group_of(evil_keys([0], level=3)[0], ["right"]),  # known here, but not to the judge
        group_of(PuzzleKey(good.key.task, 1, -1, 0), ["right"]),
        group_of(PuzzleKey(good.key.task, 1, 0, 2**32), ["right"]),
        group_of(good.key, ["right"], digest="0" * 16),
        group_of(good.key, ["right"], digest="\ud800" * 1000),
        group_of(evil_keys([BUGGY])[0], ["right"]),
        group_of(good.key, []),
    ]
    scored = await evil.judge([*strangers, good])
    assert [(item.group, item.rewards) for item in scored] == [(good, (1.0,))]


async def test_rewards_follow_the_completions(evil: IsolatedScorer) -> None:
    """One reward per completion in their order, equal texts alike, more than fit one message."""
    answers = [f"wrong {n}" for n in range(150)] + ["right", "wrong 1", "right"]
    assert await rewards_of(evil, *answers) == (0.0,) * 150 + (1.0, 0.0, 1.0)


async def test_answers_that_cannot_be_sent_are_wrong(evil: IsolatedScorer) -> None:
    """A megabyte, or a lone surrogate, scores 0.0 without being looked at."""
    assert await rewards_of(evil, "x" * 1_000_000, "\ud800", "right") == (0.0, 0.0, 1.0)


@pytest.mark.parametrize(
    ("answer", "reward"),
    [
        ("reward:nan", 0.0),
        ("reward:inf", 1.0),
        ("reward:-3", 0.0),
        ("reward:1.0000000000000002", 1.0),
        ("reward:not a number", 0.0),
        ("recurse", 0.0),
        ("chatter", 1.0),
        ("eat:20000000000", 0.0),
    ],
)
async def test_verifiers_may_misbehave_without_ending_the_judge(
    evil: IsolatedScorer, answer: str, reward: float
) -> None:
    """Odd numbers are clamped, exceptions score 0.0, prints go elsewhere, memory is limited."""
    await evil.start()
    before = judge_processes()
    assert await rewards_of(evil, answer, "right") == (reward, 1.0)
    assert judge_processes() == before


@pytest.mark.parametrize("deed", ["hang", "crash", "leave", "garble", "threaten", "overrate"])
async def test_only_the_guilty_answer_pays(evil: IsolatedScorer, deed: str) -> None:
    """An answer that loses the judge scores 0.0; those before and after keep their rewards."""
    assert await rewards_of(evil, "right", "wrong", deed, "reward:0.5", "reward:0.25") == (
        1.0,
        0.0,
        0.0,
        0.5,
        0.25,
    )


async def test_two_guilty_answers_are_both_found(evil: IsolatedScorer) -> None:
    """The first and the last answer lose the judge; the one between them does not suffer."""
    assert await rewards_of(evil, "crash", "right", "leave") == (0.0, 1.0, 0.0)


async def test_a_group_full_of_guilty_answers_is_left_out(evil: IsolatedScorer) -> None:
    """A hostile group cannot hold up the round for long, and the next group is judged."""
    hostile = group_of(evil_keys([0])[0], [f"leave:{n}" for n in range(20)])
    good = group_of(evil_keys([1])[0], ["right"])
    assert [item.group for item in await evil.judge([hostile, good])] == [good]


async def test_a_puzzle_that_kills_its_maker_is_left_out(evil: IsolatedScorer) -> None:
    """Judging leaves it out; asking for it says that it cannot be made."""
    bad, good = (group_of(key, ["right"]) for key in evil_keys([DEADLY, 1]))
    assert [item.group for item in await evil.judge([bad, good])] == [good]
    with pytest.raises(ScorerError, match="cannot be made"):
        await evil.ask([bad.key])


async def test_a_forged_extra_reply_fools_nobody_for_long(evil: IsolatedScorer) -> None:
    """A judge that was taken over may lie once; its leftover reply is not the next question's."""
    await rewards_of(evil, "forge")
    assert await rewards_of(evil, "wrong", "right") == (0.0, 1.0)


async def test_a_judge_killed_from_outside_costs_nobody_anything(evil: IsolatedScorer) -> None:
    """SIGKILL in the midst of a batch: every answer still gets its true reward."""
    keys = evil_keys(range(200))
    await evil.ask(keys[:1])
    judging = asyncio.gather(evil.judge([group_of(key, ["right", "wrong"]) for key in keys]))
    for _ in range(20):  # let it get into its stride
        await asyncio.sleep(0)
    (judge,) = judge_processes()
    judge.kill()
    (scored,) = await judging
    assert [item.rewards for item in scored] == [(1.0, 0.0)] * 200


async def test_an_idle_judge_may_die(evil: IsolatedScorer) -> None:
    """The next request starts another one."""
    await evil.ask(evil_keys([0]))
    (judge,) = judge_processes()
    judge.kill()
    judge.wait(10)
    assert await rewards_of(evil, "right") == (1.0,)


async def test_a_cancelled_request_leaves_no_mixed_up_replies(evil: IsolatedScorer) -> None:
    """The conversation that was broken off is not continued by the next request."""
    await evil.ask(evil_keys([0]))
    with pytest.raises(TimeoutError):
        async with asyncio.timeout(0.1):
            await rewards_of(evil, "hang")
    assert await rewards_of(evil, "wrong", "right") == (0.0, 1.0)


async def test_requests_at_the_same_time_do_not_disturb_each_other(evil: IsolatedScorer) -> None:
    """Questions are asked while answers are judged."""
    keys = evil_keys(range(50))
    questions, scored = await asyncio.gather(
        evil.ask(keys), evil.judge([group_of(key, ["right", "wrong"]) for key in keys])
    )
    assert [question.key for question in questions] == keys
    assert [item.rewards for item in scored] == [(1.0, 0.0)] * 50


async def test_a_fresh_judge_takes_over_before_processor_time_is_up() -> None:
    """After its share of work a judge is replaced, unnoticed by the caller."""
    async with evil_scorer(patience=Patience(busy_s=0.0)) as scorer:
        await scorer.ask(evil_keys([0]))
        first = judge_processes()
        assert await rewards_of(scorer, "right") == (1.0,)
        assert len(first) == 1
        assert judge_processes() != first


@pytest.mark.parametrize(
    ("mood", "error", "words"),
    [
        ("other release", RulesetError, "Install the right one"),
        ("broken", ScorerError, "ImportError: no such library"),
        ("stillborn", ScorerError, "ended 5 times"),
        ("dumb", ScorerError, "ended 5 times"),
    ],
)
async def test_a_judge_that_cannot_start_is_explained(
    mood: str, error: type[Exception], words: str
) -> None:
    """Wrong library, broken installation, death or silence at start: one sentence each."""
    patience = Patience(start_s=0.3) if mood == "dumb" else QUICK
    async with evil_scorer(mood, patience) as scorer:
        with pytest.raises(error, match=words):
            await scorer.ask(evil_keys([0]))
        with pytest.raises(error, match=words):
            await scorer.confinement()


async def test_a_program_that_is_not_there_is_explained() -> None:
    """A system that starts no process raises ScorerError."""
    scorer = IsolatedScorer(EVIL_CATALOG, command=["/nowhere/python"])
    with pytest.raises(ScorerError, match="cannot be started"):
        await scorer.start()
    await scorer.close()


async def test_starting_does_not_wait_for_the_puzzles() -> None:
    """``start`` returns while the judge still loads, here one that never gets ready."""
    async with asyncio.timeout(5), evil_scorer("dumb"):
        assert len(judge_processes()) == 1


async def test_closing_leaves_no_orphan() -> None:
    """Even a judge in the midst of hanging is gone after ``close``; the request fails in words."""
    scorer = evil_scorer(patience=Patience(answer_s=100.0))
    await scorer.ask(evil_keys([0]))
    hanging = asyncio.gather(rewards_of(scorer, "hang"), return_exceptions=True)
    await asyncio.sleep(0)
    await scorer.close()
    (outcome,) = await hanging
    assert isinstance(outcome, ScorerError)
    assert judge_processes() == []
    with pytest.raises(ScorerError, match="closed"):
        await scorer.start()


@pytest.mark.skipif(sys.platform != "linux", reason="elsewhere it ends when its input does")
def test_the_judge_dies_with_an_engine_that_is_killed() -> None:
    """SIGKILL of the engine while an answer hangs: no judge is left over."""
    program = """
import asyncio, psutil
from core.tasks.scorer import IsolatedScorer, Patience
from tests.core.tasks.evil_judge import EVIL_CATALOG, evil_command, evil_keys
from tests.core.tasks.test_scorer import rewards_of
async def main():
    patience = Patience(answer_s=100.0)
    async with IsolatedScorer(EVIL_CATALOG, patience=patience, command=evil_command()) as scorer:
        await scorer.ask(evil_keys([0]))
        print(psutil.Process().children()[0].pid, flush=True)
        await rewards_of(scorer, "sulk")
asyncio.run(main())
"""
    with subprocess.Popen(  # noqa: S603 - a program of this test
        [sys.executable, "-c", program], cwd=ROOT, stdout=subprocess.PIPE, text=True
    ) as engine:
        assert engine.stdout is not None
        judge = psutil.Process(int(engine.stdout.readline()))
        engine.kill()
    psutil.wait_procs([judge], timeout=10)
    assert not judge.is_running()


def test_the_engine_does_not_load_the_puzzle_library() -> None:
    """Importing the scorer imports neither reasoning_gym nor what comes with it."""
    program = (
        "import sys, core.tasks.scorer; "
        "sys.exit(bool({'reasoning_gym', 'sympy', 'numpy', 'torch'} & set(sys.modules)))"
    )
    subprocess.run([sys.executable, "-c", program], cwd=ROOT, check=True)  # noqa: S603 - as above


async def test_the_real_judge_knows_its_own_answers() -> None:
    """Every task of the catalogue can be asked and judged, at every level, behind closed doors."""
    catalog = load_catalog()
    keys = [
        PuzzleKey(task.id, level, seed=7, index=index)
        for task in catalog.tasks
        for level in range(1, len(task.levels) + 1)
        for index in range(3)
    ]
    async with IsolatedScorer(catalog) as scorer:
        questions = await scorer.ask(keys)
        groups = [
            RolloutGroup(q.key, q.digest, PeerId("a" * 64), ModelId("spark"), 1, NOT_AN_ANSWER)
            for q in questions
        ]
        scored = await scorer.judge(groups)
    assert [item.question for item in scored] == questions
    assert {item.rewards for item in scored} == {(0.0,)}


NOT_AN_ANSWER = (Completion("I do not know", ended=True),)
