"""Any other model, by its name on Hugging Face."""

import re
from typing import Final

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QFrame, QHBoxLayout, QLineEdit, QVBoxLayout

from app.pages.models.store import WorkOutcome
from app.style import theme
from app.widgets.basics import button, label, set_button, set_style

_PAGE: Final = re.compile(r"^(?:https?://)?(?:www\.)?(?:huggingface\.co|hf\.co)/", re.ASCII)
_NAME: Final = re.compile(r"[A-Za-z0-9_-]{1,42}/[A-Za-z0-9._-]{1,96}", re.ASCII)
"""About the form of a name; ``core.models.catalog.repositories`` has the last word."""


def repository_in(text: str) -> str | None:
    """The ``owner/name`` in ``text``, which may be the address of its page; None without one."""
    name = text.strip()
    if found := _PAGE.match(name):
        name = "/".join(re.split(r"[/?#]", name[found.end() :])[:2])
    return name if _NAME.fullmatch(name) else None


class AddForm(QFrame):
    """A field and a button; what is found becomes a card of its own."""

    asked = Signal(str)  # owner/name

    def __init__(self) -> None:
        super().__init__()
        self._was_busy = False
        self.setProperty("role", "card")
        self._field = QLineEdit()
        self._field.setPlaceholderText("Qwen/Qwen2.5-0.5B")
        self._field.setMaxLength(200)
        self._field.setAccessibleName(self.tr("Name of a model on Hugging Face"))
        self._look_up = button(self.tr("Look it up"), kind="small")
        self._words = label("", "small", wrap=True)
        self._field.returnPressed.connect(self._on_asked)
        self._look_up.clicked.connect(self._on_asked)
        row = QHBoxLayout()
        row.setSpacing(theme.SPACE_S)
        row.addWidget(self._field, 1)
        row.addWidget(self._look_up)
        column = QVBoxLayout(self)
        column.setContentsMargins(theme.SPACE_L, theme.SPACE_M, theme.SPACE_L, theme.SPACE_M)
        column.setSpacing(theme.SPACE_S)
        column.addWidget(label(self.tr("Another model"), "heading"))
        column.addWidget(
            label(
                self.tr(
                    "Any small model of the Llama or Qwen family, by its name on huggingface.co. "
                    "Nothing is fetched before you have seen how large it is and whether it fits."
                ),
                "muted",
                wrap=True,
            )
        )
        column.addLayout(row)
        column.addWidget(self._words)
        self._say("", is_trouble=False)

    def show_search(self, said: WorkOutcome | None, *, is_busy: bool) -> None:
        """Say how looking up goes, and what became of it; nothing once it has a card."""
        if self._was_busy and not is_busy and (said is None or not said.is_trouble):
            self._field.clear()
        if self._was_busy or is_busy:
            self._say("" if said is None else said.words, is_trouble=bool(said and said.is_trouble))
        self._was_busy = is_busy
        text = self.tr("Looking…") if is_busy else self.tr("Look it up")
        set_button(self._look_up, text, enabled=not is_busy)

    def _say(self, words: str, *, is_trouble: bool) -> None:
        self._words.setText(words)
        set_style(self._words, "role", "trouble" if is_trouble else "small")
        self._words.setVisible(bool(words))

    def _on_asked(self) -> None:
        name = repository_in(self._field.text())
        if name is None:
            words = self.tr("Write it as owner/name, as its page on huggingface.co shows it.")
            self._say(words, is_trouble=True)
        elif self._look_up.isEnabled():
            self.asked.emit(name)
