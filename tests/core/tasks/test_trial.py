"""Who pays when the judge is lost, without any judge."""

from collections.abc import Callable

from hypothesis import given
from hypothesis import strategies as st

from core.rollouts.types import PuzzleKey, Question, TaskId
from core.tasks.judge_messages import MAX_ANSWERS, Judged, Made, Work
from core.tasks.trial import MAX_GUILTY, Outcome, Trial
from core.tasks.verifiers import MAX_ANSWER

KEY = PuzzleKey(TaskId("chain_sum"), 1, 2, 3)
MADE = Made("1 + 1 = ?", held_out=True)


def play(trial: Trial, judge: Callable[[Work], Outcome]) -> int:
    """Hold the trial before ``judge``; returns how often the judge was lost."""
    losses = 0
    while (work := trial.next_work()) is not None:
        outcome = judge(work)
        losses += outcome.lost
        trial.record(outcome)
    return losses


def true_reward(answer: str) -> float:
    return len(answer) / 10


def judge_that_dies_of(guilty: set[str]) -> Callable[[Work], Outcome]:
    def judge(work: Work) -> Outcome:
        judged: list[Judged] = []
        for answer in work.answers:
            if answer in guilty:
                return Outcome(MADE, judged, lost=True)
            judged.append(Judged(true_reward(answer), unusual="a" in answer))
        return Outcome(MADE, judged)

    return judge


@given(
    answers=st.lists(st.text("abc", max_size=3), max_size=12),
    guilty=st.sets(st.text("abc", max_size=3), max_size=MAX_GUILTY),
)
def test_exactly_the_guilty_pay(answers: list[str], guilty: set[str]) -> None:
    """Whoever kills the judge gets 0.0, all others their reward, at two judges a culprit."""
    trial = Trial(KEY, None, answers)
    losses = play(trial, judge_that_dies_of(guilty))
    assert trial.question() == Question(KEY, MADE.prompt, held_out=True)
    assert trial.rewards(answers) == tuple(
        0.0 if answer in guilty else true_reward(answer) for answer in answers
    )
    assert trial.unusual(answers) == {
        at for at, answer in enumerate(answers) if "a" in answer and answer not in guilty
    }
    assert losses == 2 * len(guilty & set(answers))


@given(st.lists(st.text("abc", max_size=3), min_size=1, max_size=12), st.data())
def test_one_loss_without_a_culprit_costs_nothing(answers: list[str], data: st.DataObject) -> None:
    """A judge that is killed from outside, at any point, changes no reward."""
    distinct = len(set(answers))
    done = data.draw(st.integers(0, distinct - 1))
    made = done > 0 or data.draw(st.booleans())
    innocent = judge_that_dies_of(set())
    first = True

    def judge(work: Work) -> Outcome:
        nonlocal first
        outcome = innocent(work)
        if first:
            first = False
            return Outcome(MADE if made else None, outcome.judged[:done], lost=True)
        return outcome

    trial = Trial(KEY, None, answers)
    play(trial, judge)
    assert trial.rewards(answers) == tuple(true_reward(answer) for answer in answers)


def test_too_many_guilty_answers_end_the_trial() -> None:
    """After a few lost judges the rest is not looked at, and there is no verdict."""
    answers = [f"bomb {n}" for n in range(50)]
    trial = Trial(KEY, None, answers)
    assert play(trial, judge_that_dies_of(set(answers))) == 2 * (MAX_GUILTY + 1)
    assert trial.question() is None


def test_a_puzzle_that_cannot_be_made_ends_the_trial() -> None:
    """Lost twice before the question came: the puzzle is to blame, with answers or without."""
    for answers in ([], ["a", "b"]):
        trial = Trial(KEY, None, answers)
        assert play(trial, lambda _: Outcome(lost=True)) == 2
        assert trial.question() is None


def test_a_refusal_ends_the_trial() -> None:
    """Another question, or an unknown one: nothing is judged."""
    trial = Trial(KEY, "0" * 16, ["a"])
    assert play(trial, lambda _: Outcome()) == 0
    assert trial.question() is None


def test_answers_travel_once_and_in_bounded_numbers() -> None:
    """Equal answers are sent once, at most MAX_ANSWERS in one Work, unsendable ones never."""
    unsendable = ["x" * (MAX_ANSWER + 1), "\udc80"]
    answers = [str(n % 150) for n in range(300)] + unsendable
    seen: list[str] = []

    def judge(work: Work) -> Outcome:
        assert len(work.answers) <= MAX_ANSWERS
        seen.extend(work.answers)
        return Outcome(MADE, [Judged(1.0)] * len(work.answers))

    trial = Trial(KEY, None, answers)
    play(trial, judge)
    assert seen == [str(n) for n in range(150)]
    assert trial.rewards(answers) == (1.0,) * 300 + (0.0, 0.0)


def test_a_question_alone_needs_no_answers() -> None:
    """Asking is a trial without answers: one Work, then the question is known."""
    trial = Trial(KEY, None)
    assert play(trial, lambda work: Outcome(MADE, [Judged(0.0)] * len(work.answers))) == 0
    assert trial.question() == Question(KEY, MADE.prompt, held_out=True)


def test_thinking_aloud_costs_nothing_and_is_not_judged() -> None:
    """The judge sees final answers only, equal ones once, and however long the thinking was."""
    thoughts = ["<answer>7</answer>", "Hm, 6? " * MAX_ANSWER + "<answer>7</answer>", "7", "8"]
    trial = Trial(KEY, None, thoughts)
    work = trial.next_work()
    assert work is not None
    assert work.answers == ("7", "8")
    trial.record(Outcome(MADE, (Judged(1.0), Judged(0.0))))
    assert trial.rewards(thoughts) == (1.0, 1.0, 1.0, 0.0)


def test_of_an_answer_that_is_wrong_no_form_is_told() -> None:
    """A judge that was taken over cannot have a wrong answer counted among the right ones."""
    trial = Trial(KEY, None, ["7", "8", "07"])
    trial.record(Outcome(MADE, (Judged(1.0), Judged(0.0, unusual=True), Judged(1.0, unusual=True))))
    assert trial.unusual(["07", "8", "7", "07"]) == {0, 3}


def test_a_right_answer_in_tags_that_are_not_as_asked_is_unusual() -> None:
    """Whatever the judge says of what stands between them; a wrong answer never is."""
    texts = [
        "<answer>7</answer>",
        "<answer>7",
        "<ANSWER>7</ANSWER>",
        "7",
        "<answer>8",
        "<answer>7</answer>.",
    ]
    trial = Trial(KEY, None, texts)
    trial.record(Outcome(MADE, (Judged(1.0), Judged(0.0))))
    assert trial.rewards(texts) == (1.0, 1.0, 1.0, 1.0, 0.0, 1.0)
    assert trial.unusual(texts) == {1, 2, 5}


def test_a_final_answer_that_is_too_long_is_wrong_unread() -> None:
    """Tags lift no limit."""
    text = f"<answer>{'7' * (MAX_ANSWER + 1)}</answer>"
    trial = Trial(KEY, None, [text])
    work = trial.next_work()
    assert work is not None
    assert work.answers == ()
    trial.record(Outcome(MADE))
    assert trial.rewards([text]) == (0.0,)
