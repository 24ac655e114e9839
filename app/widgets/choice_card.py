"""One of several choices as a card: a radio button, and what there is to know."""

from dataclasses import dataclass

from PySide6.QtCore import Qt
from PySide6.QtGui import QMouseEvent
from PySide6.QtWidgets import QFrame, QRadioButton, QVBoxLayout

from app.style import theme
from app.text.phrases import series
from app.widgets.basics import hung, label, set_style


@dataclass(frozen=True, slots=True)
class ChoiceWords:
    """What a card says, from the top; what is empty is left out."""

    title: str
    sentence: str = ""
    facts: str = ""  # a screen reader says them with the title
    reason: str = ""  # what is against it


class ChoiceCard(QFrame):
    """All of it can be clicked, not only its small circle; ``role`` is that of the sentence."""

    def __init__(self, words: ChoiceWords, *, role: str = "small", enabled: bool = True) -> None:
        super().__init__()
        self.setProperty("role", "choice")
        self.radio = QRadioButton(words.title)
        self.radio.setAccessibleName(series((words.title, words.facts)))
        self.radio.setAccessibleDescription(f"{words.sentence} {words.reason}".strip())
        self.radio.setEnabled(enabled)
        column = QVBoxLayout(self)
        column.setContentsMargins(theme.SPACE_M, theme.SPACE_S, theme.SPACE_M, theme.SPACE_M)
        column.setSpacing(theme.SPACE_XS)
        column.addLayout(hung(self.radio, theme.RADIO_INSET))
        for line, its_role in (
            (words.sentence, role),
            (words.facts, "small"),
            (words.reason, "small"),
        ):
            if line:
                column.addWidget(label(line, its_role, wrap=True))

    def mark(self, *, chosen: bool) -> None:
        """Show whether this is the one."""
        self.radio.setChecked(chosen)
        set_style(self, "chosen", chosen)

    def mousePressEvent(self, event: QMouseEvent) -> None:  # noqa: N802 - Qt's name
        """Take it where it may choose, or the release would go elsewhere."""
        event.setAccepted(event.button() is Qt.MouseButton.LeftButton)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:  # noqa: N802 - Qt's name
        """Choose, unless the pointer was drawn away meanwhile."""
        is_left = event.button() is Qt.MouseButton.LeftButton
        if is_left and self.rect().contains(event.position().toPoint()):
            self.radio.click()  # does nothing where it cannot be chosen
