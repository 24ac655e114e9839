"""*How much*: processor, memory and disk that are lent."""

import os

from PySide6.QtWidgets import QWidget

from app.rows import Group
from app.settings.section import Section
from app.theme import Palette

_KILO = 1_000


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
        limits = [(kb, _speed(kb)) for kb in (250, 500, 1_000, 2_000, 5_000, 10_000)]
        return Group(
            self.tr("Network"),
            self.choice(
                self.tr("Fetching models"),
                "network.models_kb_s",
                [(0, self.tr("As fast as they come")), *limits],
                self.tr(
                    "Models are large, and only fetched when you ask for one. Practice itself "
                    "exchanges a few kilobytes of text a round. Counts from the next download."
                ),
            ),
        )


def _speed(kb: int) -> str:
    return (f"{kb}\u00a0kB" if kb < _KILO else f"{kb // _KILO}\u00a0MB") + "/s"


def _size(mib: int) -> str:
    return f"{mib}\u00a0MB" if mib < _KILO else f"{mib // _KILO}\u00a0GB"
