import pytest
import torch
from torch import Tensor
from torch.nn.functional import scaled_dot_product_attention

from core.training.attention import Heads, attend, lay_out
from core.training.batch import PackedBatch, TrainingGroup, pack

GROUPS = [
    TrainingGroup((1, 2, 3), ((10, 11, 12, 0), (20, 21, 0), (5,)), (1.0, -1.0, 0.0)),
    TrainingGroup((1, 2, 3, 4, 5, 6, 7, 8), ((30, 0), (40,)), (0.5, -0.5)),
    TrainingGroup((9,), ((30,), (40,)), (0.5, -0.5)),
]


def _inputs(slots: int, heads: Heads) -> tuple[Tensor, Tensor, Tensor, Tensor]:
    """Queries, keys, values, and the slope of whatever follows."""
    random = torch.Generator().manual_seed(1)

    def draw(count: int) -> Tensor:
        return torch.randn(slots, count, heads.size, generator=random).requires_grad_()

    return draw(heads.queries), draw(heads.keys), draw(heads.keys), draw(heads.queries).detach()


def _mask(groups: list[TrainingGroup]) -> Tensor:
    """Who may look at whom in the flat list, said in the plainest way."""
    seats = [
        (number, completion)
        for number, group in enumerate(groups)
        for completion, length in enumerate(
            [len(group.prompt), *(len(ids) - 1 for ids in group.completions)]
        )
        for _ in range(length)
    ]
    looks = [
        [
            other <= one and seats[one][0] == seats[other][0] and seats[other][1] in (0, own)
            for other in range(len(seats))
        ]
        for one, (_, own) in enumerate(seats)
    ]
    return torch.tensor(looks)


def _plain(queries: Tensor, keys: Tensor, values: Tensor) -> Tensor:
    """One square over the whole list."""
    q, k, v = (x.transpose(0, 1)[None] for x in (queries, keys, values))
    mixed = scaled_dot_product_attention(q, k, v, attn_mask=_mask(GROUPS), enable_gqa=True)
    return mixed[0].transpose(0, 1)


@pytest.fixture
def batch() -> PackedBatch:
    """Groups of different sizes: gaps in prompts, in completions, and missing completions."""
    return pack(GROUPS)


@pytest.mark.parametrize("heads", [Heads(4, 4, 6), Heads(6, 2, 6), Heads(3, 1, 8)])
def test_it_equals_one_large_masked_square(batch: PackedBatch, heads: Heads) -> None:
    """Values, and gradients of queries, keys and values, with and without shared heads."""
    queries, keys, values, slope = _inputs(len(batch.ids), heads)
    inputs = (queries, keys, values)
    mixed = attend(queries, keys, values, lay_out(batch.rectangles, heads, torch.float32))
    reference = _plain(*inputs)
    assert torch.allclose(mixed, reference, atol=1e-6)
    ours = torch.autograd.grad(mixed, inputs, slope)
    theirs = torch.autograd.grad(reference, inputs, slope)
    for gradient, expected in zip(ours, theirs, strict=True):
        assert torch.allclose(gradient, expected, atol=1e-5)


def test_half_precision_stays_near(batch: PackedBatch) -> None:
    """bfloat16 in, bfloat16 out, and 2 % of the gradient."""
    heads = Heads(4, 2, 16)
    queries, keys, values, slope = _inputs(len(batch.ids), heads)
    inputs = (queries, keys, values)
    q, k, v = halves = [x.detach().bfloat16().requires_grad_() for x in inputs]
    mixed = attend(q, k, v, lay_out(batch.rectangles, heads, torch.bfloat16))
    assert mixed.dtype == torch.bfloat16
    ours = torch.autograd.grad(mixed, halves, slope.bfloat16())
    theirs = torch.autograd.grad(_plain(*inputs), inputs, slope)
    for gradient, expected in zip(ours, theirs, strict=True):
        assert (gradient.float() - expected).norm() < 0.02 * expected.norm()
