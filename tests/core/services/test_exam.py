"""The exam on request."""

import asyncio
import sys
from contextlib import suppress

import psutil
import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from core.api.practice import ExamProgress, ExamTaken, TakeExam
from core.api.requests import Reply
from core.children import NICENESS
from core.decks.library import DeckLibrary
from core.errors import UsageError
from core.paths import Home
from core.services.exam import examine, keep_exam, last_exam, take_exam_on_request
from core.services.service import ServiceContext
from core.storage.home_lock import hold
from tests.asking_services import answers_to
from tests.posix import make_pipe, niceness
from tests.saved_models import MODEL, invented_exam, save_progress
from tests.swarm_decks import deck_data


def test_an_exam_is_summed_up_by_kind_and_puzzle_by_puzzle() -> None:
    """Means of each kind with its plain title; the gain is that of pairs, in skill and in form."""
    result = invented_exam()
    assert [(k.task, k.puzzles, k.before, k.now) for k in result.kinds] == [
        ("gcd", 3, 0.5, 0.75),
        ("lcm", 1, 0.0, 0.5),
    ]
    assert result.kinds[0].title == "Find the greatest common divisor"
    assert (result.round, result.puzzles, result.cells) == (7, 4, 3)
    assert result.before.solved.mean == pytest.approx(1 / 3)
    assert result.gain.solved.mean == pytest.approx((0.375 + 0 + 0.5) / 3)
    assert result.gain.forgiven.mean == pytest.approx((0.125 + 0 + 0.5) / 3)
    assert result.form.mean == pytest.approx(0.25 / 3)
    assert result.before.pass_8.mean == pytest.approx(2 / 3)
    assert result.ahead.mean == pytest.approx((0.875 + 0.5 + 0.5 - 2) / 3)


async def test_it_is_taken_beside_a_node_and_kept(place: ServiceContext) -> None:
    """Progress only rises and ends at its total; the result is that of the saved model."""
    save_progress(place.home, 12)
    with hold(place.home):
        *progress, taken = await answers_to(TakeExam(model=MODEL, puzzles=60), place)
    done = [p.done for p in progress if isinstance(p, ExamProgress)]
    assert len(done) == len(progress)
    assert done == sorted(done)
    assert (done[0], done[-1]) == (0, 120)
    assert isinstance(taken, ExamTaken)
    assert (taken.result.round, taken.result.puzzles, taken.result.cells) == (12, 60, 60)
    assert taken.result.before != taken.result.now
    assert sum(kind.puzzles for kind in taken.result.kinds) == 60
    assert last_exam(place.home, MODEL) == taken.result


def places_behind_others() -> set[int]:
    """Of all threads of this process."""
    found: set[int] = set()
    for thread in psutil.Process().threads():
        with suppress(ProcessLookupError):  # it has ended meanwhile
            found.add(niceness(thread.id))
    return found


@pytest.mark.skipif(sys.platform != "linux", reason="where each thread has a place of its own")
async def test_an_exam_on_request_makes_way_for_others(place: ServiceContext) -> None:
    """The thread that answers does, the one that hears of it does not; nor does a typed exam."""
    mine = niceness()
    seen: list[set[int]] = []

    def tell(_: object, __: object = None) -> None:
        seen.append(places_behind_others())

    await examine(place, MODEL, 5, tell)
    assert set().union(*seen) == {mine}
    await take_exam_on_request(TakeExam(model=MODEL, puzzles=5), place, tell)
    assert set().union(*seen) == {mine, max(mine, NICENESS)}
    assert niceness() == mine


async def test_a_cancelled_exam_keeps_nothing(place: ServiceContext) -> None:
    """Whoever ends it in the middle finds the last exam, or none."""
    trying = asyncio.Event()

    def tell(answer: Reply) -> None:
        if isinstance(answer, ExamProgress) and answer.done:
            trying.set()

    async with asyncio.TaskGroup() as group:
        exam = group.create_task(
            take_exam_on_request(TakeExam(model=MODEL, puzzles=100), place, tell)
        )
        await trying.wait()
        exam.cancel()
    assert exam.cancelled()
    assert last_exam(place.home, MODEL) is None


