"""A device that is not there: its tensors say that they are on it, and the processor computes.

What no computer of ours can run, a graphics card, is shown by it as far as it can be: an operation
that mixes devices raises, as it would there, and whatever would make the host wait for the device
is counted. Speed and the kernels themselves it says nothing about.

PyTorch calls the way in experimental: it is used here alone, and works with the version that
``constraints.txt`` pins.
"""

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import cache, partial
from typing import Any, Final, Self

import torch
from torch import Tensor
from torch.utils._pytree import tree_leaves, tree_map
from torch.utils.backend_registration import (
    _DummyBackendModule,
    _setup_privateuseone_for_python_backend,
)

# torch hands an operation over with whatever it was called with, and calls what devices do private.
# ruff: noqa: ANN401, SLF001

NAME: Final = "standin"

_aten: Final = torch.ops.aten

_FACTORIES: Final = (
    _aten.arange.default,
    _aten.arange.start,
    _aten.arange.start_step,
    _aten.empty.memory_format,
    _aten.empty_strided.default,
)
"""What makes a tensor out of none, so that no tensor says where it belongs; all others call it."""

_COPIES: Final = {_aten._to_copy.default, _aten.copy_.default}
"""The only operations that may see both devices."""

_ASKING: Final = {
    _aten._local_scalar_dense.default,  # item(), int(), float(), bool()
    _aten.equal.default,
    _aten.nonzero.default,
    _aten.masked_select.default,
    _aten.repeat_interleave.Tensor,
    _aten.unique_consecutive.default,
    _aten._unique2.default,
}
"""What cannot give its result before the device has: a number, or a shape that depends on data."""


class Waits:
    """What was asked of the device, by operation, and how many copies were sent to it."""

    def __init__(self) -> None:
        self.asked: Counter[str] = Counter()
        self.sent = 0

    @property
    def count(self) -> int:
        """How often the host had to wait for the device to come to an end."""
        return self.asked.total()


_noted: Final = [Waits()]  # the innermost is the last


@contextmanager
def counting() -> Iterator[Waits]:
    """Count the waits and copies of what is done while the context lasts."""
    _noted.append(Waits())
    try:
        yield _noted[-1]
    finally:
        _noted.pop()


@contextmanager
def recording() -> Iterator[list[Callable[[], None]]]:
    """Collect what is done while the context lasts as calls that do it again, like a CUDA graph.

    They work in the same memory as the first time; unlike a graph's, it was done that time, too.
    """
    calls: list[Callable[[], None]] = []
    _recorders.append(calls)
    try:
        yield calls
    finally:
        _recorders.remove(calls)


_recorders: Final[list[list[Callable[[], None]]]] = []


class _Backend(_DummyBackendModule):
    """What ``torch.standin`` is."""

    def get_amp_supported_dtype(self) -> list[torch.dtype]:
        """Whoever computes activations again asks; nothing here changes precision by itself."""
        return []


@cache
def stand_in() -> torch.device:
    """Make the device known to torch, for as long as the process lives."""
    _setup_privateuseone_for_python_backend(NAME, backend_module=_Backend())
    library = torch.library.Library("aten", "IMPL")
    for operation in _FACTORIES:
        library.impl(operation.name(), partial(_kernel, operation), "PrivateUse1")
    library.impl("aten::_copy_from", _copy_from, "PrivateUse1")
    _libraries.append(library)
    return torch.device(NAME, 0)


def _copy_from(source: Tensor, target: Tensor, non_blocking: bool = False) -> Tensor:  # noqa: FBT001, FBT002 - torch's own
    """``copy_`` the other way round: what ``torch.tensor`` calls."""
    _kernel(_aten.copy_.default, target, source, non_blocking)
    return target


_libraries: Final[list[torch.library.Library]] = []  # what is registered ends with its library


