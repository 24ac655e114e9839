"""The steps of decoding, each like the one before: launched one by one, or recorded and replayed.

A card is done with a step of a small model before the host has launched the next: a thousand small
operations. CUDA can record them once, as a graph, and launch them together, as long as the step
asks nothing, sends nothing, and works in the same memory every time. The tests record and replay on
a device of their own making; of cards, one NVIDIA H200 has run it.
"""

import logging
from collections.abc import Callable
from functools import partial
from typing import Protocol

import torch

Step = Callable[[], None]

_log = logging.getLogger(__name__)


class Steps(Protocol):
    """Whatever repeats a step."""

    def run(self, times: int) -> None:
        """Do as many steps."""

    def reshape(self) -> None:
        """Note that the step works on other shapes, or in other memory, from now on."""


class LaunchedSteps:
    """Every operation of every step is launched by the host."""

    def __init__(self, step: Step) -> None:
        self._step = step

    def run(self, times: int) -> None:
        """Do as many steps."""
        for _ in range(times):
            self._step()

    def reshape(self) -> None:
        """Shapes do not matter here."""


class RecordedSteps:
    """One step is launched, which warms up what it calls, the next recorded, and then replayed.

    ``record`` takes a step, which it does not carry out, and gives what does. What cannot be
    recorded is launched.
    """

    def __init__(self, step: Step, record: Callable[[Step], Step]) -> None:
        self._step = step
        self._record = record
        self._replay: Step | None = None

    def run(self, times: int) -> None:
        """Do as many steps."""
        if self._replay is None and times:
            self._step()
            times -= 1
            if times:
                self._replay = self._recorded()
        for _ in range(times):
            (self._replay or self._step)()

    def reshape(self) -> None:
        """Forget the recording."""
        self._replay = None

    def _recorded(self) -> Step:
        try:
            return self._record(self._step)
        except RuntimeError:
            _log.warning("A step could not be recorded; steps are launched.", exc_info=True)
            return self._step


def steps_on(device: torch.device, step: Step) -> Steps:
    """Choose what repeats ``step`` on ``device``."""
    if device.type == "cuda":
        return RecordedSteps(step, partial(record_on_cuda, device))
    return LaunchedSteps(step)


def record_on_cuda(device: torch.device, step: Step) -> Step:
    """Record ``step``, which works on ``device``, as a CUDA graph.

    Raises:
        RuntimeError: it waits for the card, or does what else a graph cannot hold.
    """
    graph = torch.cuda.CUDAGraph()
    # Recorded is what goes to the current card, which is the first one unless somebody says so.
    # Other threads may use it meanwhile: only what this one does has to fit into a graph.
    with torch.cuda.device(device), torch.cuda.graph(graph, capture_error_mode="thread_local"):
        step()
    return graph.replay
