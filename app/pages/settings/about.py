"""*About*: which Waggle this is, and whose work is in it."""

from pathlib import Path
from typing import Annotated

import msgspec
from msgspec import Meta
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QFrame, QHBoxLayout, QPlainTextEdit, QVBoxLayout, QWidget

from app.backend.actions import Actions
from app.pages.settings.section import Section
from app.style import theme
from app.style.theme import Palette
from app.widgets.basics import bare_column, label, picture
from app.widgets.controls import Choices
from app.widgets.rows import group_of
from core.api.preview import cut
from core.paths import RESOURCES
from core.version import VERSION

_MOST_BYTES = 32 << 20


class Licence(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One part of the app."""

    name: Annotated[str, Meta(max_length=200)]
    version: Annotated[str, Meta(max_length=100)]
    licence: Annotated[str, Meta(max_length=500)]  # an expression or a few words; may be empty
    text: Annotated[str, Meta(max_length=500_000)]


_decoder = msgspec.json.Decoder(Annotated[tuple[Licence, ...], Meta(max_length=2_000)])


def load_licences(resources: Path = RESOURCES) -> tuple[Licence, ...]:
    """All parts, by name; none in a checkout, where nobody has listed them."""
    try:
        with (resources / "licences.json").open("rb") as file:
            found = _decoder.decode(file.read(_MOST_BYTES))
    except (OSError, ValueError):  # msgspec's errors, and text that is no UTF-8
        return ()
    return tuple(sorted(found, key=lambda one: one.name.casefold()))


_LONGEST_NAME = 36  # letters; a longer one would widen the page
_TEXT_HEIGHT = 260


class AboutSection(Section):
    """The licences are read when the section is first shown."""

    def __init__(
        self, _palette: Palette, actions: Actions, licences: tuple[Licence, ...] | None = None
    ) -> None:
        super().__init__(actions)
        parts = load_licences() if licences is None else licences
        inside: QWidget = _Parts(parts) if parts else self._in_a_checkout()
        self.add(self._itself(), group_of(self.tr("Whose work is in it"), inside))

    def _itself(self) -> QFrame:
        words = QVBoxLayout()
        words.setSpacing(theme.SPACE_XS)
        words.addWidget(label(f"Waggle {VERSION}", "heading"))
        words.addWidget(label(self.tr("Lends a computer to a swarm of small models."), wrap=True))
        terms = self.tr("Free software under the Apache License, version 2.0.")
        words.addWidget(label(terms, "small", wrap=True))
        made = QFrame()
        made.setProperty("role", "card")
        row = QHBoxLayout(made)
        row.setContentsMargins(theme.SPACE_L, theme.SPACE_L, theme.SPACE_L, theme.SPACE_L)
        row.setSpacing(theme.SPACE_L)
        row.addWidget(picture(theme.EMBLEM), 0, Qt.AlignmentFlag.AlignTop)
        row.addLayout(words, 1)
        return made

    def _in_a_checkout(self) -> QWidget:
        return label(
            self.tr(
                "This Waggle runs from its source. The licences of the libraries that it uses lie "
                "with each of them, in the environment that Waggle was installed into; its own is "
                "the file LICENSE."
            ),
            wrap=True,
        )


class _Parts(QWidget):
    """One part at a time, with its terms."""

    def __init__(self, parts: tuple[Licence, ...]) -> None:
        super().__init__()
        self._parts = parts
        count = self.tr("Waggle brings {} parts along that others made. Thank you.")
        named = (cut(f"{one.name} {one.version}", _LONGEST_NAME) for one in parts)
        self._choice = Choices(self.tr("Part"), list(enumerate(named)))
        self._choice.changed.connect(self._on_chosen)
        self._terms = label("", "small", wrap=True)
        self._text = QPlainTextEdit()
        self._text.setReadOnly(True)
        self._text.setFixedHeight(_TEXT_HEIGHT)
        self._text.setTabChangesFocus(True)
        self._text.setAccessibleName(self.tr("Text of the licence"))
        row = QHBoxLayout()
        row.setSpacing(theme.SPACE_M)
        row.addWidget(self._choice)
        row.addWidget(self._terms, 1)
        column = bare_column(self)
        column.addWidget(label(count.format(len(parts)), wrap=True))
        column.addLayout(row)
        column.addWidget(self._text)
        self._on_chosen(0)

    def _on_chosen(self, at: object) -> None:
        one = self._parts[at if isinstance(at, int) else 0]
        self._terms.setText(one.licence)
        self._text.setPlainText(one.text or self.tr("It comes without a text of its own."))
