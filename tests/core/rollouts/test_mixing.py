"""Which groups an update learns from."""

from collections import Counter
from random import Random

from hypothesis import given
from hypothesis import strategies as st

from core.rollouts import mixing
from core.rollouts.types import (
    Completion,
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
    mix = mixing.draw([], shared, 1, Random(1))
    assert mix.swarm == (shared[-1],)


def test_all_own_groups_that_teach_are_used() -> None:
    """Nothing own is wasted, in its order, and J does not limit it."""
    own = [scored(i, (0.0, float(i % 2))) for i in range(8)]
    mix = mixing.draw(own, [], 2, Random(1))
    assert mix.local == tuple(own[1::2])
    assert mix.swarm == ()


def test_the_exam_is_never_practised() -> None:
    """A held-out question is dropped, own or not, however much it would teach."""
    exam = scored(1, (0.0, 1.0), held_out=True)
    assert mixing.draw([exam], [exam], 5, Random(1)).groups == ()


def test_the_draw_is_uniform() -> None:
    """Each of twelve groups is drawn equally often (chi-square, 11 degrees, p > 0.001)."""
    shared = [scored(i, (0.0, 1.0)) for i in range(12)]
    rng = Random(3)
    drawn = Counter(
        g.group.author for _ in range(3_000) for g in mixing.draw([], shared, 4, rng).swarm
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
    mix = mixing.draw([], shared, swarm_groups, Random(seed))
    assert len(mix.swarm) == min(swarm_groups, sum(useful))
    assert len({g.group.author for g in mix.swarm}) == len(mix.swarm)
    assert mix == mixing.draw([], shared, swarm_groups, Random(seed))
