"""The scorer with real judge processes; the evil ones obey their answers (``evil_judge``)."""

import asyncio
import subprocess
import sys
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from core.decks.deck import Deck, Flashcard, encode_deck
from core.decks.library import DeckLibrary
from core.errors import DeckError, PuzzleError, ScorerError, UnknownTaskError
from core.i18n import remarks_of, words_of
from core.rollouts.types import (
    Completion,
    ModelId,
    PeerId,
    PuzzleKey,
    RolloutGroup,
    TaskId,
)
from core.tasks.catalog import load_catalog
from core.tasks.deck_tasks import with_decks
from core.tasks.scorer import IsolatedScorer
from tests.core.tasks.evil_judge import (
    BUGGY,
    DEADLY,
    EVIL,
    ROOT,
    evil_keys,
)
from tests.core.tasks.evil_scorer import (
    PROMPT,
    evil_scorer,
    group_of,
    judge_processes,
    rewards_of,
)


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


async def test_right_answers_in_another_form_are_marked(evil: IsolatedScorer) -> None:
    """By their index among all completions; wrong ones never are."""
    texts = ["wrong", "Right", "right", "<answer>Right</answer>", "<answer> right\n</answer>"]
    (scored,) = await evil.judge([group_of(evil_keys([0])[0], texts)])
    assert scored.rewards == (0.0, 1.0, 1.0, 1.0, 1.0)
    assert scored.unusual == {1, 3}


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
    with pytest.raises(PuzzleError, match="cannot be made"):
        await evil.ask([bad.key])


async def test_puzzles_that_strangers_name_do_not_end_practice(evil: IsolatedScorer) -> None:
    """However many kill their maker; the next time, they cost no judge."""
    hostile = [group_of(PuzzleKey(EVIL, 1, seed, DEADLY), ["right"]) for seed in range(3)]
    good = group_of(evil_keys([1])[0], ["right"])
    assert [item.group for item in await evil.judge([*hostile, good])] == [good]
    before = judge_processes()
    assert [item.group for item in await evil.judge([*hostile, good])] == [good]
    assert judge_processes() == before


async def test_a_judge_that_makes_no_puzzle_is_still_noticed(evil: IsolatedScorer) -> None:
    """By the questions that a node asks itself, whatever strangers name in between."""
    for seed in range(2):
        own, others = (PuzzleKey(EVIL, 1, seed + n, DEADLY) for n in (0, 100))
        with pytest.raises(PuzzleError):
            await evil.ask([own])
        assert await evil.judge([group_of(others, ["right"])]) == []
    with pytest.raises(ScorerError, match="ended 5 times"):
        await evil.ask([PuzzleKey(EVIL, 1, 2, DEADLY)])


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


async def test_no_sequence_outgrows_the_judge() -> None:
    """Rules that square again and again, worked out to the end, would take longer than it may."""
    task = TaskId("number_sequence")
    async with IsolatedScorer(load_catalog()) as scorer:
        keys = [PuzzleKey(task, 5, seed, 0) for seed in (163, 1705, 5639, 8364, 14456)]
        assert len(await scorer.ask(keys)) == len(keys)


NOT_AN_ANSWER = (Completion("I do not know", ended=True),)


DECK = Deck(
    format=1,
    name="Words",
    matcher="caseless",
    cards=tuple(
        Flashcard(f"What is {n}?", (f"word {n}", f"other {n}"), solution="So.") for n in range(20)
    ),
)


async def test_the_judge_knows_the_decks_that_are_practised(tmp_path: Path) -> None:
    """Asked and judged behind closed doors, with what is of the exam and what the deck answers."""
    library = DeckLibrary(tmp_path)
    deck = library.install(encode_deck(DECK))
    catalog = with_decks(load_catalog(), [deck]).only([deck.task, "gcd"])
    keys = [PuzzleKey(TaskId(deck.task), 1, 7, index) for index in range(40)]
    gcd = PuzzleKey(TaskId("gcd"), 1, 7, 0)
    async with IsolatedScorer(catalog, tmp_path) as scorer:
        *asked, built_in = await scorer.ask([*keys, gcd])
        groups = [
            group_of(q.key, answers_to(q.prompt), digest=q.digest) for q in [*asked, built_in]
        ]
        scored = await scorer.judge(groups)
    assert [one.question for one in scored] == [*asked, built_in]
    assert {q.is_held_out for q in asked} == {True, False}
    for one in scored[:-1]:
        number = one.question.prompt.removeprefix("What is ").rstrip("?")
        assert one.rewards == (1.0, 1.0, 1.0, 0.0)
        assert one.unusual == {2}
        assert one.question.lesson == f"So.\n<answer>word {number}</answer>"
    assert (built_in.held_out, built_in.lesson) == (None, "")


def answers_to(prompt: str) -> list[str]:
    """Two as the deck has them, one in another form, and a wrong one."""
    number = prompt.removeprefix("What is ").rstrip("?")
    return [f"word {number}", f"<answer>other {number}</answer>", f"WORD {number}.", "word"]


async def test_a_deck_that_changed_under_its_digest_is_not_judged(tmp_path: Path) -> None:
    """The judge reads the file itself, and says why it does not start, in every language."""
    library = DeckLibrary(tmp_path)
    deck = library.install(encode_deck(DECK))
    library.path_of(deck).write_bytes(encode_deck(DECK).replace(b"word 1", b"evil 1"))
    catalog = with_decks(load_catalog(), [deck])
    async with IsolatedScorer(catalog, tmp_path) as scorer:
        with pytest.raises(DeckError, match="not the one that it was") as refused:
            await scorer.ask([PuzzleKey(TaskId(deck.task), 1, 0, 0)])
    assert remarks_of(words_of(refused.value))