class StandInTensor(torch.Tensor):
    """A tensor that claims to be on the device, around the one on the processor that has it all."""

    held: Tensor

    @staticmethod
    def __new__(cls, held: Tensor) -> Self:  # noqa: ANN001 - a class
        """Claim what ``held`` is."""
        made: Self = torch.Tensor._make_wrapper_subclass(
            cls,
            held.size(),
            strides=held.stride(),
            storage_offset=held.storage_offset(),
            dtype=held.dtype,
            device=stand_in(),
        )
        made.held = held
        return made

    @classmethod
    def __torch_dispatch__(  # type: ignore[override]  # declared as the function it is replaced by
        cls,
        operation: Any,
        types: Sequence[type],
        args: Sequence[Any] = (),
        kwargs: Mapping[str, Any] | None = None,
    ) -> Any:
        """Compute on the processor, and note what a device would be asked."""
        del types
        kwargs = kwargs or {}
        # Without autograd above it an operation arrives whole; a device is given its parts.
        parts = operation.decompose(*args, **kwargs)
        return _kernel(operation, *args, **kwargs) if parts is NotImplemented else parts

    def tolist(self) -> Any:
        """Bring it to the host; torch's own takes no class of anybody else's."""
        return self.cpu().tolist()

    def __repr__(self, *, tensor_contents: object = None) -> str:  # type: ignore[override]  # as above
        """Say where it is."""
        del tensor_contents
        return f"StandInTensor({self.held!r})"


def _kernel(operation: Any, *args: Any, **kwargs: Any) -> Any:
    """Do ``operation`` on the tensors inside."""
    given: dict[int, Tensor] = {}  # by the tensor inside: what writes to one returns it again
    _note(operation, args, kwargs)
    inside = partial(_inside, operation, given)
    args_inside, kwargs_inside = tree_map(inside, args), tree_map(inside, kwargs)
    result = operation(*args_inside, **kwargs_inside)
    for calls in _recorders:
        calls.append(partial(_again, operation, args_inside, kwargs_inside, result))
    if _gives_to_host(operation, args, kwargs):
        return result
    return tree_map(partial(_outside, given), result)


def _inside(operation: Any, given: dict[int, Tensor], x: Any) -> Any:
    """What the processor is given for ``x``; notes in ``given`` what it belongs to."""
    if isinstance(x, StandInTensor):
        given[id(x.held)] = x
        return x.held
    if isinstance(x, Tensor):
        _refuse_mixing(operation, x)
        given[id(x)] = x
    is_ours = isinstance(x, torch.device) and x.type == NAME
    return torch.device("cpu") if is_ours else x


def _outside(given: Mapping[int, Tensor], x: Any) -> Any:
    """What torch is given for ``x``, which the processor made or wrote to."""
    if not isinstance(x, Tensor):
        return x
    if (known := given.get(id(x))) is not None:
        assert known.shape == x.shape, "an operation made room in its result: give it as much"
        return known
    with torch.inference_mode(mode=False):  # or what is detached there could not be made
        return StandInTensor(x)


def _again(operation: Any, args: Sequence[Any], kwargs: Mapping[str, Any], result: Any) -> None:
    """Do ``operation`` once more, with its ``result`` where it was."""
    pairs = zip(tree_leaves(result), tree_leaves(operation(*args, **kwargs)), strict=True)
    for old, new in pairs:
        if isinstance(old, Tensor) and old.data_ptr() != new.data_ptr():
            old.copy_(new)


def _refuse_mixing(operation: Any, x: Tensor) -> None:
    if operation not in _COPIES and x.dim() > 0:
        raise RuntimeError(f"{operation} expected all tensors to be on {NAME}, and one is on cpu")


def _note(operation: Any, args: Sequence[Any], kwargs: Mapping[str, Any]) -> None:
    """Count ``operation`` where it waits or sends."""
    waits = _noted[-1]
    if operation in _COPIES:
        source = args[1] if operation is _aten.copy_.default else args[0]
        if not isinstance(source, StandInTensor):
            waits.sent += source.dim() > 0  # a number goes along with the kernel
        elif _gives_to_host(operation, args, kwargs):
            waits.asked[str(operation)] += 1
    elif operation in _ASKING and not _knows_its_size(operation, kwargs):
        waits.asked[str(operation)] += 1
    elif operation in {_aten.index.Tensor, _aten.index_put_.default, _aten.index_put.default}:
        masks = [x for x in args[1] if x is not None and x.dtype == torch.bool]
        if masks:
            waits.asked[str(operation)] += 1


def _knows_its_size(operation: Any, kwargs: Mapping[str, Any]) -> bool:
    return operation is _aten.repeat_interleave.Tensor and kwargs.get("output_size") is not None


def _gives_to_host(operation: Any, args: Sequence[Any], kwargs: Mapping[str, Any]) -> bool:
    """Whether the result of a copy is on the processor."""
    if operation is _aten._to_copy.default:
        device = kwargs.get("device")
        return device is not None and torch.device(device).type == "cpu"
    return operation is _aten.copy_.default and not isinstance(args[0], StandInTensor)


# At import, which in a test run is before any test: the threads that take gradients back are
# started with the first gradient, one for each device that is known by then.
stand_in()
