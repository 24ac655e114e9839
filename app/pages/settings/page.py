"""The page *Settings*: an index on the left, the chosen section on the right."""

from collections.abc import Callable, Mapping
from typing import Literal

from PySide6.QtWidgets import (
    QButtonGroup,
    QHBoxLayout,
    QPushButton,
    QStackedWidget,
    QVBoxLayout,
    QWidget,
)

from app.backend.actions import Actions
from app.pages.page import Page
from app.pages.settings.about import AboutSection
from app.pages.settings.amounts import AmountsSection
from app.pages.settings.health import HealthSection
from app.pages.settings.identity import IdentitySection
from app.pages.settings.meeting import MeetingSection
from app.pages.settings.section import Section
from app.pages.settings.times import TimesSection
from app.pages.settings.updates import UpdatesSection
from app.pages.settings.window_section import WindowSection
from app.state.app_state import AppState
from app.state.intents import Subject
from app.style import theme
from app.style.theme import Palette
from app.widgets.basics import bare_column, button, label

SectionName = Literal[
    "times", "amounts", "meeting", "window", "identity", "health", "updates", "about"
]

SECTIONS: Mapping[SectionName, Callable[[Palette, Actions], Section]] = {
    "times": TimesSection,
    "amounts": AmountsSection,
    "meeting": MeetingSection,
    "window": WindowSection,
    "identity": IdentitySection,
    "health": HealthSection,
    "updates": UpdatesSection,
    "about": AboutSection,
}


class SettingsPage(Page):
    """Sections are made when they are first shown; what is changed counts at once."""

    def __init__(self, palette: Palette, actions: Actions) -> None:
        super().__init__(actions)
        self._palette = palette
        self._state: AppState | None = None
        self._made: dict[SectionName, Section] = {}
        self._entries = self._make_entries()
        self._head, self._index, self._stack = QWidget(), QWidget(), QStackedWidget()
        self._lay_out()
        self.open_section("times")

    @property
    def parts(self) -> tuple[QWidget, ...]:
        """Head, index and what sections are made of, each by itself."""
        sections = (part for section in self._made.values() for part in section.parts)
        return self._head, self._index, *sections

    def open_section(self, name: SectionName) -> None:
        """Show the section ``name``."""
        section = self._made.get(name)
        if section is None:
            section = self._made[name] = SECTIONS[name](self._palette, self._actions)
            for part in section.parts:
                self._actions.dress(part)
            if self._state is not None:
                section.show_state(self._state)
            self._stack.addWidget(section)
        self._entries[name].setChecked(True)
        self._stack.setCurrentWidget(section)

    def take(self, subject: Subject) -> None:
        """Show the section of that name."""
        for name in SECTIONS:
            if name == subject:
                self.open_section(name)

    def show_state(self, state: AppState) -> None:
        """Show the settings as they are now."""
        self._state = state
        for section in self._made.values():
            section.show_state(state)

    def show_palette(self, palette: Palette) -> None:
        """Take on the colours of ``palette`` where the style sheet does not reach."""
        self._palette = palette
        for section in self._made.values():
            section.show_palette(palette)

    def _make_entries(self) -> dict[SectionName, QPushButton]:
        titles: dict[SectionName, str] = {
            "times": self.tr("When it runs"),
            "amounts": self.tr("How much"),
            "meeting": self.tr("Meeting others"),
            "window": self.tr("Window"),
            "identity": self.tr("Identity and data"),
            "health": self.tr("What works here"),
            "updates": self.tr("Updates"),
            "about": self.tr("About"),
        }
        group = QButtonGroup(self)
        made: dict[SectionName, QPushButton] = {}
        for name, title in titles.items():
            entry = button(title, kind="index")
            entry.setCheckable(True)
            entry.clicked.connect(lambda _on=False, name=name: self.open_section(name))
            group.addButton(entry)
            made[name] = entry
        return made

    def _lay_out(self) -> None:
        bare_column(self._head, theme.SPACE_M).addWidget(label(self.tr("Settings"), "hero"))
        index = bare_column(self._index, theme.SPACE_XS)
        for entry in self._entries.values():
            index.addWidget(entry)
        index.addStretch()
        row = QHBoxLayout()
        row.setSpacing(theme.SPACE_L)
        row.addWidget(self._index)
        row.addWidget(self._stack, 1)
        column = QVBoxLayout(self)
        column.setContentsMargins(theme.SPACE_XL, theme.SPACE_XL, theme.SPACE_M, 0)
        column.setSpacing(theme.SPACE_M)
        column.addWidget(self._head)
        column.addLayout(row, 1)
