from collections.abc import Sequence
from dataclasses import replace

import pytest

from core.rollouts.types import Completion, PeerId, ScoredGroup
from core.training.effect_of_working import KEPT, MOST, OWN, PRIOR, EffectOfWorking, worked
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


PAYS, HARMS, EVEN = _group([1, 1], [0, 0]), _group([0, 0], [1, 1]), _group([1, 0], [1, 0])


@pytest.mark.parametrize(
    ("text", "ended", "shown"),
    [
        ("12", True, False),
        ("<answer>12</answer>", True, False),
        (" \n<answer>12", True, False),
        (" 12345678 ", True, False),
        ("7+5=12 <answer>12</answer>", True, True),
        ("7+5=1", False, True),
        ("2+7=9,9+3", True, True),
    ],
)
def test_an_answer_is_worked_where_something_stands_before_it(
    text: str, *, ended: bool, shown: bool
) -> None:
    """Steps stay steps if their answer is left out, or they are broken off."""
    scored = answered("7 + 5", {"7+5 is <answer>12</answer>": 1.0, "3": 1.0, text: 0.0})
    *others, asked = scored.group.completions
    group = replace(scored.group, completions=(*others, replace(asked, ended=ended)))
    assert worked(replace(scored, group=group)) == [True, False, shown]


def test_nothing_is_known_without_a_group_that_has_both() -> None:
    """However much was seen."""
    effect = EffectOfWorking()
    effect.observe_own([_group([1, 0], []), _group([], [1, 0])] * 50)
    assert effect.expected == 0


def test_the_own_tries_decide_in_the_end() -> None:
    """Their difference, pooled over groups by n_w n_b / n; at first next to nothing."""
    effect = EffectOfWorking()
    effect.observe_own([_group([1], [0, 0, 0])])  # weighs 3/4, and says 1
    effect.observe_own([_group([1, 0], [1, 0])])  # weighs 1, and says 0
    sums = KEPT * 0.75, KEPT * 0.75 + 1
    assert effect.sums == {OWN: pytest.approx(sums)}
    assert effect.expected == pytest.approx(sums[0] / (sums[1] + PRIOR))
    effect.observe_others([_group([0], [1], author) for author in "abcde" * 2])
    assert effect.expected == pytest.approx((sums[0] - PRIOR) / (sums[1] + PRIOR))
    effect.observe_own([PAYS] * 200)
    assert effect.expected > 0.9


def test_what_was_seen_long_ago_has_no_say() -> None:
    """A node that has stopped working would otherwise never hear that it pays by now."""
    effect = EffectOfWorking()
    effect.observe_own([HARMS] * 30)
    effect.observe_others([replace(HARMS, group=replace(HARMS.group, site="gone"))] * 3)
    for _ in range(400):
        effect.observe_own([])
        effect.observe_others([_group([1, 1], [0, 0], author) for author in "abcde"])
    assert effect.expected == pytest.approx(1)
    assert effect.sums.keys() == set("abcde")


def test_until_then_the_median_of_others_does() -> None:
    """Two of five who say the opposite move it no further than the others go, however loud."""
    effect = EffectOfWorking()
    for author in "abc":
        effect.observe_others([_group([1, 1], [1, 0], author)] * 2)
    for author in "de":
        effect.observe_others([_group([0, 0], [1, 1], author)] * 500)
    assert effect.expected == pytest.approx(0.5)


def test_four_others_are_not_believed() -> None:
    """Two of them could lie; nor is whoever said next to nothing counted."""
    effect = EffectOfWorking()
    for author in "abcd":
        effect.observe_others([_group([0, 0], [1, 1], author)] * 9)
    effect.observe_others([_group([0], [1, 1, 1], "e")])
    assert effect.expected == 0


def test_many_names_at_one_site_have_one_say() -> None:
    """Keys are free, addresses are not."""
    effect = EffectOfWorking()
    for name in range(9):
        effect.observe_others([_group([0, 0], [1, 1], f"name {name}", "one site")] * 9)
    assert (effect.expected, len(effect.sums)) == (0, 1)


def test_those_heard_of_long_ago_are_forgotten() -> None:
    """The own sums are not."""
    effect = EffectOfWorking()
    effect.observe_own([PAYS])
    for number in (*range(MOST), 0, MOST):
        effect.observe_others([replace(HARMS, group=replace(HARMS.group, site=str(number)))])
    assert effect.sums.keys() == {OWN, *map(str, range(MOST + 1))} - {"1"}


def test_how_often_a_kind_is_worked_is_told_by_own_answers_of_late() -> None:
    """One in ten before any; others have no say, nor have other kinds."""
    effect = EffectOfWorking()
    kind = PAYS.question.key.task
    assert effect.share(kind) == pytest.approx(0.1)
    effect.observe_others([_group([1, 1], [0], author) for author in "abcdefgh"])
    assert effect.share(kind) == pytest.approx(0.1)
    effect.observe_own([_group([1, 0, 0], [0])])
    assert effect.share(kind) == pytest.approx((3 + 0.5) / (4 + 5))
    effect.observe_own([_group([], [1, 0])] * 60)
    assert effect.share(kind) < 0.03
    assert effect.share("another kind") == pytest.approx(0.1)


def test_it_goes_on_from_its_sums() -> None:
    """As if it had never been closed."""
    whole, first = EffectOfWorking(), EffectOfWorking()
    for effect in (whole, first):
        effect.observe_own([PAYS, EVEN])
        effect.observe_others([_group([1], [0], author) for author in "abcdeabcde"])
    second = EffectOfWorking(first.sums, first.answers)
    for effect in (whole, second):
        effect.observe_own([HARMS])
    assert (second.sums, second.answers) == (whole.sums, whole.answers)
    assert second.expected == whole.expected
