import math
from collections.abc import Sequence

from hypothesis import given
from hypothesis import strategies as st

from core.training.batch import TrainingGroup, micro_batches, pack

ids = st.lists(st.integers(1, 99), min_size=1, max_size=6).map(tuple)


@st.composite
def training_groups(draw: st.DrawFn) -> TrainingGroup:
    completions = draw(st.lists(ids, min_size=2, max_size=4))
    advantages = [float(n) for n in range(len(completions))]
    return TrainingGroup(draw(ids), tuple(completions), tuple(advantages))


SHORT = TrainingGroup((1, 2, 3), ((10, 11, 12, 0), (20, 21, 0)), (1.0, -1.0))
LONG = TrainingGroup((1, 2, 3, 4, 5, 6, 7, 8), ((30, 0), (40,)), (0.5, -0.5))


def test_the_layout_is_the_documented_one() -> None:
    """Two completions of four and three tokens after a prompt of three, then another group."""
    batch = pack([SHORT, LONG])
    assert batch.ids.tolist() == [1, 2, 3, 10, 11, 12, 20, 21, 1, 2, 3, 4, 5, 6, 7, 8, 30]
    assert batch.positions.tolist() == [0, 1, 2, 3, 4, 5, 3, 4, *range(9)]
    assert batch.sources.tolist() == [2, 3, 4, 5, 2, 6, 7, 15, 16, 15]
    assert batch.targets.tolist() == [10, 11, 12, 0, 20, 21, 0, 30, 0, 40]
    assert batch.advantages.tolist() == [1.0] * 4 + [-1.0] * 3 + [0.5] * 2 + [-0.5]


def test_rectangles_say_where_tokens_stand() -> None:
    """Each prompt a row, each completion a row without its last token, gaps marked."""
    rectangles = pack([SHORT, LONG]).rectangles
    assert rectangles.prompts.tolist() == [[0, 1, 2, -1, -1, -1, -1, -1], [*range(8, 16)]]
    assert rectangles.completions.tolist() == [
        [[3, 4, 5], [6, 7, -1]],
        [[16, -1, -1], [-1, -1, -1]],
    ]


def test_completions_of_one_token_leave_a_rectangle_of_gaps() -> None:
    """Nothing of them is in the list, and attention still has something to look at."""
    batch = pack([TrainingGroup((1, 2), ((3,), (4,)), (1.0, -1.0))])
    assert batch.ids.tolist() == [1, 2]
    assert batch.rectangles.completions.tolist() == [[[-1], [-1]]]


def test_the_samplers_log_probabilities_go_with_their_tokens() -> None:
    """Where they are known; elsewhere there is no number that could be taken for one."""
    known = TrainingGroup(
        (1,), ((5, 6), (7,)), (1.0, -1.0), sampler_logprobs=((-0.5, -1.5), (-2.5,))
    )
    packed = pack([known, LONG]).sampler_logprobs.tolist()
    assert packed[:3] == [-0.5, -1.5, -2.5]
    assert len(packed) == 6
    assert all(math.isnan(value) for value in packed[3:])


def test_a_credit_is_that_of_a_completions_first_token_alone() -> None:
    """Beside its advantage, which all of its tokens have."""
    group = TrainingGroup((1,), ((5, 6), (7,)), (1.0, -1.0), credits=(0.5, -0.25))
    assert pack([group]).advantages.tolist() == [1.5, 1.0, -1.25]
    assert pack([group.only([1])]).advantages.tolist() == [-1.25]


def test_shaping_goes_with_the_tokens_of_its_group() -> None:
    """Own groups have none."""
    shaped = TrainingGroup((1,), ((5, 6), (7,)), (1.0, -1.0), shaping=0.25)
    assert pack([shaped, LONG]).shaping.tolist() == [0.25] * 3 + [0.0] * 3


