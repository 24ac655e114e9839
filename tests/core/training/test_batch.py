from hypothesis import given
from hypothesis import strategies as st

from core.training.batch import TrainingGroup, micro_batches, pack

ids = st.lists(st.integers(1, 99), min_size=1, max_size=6).map(tuple)


@st.composite
def training_groups(draw: st.DrawFn) -> TrainingGroup:
    completions = draw(st.lists(ids, min_size=2, max_size=4))
    advantages = [float(n) for n in range(len(completions))]
    return TrainingGroup(draw(ids), tuple(completions), tuple(advantages))


def test_the_layout_is_the_documented_one() -> None:
    """Two completions of three and two tokens after a prompt of three, beside a longer row."""
    group = TrainingGroup((1, 2, 3), ((10, 11, 12, 0), (20, 21, 0)), (1.0, -1.0))
    wider = TrainingGroup((1, 2, 3, 4, 5, 6, 7, 8), ((30, 0), (40,)), (0.5, -0.5))
    batch = pack([group, wider], pad_id=0)
    assert batch.ids.tolist() == [
        [1, 2, 3, 10, 11, 12, 20, 21, 0],
        [1, 2, 3, 4, 5, 6, 7, 8, 30],
    ]
    assert batch.positions.tolist() == [[0, 1, 2, 3, 4, 5, 3, 4, 0], [*range(9)]]
    assert batch.sources.tolist() == [2, 3, 4, 5, 6, 7, 16, 17]
    assert batch.source.tolist() == [0, 1, 2, 3, 0, 4, 5, 6, 7, 6]
    assert batch.target.tolist() == [10, 11, 12, 0, 20, 21, 0, 30, 0, 40]
    assert batch.advantage.tolist() == [1.0] * 4 + [-1.0] * 3 + [0.5] * 2 + [-0.5]


def test_a_completion_sees_its_prompt_and_itself() -> None:
    """The mask of one row with two completions, token by token."""
    batch = pack([TrainingGroup((1, 2), ((3, 4, 5), (6, 7, 8)), (1.0, -1.0))], pad_id=0)
    assert batch.mask[0, 0].int().tolist() == [
        [1, 0, 0, 0, 0, 0],
        [1, 1, 0, 0, 0, 0],
        [1, 1, 1, 0, 0, 0],
        [1, 1, 1, 1, 0, 0],
        [1, 1, 0, 0, 1, 0],
        [1, 1, 0, 0, 1, 1],
    ]


def test_padding_is_seen_by_no_token() -> None:
    """Padding looks at something, so that its softmax is a number; nothing looks at padding."""
    short = TrainingGroup((1,), ((2, 3), (4, 5)), (1.0, -1.0))
    long = TrainingGroup((1,) * 9, ((2, 3), (4, 5)), (1.0, -1.0))
    mask = pack([short, long], pad_id=0).mask[0, 0]
    assert mask.any(1).all()
    assert not mask[: short.width, short.width :].any()


@given(st.lists(training_groups(), min_size=1, max_size=5))
def test_every_completion_token_is_trained_once(groups: list[TrainingGroup]) -> None:
    """Targets are all completion tokens in order, each predicted by the token before it."""
    batch = pack(groups, pad_id=0)
    expected = [(p, t) for g in groups for c in g.completions for p, t in _pairs(g.prompt, c)]
    before = batch.ids.flatten()[batch.sources][batch.source]
    assert list(zip(before.tolist(), batch.target.tolist(), strict=True)) == expected
    assert len(expected) == sum(group.trained_tokens for group in groups)
    assert len(set(batch.sources.tolist())) == len(batch.sources)


@given(st.lists(training_groups(), min_size=1, max_size=8), st.integers(1, 60))
def test_micro_batches_are_a_bounded_partition(groups: list[TrainingGroup], slots: int) -> None:
    """Every group is in exactly one batch, and no batch of several groups exceeds the bound."""
    batches = list(micro_batches(groups, slots))
    seen = [id(group) for batch in batches for group in batch]
    assert sorted(seen) == sorted(id(group) for group in groups)
    for batch in batches:
        assert len(batch) == 1 or len(batch) * max(g.width for g in batch) <= slots


def _pairs(prompt: tuple[int, ...], completion: tuple[int, ...]) -> list[tuple[int, int]]:
    """(token before, token) for each token of ``completion``."""
    return list(zip((prompt[-1], *completion[:-1]), completion, strict=True))
