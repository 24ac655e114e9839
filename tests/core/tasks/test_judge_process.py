"""What the judge says to Work, without a process around it."""

import pytest

from core.errors import UnknownTaskError
from core.rollouts.types import PuzzleKey, Question, TaskId
from core.tasks.catalog import load_catalog
from core.tasks.judge_messages import Judged, Made, Reply, Work, WorkRefused
from core.tasks.judge_process import attend, judged, load_catalog_examiner
from core.tasks.reasoning_tasks import make_puzzle

KEY = PuzzleKey(TaskId("chain_sum"), 1, 2, 3)


class Examiner:
    """Rewards an answer that is a number with that number; a sign in front is unusual."""

    def question(self, key: PuzzleKey) -> Question:
        if key.level == 2:
            raise UnknownTaskError("There is no level 2.")
        if key.level == 3:
            raise MemoryError
        return Question(key, "How much?")

    def reward(self, _: PuzzleKey, answer: str) -> float:
        return float(answer)

    def is_canonical(self, _: PuzzleKey, answer: str) -> bool:
        if answer == "3":
            raise KeyError
        return not answer.startswith("+")


def replies(work: Work) -> list[Reply]:
    sent: list[Reply] = []
    attend(work, Examiner(), sent.append)
    return sent


def test_the_question_comes_first_then_a_reward_for_each_answer() -> None:
    """In the order of the answers, so that the first one without a reward is known."""
    assert replies(Work(KEY, None, ("1", "0", "0.5", "+1", "+0"))) == [
        Made("How much?"),
        Judged(1.0),
        Judged(0.0),
        Judged(0.5),
        Judged(1.0, unusual=True),
        Judged(0.0),
    ]


def test_the_digest_decides_whether_the_same_question_is_meant() -> None:
    """The digest of the question made here passes, another one does not."""
    digest = Question(KEY, "How much?").digest
    assert replies(Work(KEY, digest, ("1",))) == [Made("How much?"), Judged(1.0)]
    assert replies(Work(KEY, "0" * 16, ("1",))) == [WorkRefused()]


@pytest.mark.parametrize("level", [2, 3])
def test_puzzles_that_are_not_made_are_refused(level: int) -> None:
    """Unknown ones, and those in which the library fails."""
    assert replies(Work(PuzzleKey(KEY.task, level, 0, 0), None, ("1",))) == [WorkRefused()]


@pytest.mark.parametrize(
    ("answer", "reward"),
    [("nan", 0.0), ("inf", 1.0), ("-inf", 0.0), ("-0.0", 0.0), ("1.5", 1.0), ("", 0.0), ("3", 0.0)],
)
def test_rewards_are_finite_and_in_range(answer: str, reward: float) -> None:
    """Whatever the verifier returns or raises."""
    assert judged(Examiner(), KEY, answer) == Judged(reward)


def test_the_real_examiner_rewards_the_right_answer_only() -> None:
    """Puzzles of the catalogue, judged by our verifiers; the puzzle's own form is told apart."""
    examiner = load_catalog_examiner()
    assert examiner.question(KEY)
    own = make_puzzle(load_catalog(), KEY).answer
    assert judged(examiner, KEY, own) == Judged(1.0)
    for form in (f"{own}.", f"${own}$", f"x = {own}", f" {own}"):
        assert judged(examiner, KEY, form) == Judged(1.0, unusual=True)
    assert examiner.reward(KEY, "no idea") == 0.0
    with pytest.raises(UnknownTaskError):
        examiner.question(PuzzleKey(TaskId("nonsense"), 1, 0, 0))