@given(st.lists(training_groups(), min_size=1, max_size=5))
def test_every_completion_token_is_trained_once(groups: list[TrainingGroup]) -> None:
    """Targets are all completion tokens in order, each predicted by the token before it."""
    batch = pack(groups)
    expected = [(p, t) for g in groups for c in g.completions for p, t in _pairs(g.prompt, c)]
    before = batch.ids[batch.sources]
    assert list(zip(before.tolist(), batch.targets.tolist(), strict=True)) == expected
    assert len(expected) == sum(group.trained_tokens for group in groups)


@given(st.lists(training_groups(), min_size=1, max_size=5))
def test_every_slot_stands_in_one_rectangle(groups: list[TrainingGroup]) -> None:
    """The rectangles hold each token of the list once, and nothing else."""
    batch = pack(groups)
    rectangles = batch.rectangles
    standing = [*rectangles.prompts.flatten().tolist(), *rectangles.completions.flatten().tolist()]
    assert sorted(n for n in standing if n >= 0) == list(range(len(batch.ids)))
    assert len(batch.ids) == sum(group.width for group in groups)


@given(st.lists(training_groups(), min_size=1, max_size=8), st.integers(1, 60), st.integers(1, 600))
def test_micro_batches_are_a_bounded_partition(
    groups: list[TrainingGroup], slots: int, scores: int
) -> None:
    """Every completion is in exactly one batch, and only one that is alone exceeds a bound."""
    batches = list(micro_batches(groups, slots, scores))
    assert sorted(_members([group for batch in batches for group in batch])) == sorted(
        _members(groups)
    )
    for batch in batches:
        if len(_members(batch)) > 1:
            assert sum(group.width for group in batch) <= slots
            assert _scores(batch) <= scores


@given(st.lists(training_groups(), min_size=1, max_size=8), st.integers(1, 60), st.integers(1, 600))
def test_micro_batches_keep_the_order_where_it_is_asked_for(
    groups: list[TrainingGroup], slots: int, scores: int
) -> None:
    """Completion by completion, so that what is computed of each can be told apart."""
    batches = micro_batches(groups, slots, scores, in_order=True)
    assert _members([group for batch in batches for group in batch]) == _members(groups)


def test_a_long_completion_among_short_ones_does_not_make_them_all_long() -> None:
    """Few tokens, but as many scores as if each completion had the length of the longest."""
    uneven = TrainingGroup((1,) * 10, ((7,) * 101, *[(8, 9)] * 15), (1.0,) * 16)
    short = [TrainingGroup((1,) * 10, ((8, 9),) * 16, (1.0,) * 16)] * 8
    assert uneven.width + sum(group.width for group in short) < 350
    assert _scores([*short, uneven]) > 9 * 350 * 100
    batches = list(micro_batches([uneven, *short], 350, 350 * 100))
    assert len(batches) == 2
    assert max(map(_scores, batches)) <= 350 * 100


def test_what_is_even_is_not_split_for_its_scores() -> None:
    """Groups as long as they may be fill a batch up to its last token."""
    group = TrainingGroup((1,) * 20, ((7,) * 11,) * 8, (1.0,) * 8)
    slots = 3 * group.width
    assert [len(batch) for batch in micro_batches([group] * 5, slots, 31 * slots)] == [3, 2]


def _scores(batch: Sequence[TrainingGroup]) -> int:
    """What attention computes in one head, gaps and all."""
    rectangles = pack(batch).rectangles
    places, inner = rectangles.prompts.shape[1], rectangles.completions.shape[2]
    return rectangles.prompts.numel() * places + rectangles.completions.numel() * (places + inner)


def _members(groups: Sequence[TrainingGroup]) -> list[tuple[object, ...]]:
    return [
        (group.prompt, *member)
        for group in groups
        for member in zip(group.completions, group.advantages, strict=True)
    ]


def _pairs(prompt: tuple[int, ...], completion: tuple[int, ...]) -> list[tuple[int, int]]:
    """(token before, token) for each token of ``completion``."""
    return list(zip((prompt[-1], *completion[:-1]), completion, strict=True))
