"""*When it runs*: while the computer is used, for which programs it makes way, at which hours."""

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QHBoxLayout, QWidget

from app.backend.actions import Actions
from app.pages.settings.programs import ProgramsCard
from app.pages.settings.section import Section, hundredths, said
from app.pages.settings.week_grid import WeekGrid
from app.state.app_state import AppState
from app.state.fields import Field
from app.state.schedule import PRESETS, PresetName, summary
from app.style import theme
from app.style.theme import Palette
from app.widgets.basics import bare_column, button, label
from app.widgets.rows import Group, SettingRow, group_of
from core.api.programs import ListPrograms, ProgramsListed

_PROGRAMS = Field("rules", "programs")
_SCHEDULE = Field("rules", "schedule")


class TimesSection(Section):
    """Rules by which practice makes way for the person."""

    def __init__(self, palette: Palette, actions: Actions) -> None:
        super().__init__(actions)
        self._floor = self._battery_floor()
        self._away = self._idle_minutes()
        self._programs = ProgramsCard()
        self._programs.changed.connect(lambda names: self._actions.dispatch(_PROGRAMS.keep(names)))
        self._sum = label("", "lead", wrap=True)
        self._grid = WeekGrid(palette)
        self._grid.changed.connect(lambda week: self._actions.dispatch(_SCHEDULE.keep(week)))
        hours = group_of(self.tr("Hours of the week"), self._hours())
        self.add(self._own_use(), hours, self._programs, self._strain())

    def show_state(self, state: AppState) -> None:
        """Show the rules as they are now."""
        super().show_state(state)
        rules = state.settings.rules
        self._floor.setVisible(rules.on_battery == "run")
        self._away.setVisible(rules.when_in_use != "run")
        self._programs.show_programs(rules.programs)
        self._grid.show_week(rules.schedule)
        self._sum.setText(summary(rules.schedule))

    def opened(self) -> None:
        """Offer what runs now."""
        self._actions.call(ListPrograms()).done.connect(self._on_listed)

    def show_palette(self, palette: Palette) -> None:
        """Paint the hours in the colours of ``palette``."""
        self._grid.show_palette(palette)

    def _on_listed(self, listed: ProgramsListed) -> None:
        self._programs.offer(listed.names)

    def _own_use(self) -> QWidget:
        in_use = (
            ("pause", self.tr("Pause")),
            ("gentle", self.tr("Run gently")),
            ("run", self.tr("Run as always")),
        )
        full_screen = (("pause", self.tr("Pause")), ("run", self.tr("Run as always")))
        battery = (("pause", self.tr("Pause")), ("run", self.tr("Run until it is low")))
        return Group(
            self.tr("Making way for you"),
            self.choice(
                self.tr("While you use the computer"),
                "rules.when_in_use",
                in_use,
                self.tr("Gently: at most half of the time."),
            ),
            self._away,
            self.choice(
                self.tr("During full screen"),
                "rules.full_screen",
                full_screen,
                self.tr("Games, films and talks."),
            ),
            self.choice(self.tr("On battery"), "rules.on_battery", battery),
            self._floor,
        )

    def _idle_minutes(self) -> SettingRow:
        minutes = self.tr("{} minutes").format
        return self.choice(
            self.tr("You are away after"),
            "rules.idle_minutes",
            [(1, self.tr("1 minute")), *said((3, 5, 10, 15, 30), minutes)],
            self.tr("Without touching mouse or keyboard."),
            minutes,
        )

    def _battery_floor(self) -> SettingRow:
        return self.choice(
            self.tr("The battery is low below"),
            "rules.battery_floor",
            [*said((80, 50, 30, 20, 10), hundredths), (0, self.tr("Never"))],
            others=hundredths,
        )

    def _strain(self) -> QWidget:
        never = (0, self.tr("Never mind"))
        above = self.tr("Pause above {}")

        def busier(share: int) -> str:
            return above.format(hundredths(share))

        def hotter(degrees: int) -> str:
            return above.format(f"{degrees}\u00a0°C")

        return Group(
            self.tr("When the computer is under strain"),
            self.choice(
                self.tr("When other programs are busy"),
                "rules.busy_percent",
                [*said((25, 50, 75, 90), busier), never],
                self.tr("For a minute, of all that the processor can do."),
                busier,
            ),
            self.choice(
                self.tr("When the computer gets hot"),
                "rules.hottest_c",
                [*said((70, 80, 85, 90, 95), hotter), never],
                self.tr("Where this computer tells how hot it is."),
                hotter,
            ),
        )

    def _hours(self) -> QWidget:
        presets = QHBoxLayout()
        presets.setSpacing(theme.SPACE_S)
        for name, words in self._presets():
            choose = button(words, kind="small")
            choose.clicked.connect(
                lambda _on=False, name=name: self._actions.dispatch(_SCHEDULE.keep(PRESETS[name]))
            )
            presets.addWidget(choose)
        presets.addStretch()
        made = QWidget()
        column = bare_column(made, theme.SPACE_M)
        column.addWidget(self._sum)
        column.addLayout(presets)
        column.addWidget(self._grid)
        column.addWidget(
            label(
                self.tr(
                    "Filled hours run. Click or drag to paint, or use the arrow keys and the "
                    "space bar; the name of a day or an hour paints all of it."
                ),
                "small",
                wrap=True,
            ),
            0,
            Qt.AlignmentFlag.AlignTop,
        )
        return made

    def _presets(self) -> tuple[tuple[PresetName, str], ...]:
        return (
            ("always", self.tr("At any hour")),
            ("nights", self.tr("At night")),
            ("free_time", self.tr("Outside working hours")),
        )
