"""Which groups an update learns from."""

from collections import Counter
from dataclasses import replace
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.rollouts import mixing
from core.rollouts.mixing import Choice
from core.rollouts.prior import BetaPrior
from core.rollouts.types import (
    Completion,
    Mix,
    ModelId,
    PeerId,
    PuzzleKey,
    Question,
    RolloutGroup,
    ScoredGroup,
    TaskId,
)


def scored(number: int, rewards: tuple[float, ...], *, held_out: bool = False) -> ScoredGroup:
    """A group on the ``number``-th question that is, or is not, held out."""
    seed = number * 1_000
    while (question := Question(PuzzleKey(TaskId("t"), 1, seed, 0), f"{seed}?")).is_held_out != (
        held_out
    ):
        seed += 1
    texts = tuple(Completion(f"{number}.{i}", ended=True) for i in range(len(rewards)))
    author = PeerId(f"{number:064x}")
    group = RolloutGroup(question.key, question.digest, author, ModelId("m"), 1, texts)
    return ScoredGroup(question, group, rewards)


def test_flat_groups_are_dropped_before_the_draw() -> None:
    """J groups that teach are found among any number of flat ones: filter first, then draw."""
    shared = [scored(i, (1.0, 1.0)) for i in range(100)] + [scored(200, (0.0, 1.0))]
    mix = mixing.draw([], shared, Choice(1, 1), Random(1))
    assert mix.swarm == (shared[-1],)


def test_all_own_groups_that_teach_are_used() -> None:
    """Nothing own is wasted, in its order, and J does not limit it."""
    own = [scored(i, (0.0, float(i % 2))) for i in range(8)]
    mix = mixing.draw(own, [], Choice(2, 2), Random(1))
    assert mix.local == tuple(own[1::2])
    assert mix.swarm == ()


@pytest.mark.parametrize(
    ("mean", "concentration", "tells"),
    [
        (0.5, 4.0, True),
        (0.15, 4.0, True),
        (0.95, 4.0, False),
        (0.05, 4.0, False),
        (0.5, 0.1, False),
    ],
)
@pytest.mark.parametrize("reward", [0.0, 1.0])
def test_equal_answers_tell_something_where_questions_are_alike_and_uncertain(
    mean: float,
    concentration: float,
    tells: bool,  # noqa: FBT001 - a parameter
    reward: float,
) -> None:
    """Right or wrong alike, or an update would lean to one side; of the exam, never."""
    prior = BetaPrior(mean, concentration)
    flat = replace(scored(1, (reward,) * 4), prior=prior)
    assert mixing.may_surprise(flat) is tells
    assert not mixing.may_surprise(replace(flat, prior=None))
    assert not mixing.may_surprise(replace(scored(2, (reward,) * 4, held_out=True), prior=prior))


def test_equal_answers_fill_an_update_up() -> None:
    """As far as there is room beside groups whose answers differ, own and others', in order."""
    half = BetaPrior(0.5, concentration=4.0)
    first, second = (replace(scored(n, (1.0, 1.0)), prior=half) for n in (1, 2))
    usual = replace(scored(3, (1.0, 1.0)), prior=replace(half, mean=0.99))
    differs, shared = scored(4, (0.0, 1.0)), [scored(5, (0.0, 1.0))]
    own = [usual, first, second, differs]
    for room, found in (
        (0, (differs,)),
        (2, (differs,)),
        (3, (differs, first)),
        (9, (differs, first, second)),
    ):
        mix = mixing.draw(own, shared, Choice(1, 1, filled_to=room), Random(1))
        assert mix == Mix(found, tuple(shared))


def test_the_exam_is_never_practised() -> None:
    """A held-out question is dropped, own or not, however much it would teach."""
    exam = scored(1, (0.0, 1.0), held_out=True)
    assert mixing.draw([exam], [exam], Choice(5, 5), Random(1)).groups == ()


def test_the_draw_is_uniform() -> None:
    """Each of twelve groups is drawn equally often (chi-square, 11 degrees, p > 0.001)."""
    shared = [scored(i, (0.0, 1.0)) for i in range(12)]
    rng = Random(3)
    drawn = Counter(
        g.group.author
        for _ in range(3_000)
        for g in mixing.draw([], shared, Choice(4, 4), rng).swarm
    )
    expected = 3_000 * 4 / 12
    assert sum((n - expected) ** 2 / expected for n in drawn.values()) < 31.3
    assert len(drawn) == 12


@given(st.lists(st.booleans(), max_size=20), st.integers(0, 30), st.integers())
def test_a_mix_never_exceeds_j_nor_repeats_nor_invents(
    useful: list[bool], swarm_groups: int, seed: int
) -> None:
    """Whatever is shared: min(J, useful) distinct groups come out, and the same for one seed."""
    shared = [scored(i, (0.0, float(teaches))) for i, teaches in enumerate(useful)]
    mix = mixing.draw([], shared, Choice(swarm_groups, swarm_groups), Random(seed))
    assert len(mix.swarm) == min(swarm_groups, sum(useful))
    assert len({g.group.author for g in mix.swarm}) == len(mix.swarm)
    assert mix == mixing.draw([], shared, Choice(swarm_groups, swarm_groups), Random(seed))


def told(task: str, author: int, rewards: tuple[float, ...], number: int = 0) -> ScoredGroup:
    """A group of that author on some puzzle of that task."""
    group = scored(10 * author + number, rewards)
    key = replace(group.question.key, task=TaskId(task))
    question = replace(group.question, key=key)
    by = replace(group.group, key=key, author=PeerId(f"{author:064x}"))
    return ScoredGroup(question, by, rewards)


