from collections.abc import Sequence
from dataclasses import replace

import msgspec
import pytest

from core.rollouts.types import Completion, PeerId, ScoredGroup, TaskId
from core.training.effect_of_working import (
    KEPT,
    MOST,
    MOST_TASKS,
    PRIOR,
    EffectOfWorking,
    WorkingSeen,
    worked,
)
from tests.tiny_models import answered


def _group(
    shown: Sequence[float], bare: Sequence[float], author: str = "", site: str = ""
) -> ScoredGroup:
    """A group of answers that earned ``shown`` with their work shown and ``bare`` without."""
    scored = answered("1 + 2", {})
    completions = [Completion("1+2 <answer>3</answer>", ended=True)] * len(shown)
    completions += [Completion("3", ended=True)] * len(bare)
    group = replace(scored.group, completions=tuple(completions), author=PeerId(author), site=site)
    return replace(scored, group=group, rewards=(*shown, *bare))


def _of_task(task: str, scored: ScoredGroup) -> ScoredGroup:
    key = replace(scored.question.key, task=TaskId(task))
    return replace(scored, question=replace(scored.question, key=key))


PAYS, HARMS, EVEN = _group([1, 1], [0, 0]), _group([0, 0], [1, 1]), _group([1, 0], [1, 0])
TASK = PAYS.question.key.task
OTHER = TaskId("other")


@pytest.mark.parametrize(
    ("text", "ended", "reward", "shown"),
    [
        ("12", True, 0, False),
        ("<answer>12</answer>", True, 0, False),
        (" \n<answer>12", True, 0, False),
        (" 12345678 ", True, 0, False),
        ("7+5=12 <answer>12</answer>", True, 0, True),
        ("7+5=12 <answer>12</answer>", True, 1, True),
        ("7+5=1", False, 0, True),
        ("2+7=9,9+3", True, 0, True),
        ("12", False, 1, False),
    ],
)
def test_an_answer_is_worked_where_something_stands_before_it(
    text: str, *, ended: bool, reward: float, shown: bool
) -> None:
    """Steps stay steps if their answer is left out, or they are broken off.

    A right answer is none for being said to be broken off.
    """
    scored = answered("7 + 5", {"7+5 is <answer>12</answer>": 1.0, "3": 0.0, text: reward})
    *others, asked = scored.group.completions
    group = replace(scored.group, completions=(*others, replace(asked, ended=ended)))
    assert worked(replace(scored, group=group)) == [True, False, shown]


def test_nothing_is_known_without_a_group_that_has_both() -> None:
    """However much was seen."""
    effect = EffectOfWorking()
    effect.observe_own([_group([1, 0], []), _group([], [1, 0]), _group([1], [1])] * 50)
    assert effect.expected(TASK) == 0


def test_the_own_tries_decide_in_the_end() -> None:
    """Their difference, pooled over groups by n_w n_b / n; at first next to nothing."""
    effect = EffectOfWorking()
    effect.observe_own([_group([1], [0, 0, 0])])  # weighs 3/4, and says 1
    effect.observe_own([_group([1, 0], [1, 0])])  # weighs 1, and says 0
    gain, weight = KEPT * 0.75, KEPT * 0.75 + 1
    assert effect.seen.own[TASK].effect == pytest.approx((gain, weight))
    everywhere = gain / (weight + PRIOR)
    assert effect.expected(OTHER) == pytest.approx(everywhere)
    here = (gain + PRIOR * everywhere) / (weight + PRIOR)
    assert effect.expected(TASK) == pytest.approx(here)
    effect.observe_others([_group([0], [1], author) for author in "abcde" * 2])
    assert effect.expected(OTHER) == pytest.approx((gain - PRIOR) / (weight + PRIOR))
    effect.observe_own([PAYS] * 200)
    assert effect.expected(OTHER) > 0.9


def test_a_kind_in_which_working_harms_is_told_apart() -> None:
    """What pays nearly everywhere is no reason to do it there, though it is tried now and then."""
    effect = EffectOfWorking()
    for number in range(300):
        rare = [_of_task(OTHER, HARMS)] if number % 10 == 0 else []
        effect.observe_own([PAYS, *rare])
    assert effect.expected(TASK) > 0.8
    assert effect.expected(OTHER) < 0


