"""How busy others keep the graphics card that trains: games, films, other trainings.

NVIDIA's driver tells of each process how much of the card it used, where the extra ``cards`` is
installed; elsewhere nobody tells, and what is unknown is never a reason to pause.
"""

import os
from collections.abc import Callable
from importlib import import_module
from typing import Any, Final

import psutil

from core.i18n import translatable
from core.sensors.reading import Reading

_WITHOUT: Final = translatable("no driver tells who uses the graphics card")

WhichCard = Callable[[], str | None]
"""The driver's number or name of the card that trains; None where none of NVIDIA's does."""


def open_driver() -> Any:  # noqa: ANN401 - pynvml has no types
    """The driver's library, ready to be asked; None without it or without a card."""
    try:
        library = import_module("pynvml")
        library.nvmlInit()
    except Exception:  # noqa: BLE001 - not installed, no driver, or one of another version
        return None
    return library


class CardLoad:
    """Compares each reading with the one before; process ``root`` and all below are no others."""

    def __init__(self, card: WhichCard, root: int | None = None, driver: Any = None) -> None:  # noqa: ANN401 - see above
        self._card = card
        self._root = os.getpid() if root is None else root
        self._driver = driver or open_driver()
        self._seen = 0  # microseconds: the driver's time of the newest sample

    @property
    def is_told(self) -> bool:
        """Whether there is a driver that tells."""
        return self._driver is not None

    def read(self) -> Reading[float]:
        """Share of the card that others used since the last reading, in [0, 1]."""
        card = self._card() if self._driver is not None else None
        if card is None:
            return Reading(None, _WITHOUT)
        is_first = not self._seen
        samples = self._samples(card)
        if is_first:  # what the driver remembers may be minutes old
            return Reading(None, translatable("how busy the card is will be known in a moment"))
        share = share_of_others(samples, self._own())
        words = translatable("others use {} % of the graphics card", f"{100 * share:.0f}")
        return Reading(share, words)

    def _samples(self, card: str) -> list[tuple[int, int]]:
        """Process and percent of the card's cores, of every sample since the last."""
        driver = self._driver
        if card.isdecimal():
            handle = driver.nvmlDeviceGetHandleByIndex(int(card))
        else:
            handle = driver.nvmlDeviceGetHandleByUUID(card)
        try:
            found = driver.nvmlDeviceGetProcessUtilization(handle, self._seen)
        except driver.NVMLError_NotFound:  # nobody has used it since
            found = []
        self._seen = max([self._seen, 1, *(sample.timeStamp for sample in found)])
        return [(sample.pid, sample.smUtil) for sample in found]

    def _own(self) -> set[int]:
        try:
            family = psutil.Process(self._root).children(recursive=True)
        except psutil.Error:  # whoever started us is gone, and so are we soon
            family = []
        return {self._root, os.getpid(), *(process.pid for process in family)}


def share_of_others(samples: list[tuple[int, int]], own: set[int]) -> float:
    """Share of a card that processes beside ``own`` used: the sum of their means, in [0, 1].

    A process that this system does not know lives in another container, where our own have other
    numbers, too: it does not count, or practice would make way for itself.
    """
    by_process: dict[int, list[int]] = {}
    for process, percent in samples:
        if process not in own and psutil.pid_exists(process):
            by_process.setdefault(process, []).append(percent)
    total = sum(sum(used) / len(used) for used in by_process.values())
    return min(1.0, total / 100)
