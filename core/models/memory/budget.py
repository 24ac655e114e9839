"""Budget of what sampler and learner of one model hold in memory at once.

Out of memory is normal on a laptop: something else was opened, or a round brought longer answers.
Whoever runs out frees what it held, steps the shared budget down and does the same work again. Each
lever costs time and never correctness, so the results stay what they were.
"""

import ctypes
import gc
import logging
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cache
from typing import TYPE_CHECKING, Final, TypeVar

from core.models.memory.free import free_memory

if TYPE_CHECKING:
    import torch

T = TypeVar("T")

LEAST_SLOTS: Final = 256
"""Below this the weights and not the tokens fill the memory."""
CARD_SLOTS: Final = 8192
"""Where an NVIDIA card has the memory: most of a smaller pass is spent on telling it what to do."""
LEAST_ROWS: Final = 8
READ_TOKENS: Final = 2048
"""Of prompts, which the torch sampler reads at once at most; a longer prompt is read alone."""
_ROOM: Final = 2  # times what work takes: so much room that none has to be made

_log = logging.getLogger(__name__)

_WORDS: Final = (
    "not enough memory",
    "DefaultCPUAllocator",
    "out of memory",
    "CUBLAS_STATUS_ALLOC_FAILED",  # a card that is nearly full
)


@dataclass(frozen=True, slots=True)
class Budget:
    """Sizes of the batches of sampler and learner."""

    training_slots: int = 1024  # tokens in one forward and backward pass
    sampler_rows: int = 128  # sequences decoded together
    checkpointing: bool = False  # activations are computed again in the backward pass

    def smaller(self) -> "Budget | None":
        """Give the next step of the ladder; None at its end.

        First the micro-batch shrinks, which costs next to nothing, then the sampler's rows, then
        activations are computed twice, which costs a third of an update.
        """
        if self.training_slots > LEAST_SLOTS:
            return self.smaller_update()
        return self.fewer_rows() or self.smaller_update()

    @property
    def words(self) -> str:
        """What is done at once, for the log."""
        twice = ", activations computed twice" if self.checkpointing else ""
        return (
            f"{self.training_slots} tokens are learnt from and {self.sampler_rows} answers drawn "
            f"at a time{twice}"
        )

    def smaller_update(self) -> "Budget | None":
        """Give the next step that an update feels; None where there is none."""
        if self.training_slots > LEAST_SLOTS:
            return replace(self, training_slots=max(LEAST_SLOTS, self.training_slots // 2))
        return None if self.checkpointing else replace(self, checkpointing=True)

    def fewer_rows(self) -> "Budget | None":
        """Give the next step that the sampler feels; None where there is none."""
        if self.sampler_rows > LEAST_ROWS:
            return replace(self, sampler_rows=max(LEAST_ROWS, self.sampler_rows // 2))
        return None


class SharedBudget:
    """The budget of one model as it is now; its sampler and its learner hold the same one.

    ``on_smaller`` is called whenever it was stepped down, on the thread that did.
    """

    def __init__(
        self, start: Budget | None = None, on_smaller: Callable[[], None] = lambda: None
    ) -> None:
        self.current = start or Budget()
        self._on_smaller = on_smaller

    def shrink_update(self) -> bool:
        """Update with less at once from now on; False where there is nothing left to give up."""
        return self._settle_for(self.current.smaller_update())

    def shrink_sampling(self) -> bool:
        """Sample with less at once from now on; False where there is nothing left to give up."""
        return self._settle_for(self.current.fewer_rows())

    def _settle_for(self, smaller: Budget | None) -> bool:
        if smaller is None:
            return False
        self.current = smaller
        _log.warning("Memory ran out; from now on %s.", smaller.words)
        self._on_smaller()
        return True


def is_out_of_memory(error: BaseException) -> bool:
    """Whether ``error`` says that a device or this computer has no memory left.

    Graphics cards raise a type of their own; torch's allocator for the processor and that of
    Apple's chips raise a bare RuntimeError, known by its words alone.
    """
    import torch  # not above: how much fits is told without waiting for it

    if isinstance(error, (MemoryError, torch.OutOfMemoryError)):
        return True
    return isinstance(error, RuntimeError) and any(words in str(error) for words in _WORDS)


def require_memory(device: "torch.device", size: int) -> None:
    """Check that ``size`` bytes are free before work on ``device`` that takes so many.

    Cards refuse by themselves. Linux grants more memory than there is, and kills who uses it.

    Raises:
        MemoryError: fewer are free, even after what was freed here has been given back.
    """
    if device.type != "cpu" or free_memory() >= _ROOM * size:
        return
    return_freed_memory()  # pieces of other sizes, of which the work could not use all
    if (free := free_memory()) < size:
        raise MemoryError(f"{size} bytes are needed, and {free} are free")


def unless_short(work: Callable[[], T]) -> T | None:
    """The result of ``work``; None where memory ran out on the way."""
    try:
        return work()
    except (RuntimeError, MemoryError) as error:
        if not is_out_of_memory(error):
            raise
        return None


def return_freed_memory() -> None:
    """Give what was freed back to the system.

    glibc keeps freed pieces for later, and what large passes of changing sizes leave behind grows
    to twice of what is in use. Other systems' allocators give back by themselves.
    """
    trim = _trimmer()
    if trim is not None:
        trim(0)


@cache
def _trimmer() -> Callable[[int], int] | None:
    try:
        trim: Callable[[int], int] = ctypes.CDLL(None).malloc_trim
    except (AttributeError, OSError, TypeError):  # another C library; or Windows, which has none
        return None
    return trim


def free_leftovers(device: "torch.device") -> None:
    """Give back what a failed attempt left behind; call it once the attempt's frames are gone."""
    import torch

    gc.collect()
    return_freed_memory()
    if device.type == "cuda":
        torch.cuda.empty_cache()
    elif device.type == "mps":
        torch.mps.empty_cache()
