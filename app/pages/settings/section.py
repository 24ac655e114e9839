"""What a section of the settings is."""

from collections.abc import Callable, Sequence
from typing import Any, TypeVar

from PySide6.QtWidgets import QWidget

from app.backend.actions import Actions
from app.pages.page import Page
from app.state.app_state import AppState
from app.state.fields import Field
from app.style import theme
from app.text.figures import percent
from app.widgets.basics import bare_column
from app.widgets.controls import AnyControl, Choices, Number, Switch
from app.widgets.rows import SettingRow
from app.widgets.scroll_area import ScrollArea

Control = TypeVar("Control", Choices, Switch, Number)


class Section(Page):
    """A column of cards that scrolls; controls that are bound to settings follow them."""

    def __init__(self, actions: Actions) -> None:
        super().__init__(actions)
        self._bound: list[tuple[AnyControl, Field]] = []
        scroll = ScrollArea(widest=theme.READING_WIDTH)
        self._column = scroll.column
        self._column.setContentsMargins(0, 0, theme.SPACE_M, theme.SPACE_XL)
        self._column.setSpacing(theme.SPACE_L)
        bare_column(self).addWidget(scroll)
        self._scroll = scroll
        self._cards: tuple[QWidget, ...] = ()

    @property
    def parts(self) -> tuple[QWidget, ...]:
        """Each card by itself: a whole section at once is felt when colours change."""
        return self._scroll.verticalScrollBar(), *self._cards

    def add(self, *cards: QWidget) -> None:
        """Put ``cards`` below each other; the last ones of the section."""
        self._cards = cards
        for card in cards:
            self._column.addWidget(card)
        self._column.addStretch()

    def choice(
        self,
        title: str,
        setting: str,
        options: Sequence[tuple[object, str]],
        hint: str = "",
        others: Callable[[Any], str] = str,
    ) -> SettingRow:
        """A row that chooses the value of ``setting``, such as ``rules.on_battery``.

        ``others`` puts in words what is not offered and stands in the file of settings.
        """
        return SettingRow(title, self.bind(Choices(title, options, others), setting), hint)

    def switch(self, title: str, setting: str, hint: str = "") -> SettingRow:
        """A row that switches ``setting`` on and off."""
        return SettingRow(title, self.bind(Switch(title), setting), hint)

    def bind(self, control: Control, setting: str) -> Control:
        """Let ``control`` show ``setting``, and change it."""
        field = Field(*setting.split("."))
        self._bound.append((control, field))
        control.changed.connect(lambda value: self._actions.dispatch(field.keep(value)))
        return control

    def show_state(self, state: AppState) -> None:
        """Show the settings as they are now."""
        for control, field in self._bound:
            control.show_value(field.of(state.settings))


def said(values: Sequence[int], words: Callable[[int], str]) -> list[tuple[int, str]]:
    """Each of ``values`` in ``words``, as a choice is given them."""
    return [(value, words(value)) for value in values]


def hundredths(of_hundred: int) -> str:
    """A share, such as ``30 %``."""
    return percent(of_hundred / 100)
