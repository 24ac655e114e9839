"""The third step: when it may run. A few simple questions; the settings hold the rest."""

from PySide6.QtWidgets import QWidget

from app.pages.welcome.step import WelcomeStep
from app.state.app_state import AppState
from app.state.fields import Field
from app.state.schedule import PRESETS
from app.style import theme
from app.widgets.basics import label
from app.widgets.controls import Choices
from app.widgets.rows import Group, SettingRow
from core.settings import Settings

_IN_USE = Field("rules", "when_in_use")
_BATTERY = Field("rules", "on_battery")
_HOURS = Field("rules", "schedule")


class TimeStep(WelcomeStep):
    """Changes nothing itself: what was answered is in ``applied``."""

    def __init__(self) -> None:
        super().__init__()
        self._answers: dict[Field, object] = {}
        self._questions: list[tuple[Choices, Field]] = []
        lead = self.tr(
            "It makes way for you: you should not notice it. Before it pauses, it finishes the few "
            "puzzles that it is at, and loses nothing."
        )
        self.column.addStretch(1)
        self.column.addWidget(label(self.tr("Choose when it runs."), "hero", wrap=True))
        self.column.addWidget(label(lead, "lead", wrap=True))
        self.column.addSpacing(theme.SPACE_S)
        self.column.addWidget(self._group())
        self.column.addWidget(
            label(
                self.tr("There is more to choose in the settings, at any time."), "muted", wrap=True
            )
        )
        self.column.addStretch(1)

    def begin(self, state: AppState) -> None:
        """Show how it is set."""
        self._answers = {}
        for control, field in self._questions:
            control.show_value(field.of(state.settings))

    def applied(self, settings: Settings) -> Settings:
        """The settings with what was answered here."""
        for field, value in self._answers.items():
            settings = field.set(settings, value)
        return settings

    def _group(self) -> QWidget:
        pause = ("pause", self.tr("Pause"))
        return Group(
            self.tr("When it may run"),
            self._question(
                self.tr("While you use the computer"),
                _IN_USE,
                (pause, ("gentle", self.tr("Run gently")), ("run", self.tr("Run as always"))),
                self.tr("Gently: at most half of the time."),
            ),
            self._question(
                self.tr("On battery"),
                _BATTERY,
                (pause, ("run", self.tr("Run until it is low"))),
                self.tr("Practice uses a battery up quickly."),
            ),
            self._question(
                self.tr("Hours"),
                _HOURS,
                (
                    (PRESETS["always"], self.tr("At any hour")),
                    (PRESETS["nights"], self.tr("At night")),
                    (PRESETS["free_time"], self.tr("Outside working hours")),
                ),
                self.tr("While the computer is on: it is never woken up."),
            ),
        )

    def _question(
        self, title: str, field: Field, options: tuple[tuple[object, str], ...], hint: str
    ) -> SettingRow:
        control = Choices(title, options, lambda _: self.tr("As in the settings"))
        control.changed.connect(lambda value: self._answers.__setitem__(field, value))
        self._questions.append((control, field))
        return SettingRow(title, control, hint)