def test_what_was_seen_long_ago_has_no_say() -> None:
    """A node that has stopped working would otherwise never hear that it pays by now."""
    effect = EffectOfWorking()
    effect.observe_own([HARMS] * 30)
    effect.observe_others([replace(HARMS, group=replace(HARMS.group, site="gone"))] * 3)
    for _ in range(400):
        effect.observe_own([])
        effect.observe_others([_group([1, 1], [0, 0], author) for author in "abcde"])
    assert effect.expected(TASK) == pytest.approx(1, abs=0.01)
    assert effect.seen.others.keys() == set("abcde")


def test_until_then_the_median_of_others_does() -> None:
    """Two of five who say the opposite move it no further than the others go, however loud."""
    effect = EffectOfWorking()
    for author in "abc":
        effect.observe_others([_group([1, 1], [1, 0], author)] * 2)
    for author in "de":
        effect.observe_others([_group([0, 0], [1, 1], author)] * 500)
    assert effect.expected(TASK) == pytest.approx(0.5)


def test_four_others_are_not_believed() -> None:
    """Two of them could lie; nor is whoever said next to nothing counted."""
    effect = EffectOfWorking()
    for author in "abcd":
        effect.observe_others([_group([0, 0], [1, 1], author)] * 9)
    effect.observe_others([_group([0], [1, 1, 1], "e")])
    assert effect.expected(TASK) == 0


def test_many_names_at_one_site_have_one_say() -> None:
    """Keys are free, addresses are not."""
    effect = EffectOfWorking()
    for name in range(9):
        effect.observe_others([_group([0, 0], [1, 1], f"name {name}", "one site")] * 9)
    assert (effect.expected(TASK), len(effect.seen.others)) == (0, 1)


def test_those_heard_of_long_ago_are_forgotten() -> None:
    """And kinds that were not tried for longest, of decks that are gone."""
    effect = EffectOfWorking()
    for number in (*range(MOST), 0, MOST):
        effect.observe_others([replace(HARMS, group=replace(HARMS.group, site=str(number)))])
    assert effect.seen.others.keys() == set(map(str, range(MOST + 1))) - {"1"}
    for number in (*range(MOST_TASKS), 0, MOST_TASKS):
        effect.observe_own([_of_task(str(number), PAYS)])
    assert effect.seen.own.keys() == set(map(str, range(MOST_TASKS + 1))) - {"1"}


def test_how_often_a_kind_is_worked_is_told_by_own_answers_of_late() -> None:
    """Flat groups tell it as well, or what always fails would count as hardly ever worked."""
    effect = EffectOfWorking()
    effect.observe_own([_group([0] * 20, [])] * 60)
    effect.observe_others([_group([1], [0, 1, 1], author) for author in "abcdefgh"])
    assert effect.share(TASK, 0.0) > 0.97
    effect.observe_own([_group([], [1] * 20)] * 60)
    assert effect.share(TASK, 1.0) < 0.03


@pytest.mark.parametrize("in_group", [0.0, 0.25, 1.0])
def test_how_often_a_kind_is_worked_that_was_not_tried_is_taken_from_the_group(
    in_group: float,
) -> None:
    """Other kinds say nothing of one without steps: all its answers would count as too few."""
    effect = EffectOfWorking()
    effect.observe_own([_group([1, 0] * 20, [])] * 9)
    assert effect.share(OTHER, in_group) == in_group


def test_it_goes_on_from_what_was_kept() -> None:
    """As if it had never been closed."""
    whole, first = EffectOfWorking(), EffectOfWorking()
    for effect in (whole, first):
        effect.observe_own([PAYS, EVEN])
        effect.observe_others([_group([1], [0], author) for author in "abcdeabcde"])
    kept = msgspec.json.decode(msgspec.json.encode(first.seen), type=WorkingSeen)
    second = EffectOfWorking(kept)
    for effect in (whole, second):
        effect.observe_own([HARMS])
    assert second.seen == whole.seen


def test_what_cannot_be_true_is_not_gone_on_from() -> None:
    """A checkpoint that somebody edited must not end every update."""
    wrong = b'{"others": {"a": [2, 1]}, "own": {"t": [[0, -4], 0, 0], "u": [[0, 0], 1, 0]}}'
    edited = msgspec.json.decode(wrong, type=WorkingSeen)
    assert EffectOfWorking(edited).seen == WorkingSeen()
