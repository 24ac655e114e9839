"""*How much*: processor, memory and disk that are lent."""

import os

from PySide6.QtWidgets import QWidget

from app.rows import Group, group_of
from app.settings.section import Section
from app.theme import Palette
from app.widgets import label

_GIGA = 1_000


class AmountsSection(Section):
    """How much of this computer practice may take."""

    def __init__(self, _palette: Palette) -> None:
        super().__init__()
        self.add(self._processor(), self._room(), self._network())

    def _processor(self) -> QWidget:
        threads = [(count, str(count)) for count in range(1, (os.cpu_count() or 1) + 1)]
        shares = [(share, f"{share}\u00a0%") for share in (75, 50, 25, 10)]
        return Group(
            self.tr("Processor"),
            self.choice(
                self.tr("Cores at work"),
                "compute.threads",
                [(0, self.tr("As many as help")), *threads],
                self.tr("Counts from the next start of practice. Small models need only one."),
            ),
            self.choice(
                self.tr("Share of the time"),
                "rules.share_percent",
                [(100, self.tr("All of it")), *shares],
                self.tr("It rests between rounds: cooler, quieter, and slower to learn."),
            ),
        )

    def _room(self) -> QWidget:
        never = (0, self.tr("Never mind"))
        memory = [(mib, _size(mib)) for mib in (250, 500, 1_000, 2_000, 4_000)]
        disk = [(mib, _size(mib)) for mib in (500, 1_000, 2_000, 5_000, 10_000, 50_000)]
        return Group(
            self.tr("Left for everything else"),
            self.choice(
                self.tr("Memory that stays free"),
                "rules.memory_floor_mib",
                [*memory, never],
                self.tr("Practice pauses while less than this is free."),
            ),
            self.choice(
                self.tr("Disk space that stays free"),
                "rules.disk_floor_mib",
                [*disk, never],
                self.tr("Practice pauses while less than this is free."),
            ),
        )

    def _network(self) -> QWidget:
        words = self.tr(
            "A round exchanges a few kilobytes of text, so there is nothing to limit. Models are "
            "large; they are only fetched when you ask for one."
        )
        return group_of(self.tr("Network"), label(words, wrap=True))


def _size(mib: int) -> str:
    return f"{mib}\u00a0MB" if mib < _GIGA else f"{mib // _GIGA}\u00a0GB"
