import pytest
import torch
from torch import Tensor

from tests.stand_in_device import StandInTensor, counting, recording, stand_in


def test_tensors_claim_the_device() -> None:
    """Made there or sent there, they are there, and so is what follows from them."""
    made, sent = torch.zeros(2, 3, device=stand_in()), torch.ones(2, 3).to(stand_in())
    for tensor in (made, sent, made + sent, (made + sent).t()):
        assert isinstance(tensor, StandInTensor)
        assert tensor.device == stand_in()
    assert torch.equal((made + sent).cpu(), torch.ones(2, 3))


def test_mixing_devices_raises() -> None:
    """But for plain numbers, which go along with the operation."""
    tensor = torch.ones(3, device=stand_in())
    assert (tensor * torch.tensor(2.0)).tolist() == [2, 2, 2]
    with pytest.raises(RuntimeError, match="on cpu"):
        tensor + torch.ones(3)


@pytest.mark.parametrize("inference", [False, True])
def test_what_has_to_wait_is_counted(inference: bool) -> None:  # noqa: FBT001 - a parameter
    """A number, a list, a shape that depends on data; not what goes on there."""
    tensor = torch.arange(4, device=stand_in())

    def waits(x: Tensor) -> list[int]:
        found = []
        for ask in (
            lambda: int(x.sum()),
            lambda: bool((x > 1).any()),
            x.tolist,
            x.cpu,
            x.nonzero,
            lambda: x[x > 1],
            lambda: x[x],
            lambda: x.add(1).view(2, 2).t().reshape(-1).cumsum(0),
        ):
            with counting() as noted:
                ask()
            found.append(noted.count)
        return found

    with torch.inference_mode(inference):
        assert waits(tensor) == [1, 1, 1, 1, 1, 1, 0, 0]


def test_what_was_recorded_is_done_again_in_place() -> None:
    """In the same memory, on what is there by then."""
    total, step = torch.zeros(2, device=stand_in()), torch.ones(2, device=stand_in())
    with recording() as calls:
        total.add_((step * 2).view(2))
    step.mul_(5)
    for call in list(calls):
        call()
    assert total.tolist() == [12, 12]
