"""How far a download has come: the bytes that are there, and what is being done about the rest."""

from collections.abc import Callable
from typing import Literal

Report = Callable[[int, int], None]
"""(bytes that are there, bytes of the whole model)."""

Stage = Literal["downloading", "waiting", "verifying"]
"""Waiting: the line broke, and another try comes."""

OnStage = Callable[[Stage], None]


class DownloadProgress:
    """Counts the bytes of a model that are there, and passes on what is being done."""

    def __init__(self, total: int, report: Report, on_stage: OnStage = lambda _: None) -> None:
        self._total = total
        self._report = report
        self.enter = on_stage
        self._done = 0

    def add(self, count: int) -> None:
        """So many bytes more; negative where some had to be dropped."""
        self._done += count
        self._report(self._done, self._total)

    def leave_out(self, count: int) -> None:
        """So many bytes of the model are not needed after all."""
        self._total -= count
