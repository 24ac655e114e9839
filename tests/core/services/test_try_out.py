"""Trying the model, before and after."""

import asyncio

import pytest

from core.api.practice import ModelTried, PracticeShown, ShowPractice, Trying, TryModel
from core.api.requests import Reply
from core.engine.exam import Grade
from core.errors import UsageError
from core.rollouts.types import TaskId
from core.services.exam import keep_exam, sum_up
from core.services.service import ServiceContext
from core.services.try_out import ATTEMPTS, TryOut
from core.storage.home_lock import hold
from core.tasks.catalog import load_catalog
from tests.asking_services import answer_to
from tests.saved_models import MODEL, invented_exam, save_progress

SUM = TryModel(model=MODEL, text="Calculate 3 + 4.")


async def tried(
    service: TryOut, request: TryModel, place: ServiceContext
) -> tuple[bool, ModelTried]:
    """Whether the model had to be loaded, and what came of it; the service does not linger."""
    told: asyncio.Queue[Reply] = asyncio.Queue()
    async with asyncio.TaskGroup() as group:
        task = group.create_task(service(request, place, told.put_nowait))
        first, last = await told.get(), await told.get()
        task.cancel()
    assert isinstance(first, Trying)
    assert isinstance(last, ModelTried)
    return first.is_loading, last


async def test_a_text_is_answered_by_both_and_judged_by_nobody(place: ServiceContext) -> None:
    """Before any practice both are the same model; so many answers as were asked for."""
    _, answer = await tried(TryOut(), SUM, place)
    assert (answer.question, answer.title, answer.round) == (SUM.text, "", 0)
    assert len(answer.before) == ATTEMPTS
    assert answer.before == answer.now
    assert all(attempt.reward is None for attempt in answer.now)


async def test_a_puzzle_is_made_and_judged(place: ServiceContext) -> None:
    """The same seed is the same puzzle; what was learnt answers otherwise than the base."""
    save_progress(place.home, 12)
    request = TryModel(model=MODEL, task="letter_counting", seed=13)
    with hold(place.home):
        _, answer = await tried(TryOut(), request, place)
    assert answer.title == "Count a letter in a text"
    assert "How many times" in answer.question
    assert answer.round == 12
    assert len(answer.before) == len(answer.now) == ATTEMPTS
    assert answer.before != answer.now
    assert all(a.reward is not None and 0 <= a.reward <= 1 for a in answer.before + answer.now)


async def test_the_model_stays_for_the_next_question_until_it_has_learnt(
    place: ServiceContext,
) -> None:
    """Loaded once for two questions, and anew when it was saved since."""
    service, told = TryOut(), asyncio.Queue[Reply]()

    async def answered() -> tuple[bool, ModelTried]:
        first, last = await told.get(), await told.get()
        assert isinstance(first, Trying)
        assert isinstance(last, ModelTried)
        return first.is_loading, last

    async with asyncio.TaskGroup() as group:
        tasks = [group.create_task(service(SUM, place, told.put_nowait))]
        assert (await answered())[0]
        tasks.append(group.create_task(service(SUM, place, told.put_nowait)))
        assert not (await answered())[0]
        await asyncio.to_thread(save_progress, place.home, 3)
        tasks.append(group.create_task(service(SUM, place, told.put_nowait)))
        was_loaded, answer = await answered()
        assert was_loaded
        assert answer.round == 3
        tasks[0].cancel()
        await asyncio.wait([tasks[0]])
        tasks.append(group.create_task(service(SUM, place, told.put_nowait)))
        assert not (await answered())[0]
        for task in tasks:
            task.cancel()
    assert (await tried(service, SUM, place))[0]


async def test_a_model_that_nobody_asks_any_more_is_let_go(place: ServiceContext) -> None:
    """After its time the service ends by itself, and nothing stays loaded."""
    service, told = TryOut(idle_s=0.0), list[Reply]()
    await service(SUM, place, told.append)
    await service(SUM, place, told.append)
    assert [one.is_loading for one in told if isinstance(one, Trying)] == [True, True]


@pytest.mark.parametrize(
    ("request_", "words"),
    [
        (TryModel(model=MODEL, text="  \n"), "nothing to answer"),
        (TryModel(model=MODEL, text="why " * 500), "too long for Spark"),
        (TryModel(model=MODEL, task="gdc"), "Did you mean gcd"),
        (TryModel(model="sparc", text="Hello"), "Did you mean spark"),
    ],
)
async def test_what_cannot_be_answered_is_refused_in_words(
    place: ServiceContext, request_: TryModel, words: str
) -> None:
    """Nothing stays loaded after a refusal."""
    service = TryOut()
    with pytest.raises(UsageError, match=words):
        await service(request_, place, lambda _: None)
    assert (await tried(service, SUM, place))[0]


async def test_what_there_is_to_choose_from(place: ServiceContext) -> None:
    """All kinds of puzzles with their titles, and the last exam of that model."""
    first = await answer_to(ShowPractice(model=MODEL), place, PracticeShown)
    keep_exam(place.home, invented_exam())
    second = await answer_to(ShowPractice(model=MODEL), place, PracticeShown)
    assert first.exam is None
    assert second.exam == invented_exam()
    assert ("gcd", "Find the greatest common divisor") in [(k.task, k.title) for k in first.kinds]


async def test_an_exam_of_other_puzzles_is_not_shown(place: ServiceContext) -> None:
    """Whatever was practised when it was taken, it is there again once that is practised again."""
    gcd = ServiceContext(place.home, ("gcd",))
    of_all = invented_exam()
    keep_exam(place.home, of_all)
    assert (await answer_to(ShowPractice(model=MODEL), gcd, PracticeShown)).exam is None
    assert (await answer_to(ShowPractice(model=MODEL), place, PracticeShown)).exam == of_all
    of_gcd = sum_up(load_catalog().only(["gcd"]), MODEL, 7, TRIED, TRIED)
    keep_exam(place.home, of_gcd)
    assert (await answer_to(ShowPractice(model=MODEL), gcd, PracticeShown)).exam == of_gcd
    assert (await answer_to(ShowPractice(model=MODEL), place, PracticeShown)).exam is None


TRIED = [Grade(TaskId("gcd"), 1, 0.5, 0.5, 1.0)] * 2
