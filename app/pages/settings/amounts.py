"""*How much*: processor, memory and disk that are lent, and how hard the puzzles are."""

import os

from PySide6.QtWidgets import QWidget

from app.backend.actions import Actions
from app.pages.settings.section import Section, hundredths, said
from app.state.app_state import AppState
from app.style.theme import Palette
from app.text.figures import size
from app.widgets.controls import Choices
from app.widgets.rows import Group, SettingRow
from core.api.devices import CardsListed, ListCards

HARDEST = 9
"""The highest of all levels; kinds that have fewer are practised at their own hardest."""


class AmountsSection(Section):
    """How much of this computer practice may take."""

    def __init__(self, _palette: Palette, actions: Actions) -> None:
        super().__init__(actions)
        self._devices = Choices(self.tr("Where models are trained"), self._usual_devices())
        self._device = self._device_row()
        self._has_cards = False
        self.add(self._processor(), self._room(), self._network(), self._puzzles())

    def show_state(self, state: AppState) -> None:
        """Show the settings as they are now; where there is no choice of a device, none."""
        super().show_state(state)
        self._device.setVisible(self._has_cards or state.settings.compute.device != "auto")

    def opened(self) -> None:
        """Offer the graphics cards that there are."""
        self._actions.call(ListCards()).done.connect(self._on_listed)

    def _on_listed(self, listed: CardsListed) -> None:
        titles = [card.title for card in listed.cards]
        for number, card in enumerate(listed.cards):
            again = titles[: number + 1].count(card.title)
            words = card.title if again == 1 else f"{card.title} ({again})"
            self._devices.offer([(card.device, words)])
        self._has_cards = bool(titles)
        self._device.setVisible(self._has_cards or self._devices.currentIndex() > 0)

    def _usual_devices(self) -> list[tuple[object, str]]:
        return [("auto", self.tr("Automatic")), ("cpu", self.tr("Processor"))]

    def _device_row(self) -> SettingRow:
        return SettingRow(
            self.tr("Where models are trained"),
            self.bind(self._devices, "compute.device"),
            self.tr(
                "Small ones always take the processor. Counts from the next start of practice."
            ),
        )

    def _processor(self) -> QWidget:
        threads = [(count, str(count)) for count in range(1, (os.cpu_count() or 1) + 1)]
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
                [(100, self.tr("All of it")), *said((75, 50, 25, 10), hundredths)],
                self.tr("It rests between rounds: cooler, quieter, and slower to learn."),
                hundredths,
            ),
            self._device,
        )

    def _room(self) -> QWidget:
        never = (0, self.tr("Never mind"))
        return Group(
            self.tr("Left for everything else"),
            self.choice(
                self.tr("Memory that stays free"),
                "rules.memory_floor_mb",
                [*said((250, 500, 1_000, 2_000, 4_000), _megabytes), never],
                self.tr("Practice pauses while less than this is free."),
                _megabytes,
            ),
            self.choice(
                self.tr("Disk space that stays free"),
                "rules.disk_floor_mb",
                [*said((500, 1_000, 2_000, 5_000, 10_000, 50_000), _megabytes), never],
                self.tr("Practice pauses while less than this is free."),
                _megabytes,
            ),
        )

    def _network(self) -> QWidget:
        limits = said((250, 500, 1_000, 2_000, 5_000, 10_000), _speed)
        return Group(
            self.tr("Network"),
            self.choice(
                self.tr("Downloading models"),
                "network.models_kb_s",
                [(0, self.tr("As fast as they come")), *limits],
                self.tr(
                    "Models are large, and only downloaded when you ask for one. Practice itself "
                    "exchanges a few kilobytes of text a round. Counts from the next download."
                ),
                _speed,
            ),
        )

    def _puzzles(self) -> QWidget:
        levels = [(level, str(level)) for level in range(1, HARDEST + 1)]
        return Group(
            self.tr("Puzzles"),
            self.choice(
                self.tr("Level"),
                "practice.level",
                [("automatic", self.tr("Automatic")), *levels],
                self.tr(
                    "Automatic goes on to harder puzzles as easier ones go well. Counts from the "
                    "next start of practice."
                ),
            ),
        )


def _megabytes(count: int) -> str:
    return size(1_000_000 * count)


def _speed(kilobytes: int) -> str:
    """Of so many in a second."""
    return f"{size(1_000 * kilobytes)}/s"