async def test_a_model_that_does_not_exist_is_refused(place: ServiceContext) -> None:
    """In words, for whoever asked."""
    with pytest.raises(UsageError, match="spark"):
        await take_exam_on_request(TakeExam(model="sparc", puzzles=5), place, lambda _: None)


def test_the_last_one_of_each_model_is_kept(place: ServiceContext) -> None:
    """A new result takes the place of the old one, and of no other model's."""
    old, other = invented_exam(), replace(invented_exam(), model="qwen2.5-0.5b")
    for result in (old, other, replace(old, round=9)):
        keep_exam(place.home, result)
    assert last_exam(place.home, MODEL) == replace(old, round=9)
    assert last_exam(place.home, "qwen2.5-0.5b") == other
    assert last_exam(place.home, "ember") is None


@given(st.binary(max_size=300), st.text(max_size=300))
def test_a_damaged_file_or_a_strange_name_costs_only_the_memory(
    tmp_path_factory: pytest.TempPathFactory, data: bytes, name: str
) -> None:
    """Whatever stands there, an exam is shown or none is; no name leaves the folder."""
    home = Home(tmp_path_factory.mktemp("home"))
    keep_exam(home, invented_exam())
    (home.root / "exams" / "spark.json").write_bytes(data)
    assert last_exam(home, MODEL) is None
    assert last_exam(home, f"../{name}") is None


def test_a_pipe_in_place_of_an_exam_is_not_waited_for(place: ServiceContext) -> None:
    """There was none, like with all that is damaged."""
    keep_exam(place.home, invented_exam())
    path = place.home.root / "exams" / "spark.json"
    path.unlink()
    make_pipe(path)
    assert last_exam(place.home, MODEL) is None


@pytest.mark.parametrize(
    "wrong", [b'"round":-7', b'"round":7,"more":1', b'"round":7.5', b'"round":' + b"9" * 30]
)
def test_what_is_read_is_checked(place: ServiceContext, wrong: bytes) -> None:
    """Figures out of bounds and unknown fields make it no result."""
    keep_exam(place.home, invented_exam())
    path = place.home.root / "exams" / "spark.json"
    whole = path.read_bytes()
    assert last_exam(place.home, MODEL) is not None
    path.write_bytes(whole.replace(b'"round":7', wrong))
    assert last_exam(place.home, MODEL) is None


def test_an_exam_from_before_its_puzzles_were_noted_is_of_all(place: ServiceContext) -> None:
    """An earlier release did not write which were practised."""
    keep_exam(place.home, invented_exam())
    path = place.home.root / "exams" / "spark.json"
    path.write_bytes(path.read_bytes().replace(b',"scope":null', b""))
    assert b"scope" not in path.read_bytes()
    assert last_exam(place.home, MODEL) == invented_exam()


def test_an_exam_of_an_earlier_release_is_put_aside(place: ServiceContext) -> None:
    """It measured another thing; the next exam takes its place."""
    keep_exam(place.home, invented_exam())
    score = b'{"mean":0.5,"standard_error":0.1}'
    earlier = (
        b'{"model":"spark","round":7,"at":1.7e9,"puzzles":3,"before":%s,"now":%s,"gain":%s,'
        b'"kinds":[{"task":"gcd","title":"","puzzles":3,"before":0.5,"now":0.5}]}'
    )
    path = place.home.root / "exams" / "spark.json"
    path.write_bytes(earlier % (score, score, score))
    assert last_exam(place.home, MODEL) is None
    keep_exam(place.home, invented_exam())
    assert last_exam(place.home, MODEL) == invented_exam()


async def test_it_says_whether_it_had_all_puzzles_that_are_held_out(home: Home) -> None:
    """Of a small deck as many as there are, however many were asked for; nobody advises more."""
    deck = DeckLibrary(home.decks).install(deck_data("Sums", cards=60))
    place = ServiceContext(home, kinds=(deck.task,))

    async def examined(puzzles: int) -> tuple[int, bool]:
        result = await examine(place, MODEL, puzzles, lambda _done, _total: None)
        return result.puzzles, result.is_all

    there, is_all = await examined(600)
    assert 2 < there < 600
    assert is_all
    assert await examined(there) == (there, True)
    assert await examined(there - 1) == (there - 1, False)
