"""Looking over a node's shoulder changes nothing and sees what it should."""

from collections.abc import Sequence
from dataclasses import replace
from math import log

from core.engine.ports import Learner, Progress, Sampler, Scorer, UpdateReport
from core.lab.learning.observed import (
    ObservedLearner,
    ObservedSampler,
    ObservedScorer,
    Recorder,
    Seen,
)
from core.rollouts.types import Completion, Question, SampledTokens, ScoredGroup, TaskId
from tests.core.lab.learning.small import ANNE, BOB
from tests.fakes import ADDING, AddingScorer, FakePolicy, peer_group, question


class Fixed:
    """Answers every question alike: two tokens of probability 1/2 and 1/8; one nobody drew."""

    def complete(
        self,
        questions: Sequence[Question],
        group_size: int,
        seed: int,
        *,
        most_tokens: int | None = None,
    ) -> list[tuple[Completion, ...]]:
        del group_size, seed
        assert most_tokens == 2, "passed on"
        tokens = SampledTokens((4, 0), (-log(2), -log(8)))
        drawn = Completion("a", ended=True, tokens=tokens)
        return [(drawn, Completion("", ended=False)) for _ in questions]


def test_generated_tokens_and_their_surprise_are_counted() -> None:
    """Over all calls of a round; entropy is the mean of -log p over the tokens."""
    recorder = Recorder(ANNE)
    sampler: Sampler = ObservedSampler(FakePolicy(), recorder)
    plain = FakePolicy().complete([question(1), question(2)], 3, 9)
    assert sampler.complete([question(1), question(2)], 3, 9) == plain
    assert recorder.seen.sampled_tokens == 2 * 3 * 2
    recorder.take()
    fixed = ObservedSampler(Fixed(), recorder)
    fixed.complete([question(1)], 2, 0, most_tokens=2)
    fixed.complete([question(2)], 2, 0, most_tokens=2)
    seen = recorder.take()
    assert seen.sampled_tokens == 4
    assert abs(seen.entropy - log(4)) < 1e-12


async def test_only_what_oneself_earned_is_noted() -> None:
    """Others' groups pass through the same judge, and are not the node's own reward."""
    recorder = Recorder(ANNE)
    scorer: Scorer = ObservedScorer(AddingScorer(), recorder)
    judged = await scorer.judge([peer_group(1, 3, 1, ANNE), peer_group(2, 1, 1, BOB)])
    await scorer.judge([peer_group(3, 1, 3, ANNE)])
    assert [group.rewards for group in judged] == [(1, 1, 1, 0), (1, 0)]
    seen = recorder.take()
    assert seen.reward_of(ADDING) == 0.5
    assert await scorer.ask([question(5).key]) == [question(5)]


async def test_only_first_answers_of_a_group_are_noted() -> None:
    """A question that was gone on with is judged once more, but was chosen by its outcome."""
    recorder = Recorder(ANNE)
    scorer: Scorer = ObservedScorer(AddingScorer(), recorder)
    await scorer.judge([peer_group(1, 1, 1, ANNE), peer_group(2, 0, 2, ANNE)])
    await scorer.judge([peer_group(1, 4, 2, ANNE)])
    assert recorder.take().reward_of(ADDING) == 0.25


async def test_it_is_noted_how_many_answers_show_their_work() -> None:
    """Of kinds whose starters have seen it done; where none was tried there is no share."""
    seen = Recorder(ANNE).take()
    group = peer_group(1, 1, 1, ANNE)
    for task, text in (("gcd", "Steps: 4,2 2"), ("gcd", "2"), ("bf", "Steps: 1")):
        key = replace(group.key, task=TaskId(task), seed=len(text))
        tried = replace(group, key=key, completions=(Completion(text, ended=True),))
        seen.own[key.task][key] = ScoredGroup(question(1), tried, (1.0,))
    assert seen.worked == 0.5
    assert Seen().worked is None


async def test_an_update_is_noted_and_the_rest_passed_on() -> None:
    """The learner saves and resumes as if nobody looked."""
    recorder, policy = Recorder(ANNE), FakePolicy()
    learner: Learner = ObservedLearner(policy, recorder)
    groups = await AddingScorer().judge([peer_group(1, 1, 1)])
    report = learner.update(groups)
    assert recorder.seen.update == report == UpdateReport(tuple(groups), 10, 1.0)
    learner.save(Progress(1, 2, "sapo"))
    assert learner.resume() == Progress(1, 2, "sapo")
    assert policy.saved == [(Progress(1, 2, "sapo"), policy.skill)]


def test_a_round_begins_with_nothing_seen() -> None:
    """What was seen is handed out once."""
    recorder = Recorder(ANNE)
    recorder.seen.sampled_tokens = 5
    assert recorder.take().sampled_tokens == 5
    assert recorder.take() == Seen()


def test_where_nothing_was_seen_figures_are_plain() -> None:
    """No division by zero, and no reward rather than one of zero."""
    assert Seen().entropy == 0
    assert Seen().reward_of(ADDING) is None
    assert Seen().update.trained == ()
