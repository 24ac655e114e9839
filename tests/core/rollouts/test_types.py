"""The vocabulary of a round means one thing on every node."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.rollouts.types import (
    Completion,
    ModelId,
    PeerId,
    PuzzleKey,
    Question,
    RolloutGroup,
    ScoredGroup,
    TaskId,
    expected_share,
    mean_reward,
    site_of,
)

KEY = PuzzleKey(TaskId("gcd"), 1, 7, 0)
QUESTION = Question(KEY, "What is the greatest common divisor of 4 and 6?")


def scored(*rewards: float) -> ScoredGroup:
    completions = tuple(Completion(text=str(n), ended=True) for n, _ in enumerate(rewards))
    group = RolloutGroup(KEY, QUESTION.digest, PeerId("a" * 64), ModelId("spark"), 1, completions)
    return ScoredGroup(QUESTION, group, rewards)


def test_a_digest_is_the_same_on_every_node() -> None:
    """It travels, so it may depend on nothing but the prompt's UTF-8 bytes."""
    assert QUESTION.digest == "e2bf33eebc0b56c6"
    assert Question(PuzzleKey(TaskId("lcm"), 2, 1, 1), QUESTION.prompt).digest == QUESTION.digest


def test_one_question_in_sixteen_is_held_out() -> None:
    """The exam gets a sixteenth of all questions, practice the rest."""
    questions = [Question(KEY, f"Calculate {n} + {n * n}.") for n in range(4000)]
    share = sum(question.is_held_out for question in questions) / len(questions)
    assert abs(share - 1 / 16) < 0.012  # three standard errors


@given(st.text(), st.integers(0, 2**32 - 1))
def test_holding_out_follows_the_text_alone(prompt: str, seed: int) -> None:
    """Easy levels repeat their prompts: the same words under another seed are held out as well."""
    other = PuzzleKey(TaskId("gcd"), 1, seed, 0)
    assert Question(KEY, prompt).is_held_out == Question(other, prompt).is_held_out


@pytest.mark.parametrize("kept", [True, False])
def test_what_a_deck_keeps_for_the_exam_is_held_out(kept: bool) -> None:  # noqa: FBT001 - a parameter
    """Its word counts, and not the text: a small deck keeps more than one in sixteen."""
    for number in range(40):
        assert Question(KEY, f"{number}?", held_out=kept).is_held_out is kept


def test_a_lesson_is_no_part_of_a_question() -> None:
    """No model sees it beforehand, neither in the text nor in what is printed of it."""
    taught = replace(QUESTION, lesson="The answer is 2.")
    assert taught == QUESTION
    assert taught.digest == QUESTION.digest
    assert "answer" not in repr(taught)


def test_a_group_of_equal_rewards_is_flat() -> None:
    """All right or all wrong, or no answer at all; not where one differs."""
    assert scored().is_flat
    assert scored(0.0, 0.0).is_flat
    assert scored(1.0, 1.0).is_flat
    assert not scored(0.0, 1.0).is_flat


def test_the_mean_reward_counts_completions_not_groups() -> None:
    """A larger group weighs more, and nothing at all has no mean."""
    assert mean_reward([scored(1.0), scored(0.0, 0.0, 1.0)]) == 0.5
    assert mean_reward([]) is None


def test_a_group_of_unknown_place_takes_up_its_authors_share() -> None:
    """And where the place is known, all authors there share one."""
    group = scored(1.0, 0.0).group
    assert site_of(group) == group.author
    assert site_of(replace(group, site="203.0.113.0/24")) == "203.0.113.0/24"


def test_an_expected_share_is_never_certain() -> None:
    """One half where nothing was tried, and nearer to what was seen the more of it there is."""
    shares = [expected_share(cell) for cell in ((0, 0), (8, 8), (0, 8), (80, 80))]
    assert shares == [0.5, 8.5 / 9, 0.5 / 9, 80.5 / 81]