def guided(shared: list[ScoredGroup], count: int, seed: int = 1) -> tuple[ScoredGroup, ...]:
    return mixing.draw([], shared, Choice(count, count, by_variance=True), Random(seed)).swarm


def test_guided_takes_the_most_balanced_first() -> None:
    """Half right, half wrong carries the largest advantages; one right of four carries less."""
    rare, even = told("a", 1, (1, 0, 0, 0)), told("b", 2, (1, 1, 0, 0))
    sure = told("c", 3, (1, 1, 1, 0))
    for seed in range(10):
        assert guided([rare, even, sure], 1, seed) == (even,)


def test_guided_prefers_tasks_that_are_not_there_yet() -> None:
    """A second group of a task tells less than the first of another, even of a rarer success."""
    alike = [told("a", author, (1, 1, 0, 0)) for author in (1, 2, 3)]
    other = told("b", 4, (1, 0, 0, 0))
    assert other in guided([*alike, other], 2)


def at(site: str, *groups: ScoredGroup) -> list[ScoredGroup]:
    """The same groups, as if they came from that place."""
    return [replace(one, group=replace(one.group, site=site)) for one in groups]


def sites_of(drawn: tuple[ScoredGroup, ...]) -> Counter[str]:
    return Counter(one.group.site for one in drawn)


@pytest.mark.parametrize("is_guided", [False, True])
def test_no_site_fills_an_update_up(*, is_guided: bool) -> None:
    """Twelve names at one address give J, however much more has room; others give what is left."""
    loud = at("loud", *(told(f"t{i}", i, (1, 1, 0, 0)) for i in range(12)))
    quiet = at("quiet", *(told("t", 20 + i, (1, 0, 0, 0)) for i in range(5)))
    choice = Choice(16, most_per_site=8, by_variance=is_guided)
    for seed in range(10):
        drawn = mixing.draw([], [*loud, *quiet], choice, Random(seed)).swarm
        assert sites_of(drawn) == {"loud": 8, "quiet": 5}


@pytest.mark.parametrize("is_guided", [False, True])
def test_an_author_of_unknown_place_counts_for_itself(*, is_guided: bool) -> None:
    """Two of them give J each: nothing says that they are the same."""
    shared = [told("t", author, (1, 0), n) for author in (1, 2) for n in range(9)]
    choice = Choice(16, most_per_site=8, by_variance=is_guided)
    drawn = mixing.draw([], shared, choice, Random(1)).swarm
    assert sorted(Counter(one.group.author for one in drawn).values()) == [8, 8]


def test_guided_prefers_sites_that_are_not_there_yet() -> None:
    """So that one who has many names is not heard alone."""
    loud = at("loud", *(told(f"task{i}", i, (1, 1, 0, 0)) for i in range(6)))
    quiet = at("quiet", told("other", 10, (1, 0, 0, 0)))
    assert sites_of(guided([*loud, *quiet], 2)) == {"loud": 1, "quiet": 1}


def test_guided_prefers_authors_that_are_not_there_yet() -> None:
    """So that one who sends much is not heard alone."""
    loud = [told(f"task{i}", 1, (1, 1, 0, 0), i) for i in range(6)]
    quiet = [told(f"other{i}", 2 + i, (1, 0, 0, 0)) for i in range(2)]
    authors = Counter(group.group.author for group in guided([*loud, *quiet], 4))
    assert len(authors) == 3


def test_a_lot_decides_between_equals() -> None:
    """Whoever comes first in the pool has no advantage (chi-square, 11 degrees, p > 0.001)."""
    shared = [told("t", author, (1, 0)) for author in range(12)]
    drawn = Counter(
        group.group.author for seed in range(1_200) for group in guided(shared, 1, seed)
    )
    assert sum((n - 100) ** 2 / 100 for n in drawn.values()) < 31.3
    assert len(drawn) == 12


@given(st.lists(st.integers(0, 4), max_size=20), st.integers(0, 30), st.integers())
def test_a_guided_mix_never_exceeds_j_nor_repeats_nor_invents(
    right: list[int], swarm_groups: int, seed: int
) -> None:
    """As the draw by lot: min(J, useful) different groups that teach, the same for one seed."""
    shared = [told(f"t{i % 3}", i, (1,) * n + (0,) * (4 - n)) for i, n in enumerate(right)]
    useful = [group for group in shared if mixing.has_signal(group)]
    drawn = guided(shared, swarm_groups, seed)
    assert len(drawn) == len(set(drawn)) == min(swarm_groups, len(useful))
    assert set(drawn) <= set(useful)
    assert drawn == guided(shared, swarm_groups, seed)


def test_only_what_an_update_could_take_waits() -> None:
    """Neither flat groups, nor more than a site may give."""
    groups = [scored(1, (1.0, 1.0)), *at("one", *(scored(n, (1.0, 0.0)) for n in (2, 3, 4)))]
    groups += at("two", scored(5, (1.0, 0.0)))
    assert mixing.waiting(groups, Choice(9, most_per_site=2)) == 3


@pytest.mark.parametrize(
    ("most", "expected", "tried"),
    [(4, 0, 4), (4, 1, 3), (4, 9, 2), (5, 9, 3), (2, 9, 2), (1, 9, 1), (0, 3, 0)],
)
def test_own_tries_are_fewer_where_groups_of_others_teach(
    most: int, expected: int, tried: int
) -> None:
    """One less for each, at least half, and at least two."""
    assert mixing.own_tries(most, expected) == tried
