"""Welcome: what this is, what is shared and what never is; agreed to once."""

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QCheckBox, QFrame, QHBoxLayout, QScrollArea, QVBoxLayout, QWidget

from app import theme
from app.widgets import button, column_of, frame, label, picture

WHAT = (
    "Waggle lets this computer train a small language model. It practises puzzles with known "
    "answers, keeps what works, and swaps ideas with the models of other people: the swarm."
)
SHARED = (
    "which puzzles were tried, and when",
    "what your model answered, as text",
    "the kind of model, a made-up name",
)
NEVER_SHARED = (
    "your files, or anything you type",
    "your name or your computer\u2019s name",
    "your model itself",
)
SMALL_PRINT = (
    "Others that you connect to see your internet address, as with any website. "
    "Nothing here earns money: a score only says how many puzzles were solved."
)
AGREEMENT = "I have read this, and I agree to share these things."


class WelcomePage(QScrollArea):
    """Emits ``agreed`` once the box is ticked and the button pressed; nothing is preselected."""

    agreed = Signal()

    def __init__(self) -> None:
        super().__init__()
        self.setWidgetResizable(True)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self._agree = QCheckBox(AGREEMENT)
        self._agree.setAccessibleName(AGREEMENT)
        self._go_on = button("Continue", kind="primary")
        self._go_on.setEnabled(False)
        self._agree.toggled.connect(self._go_on.setEnabled)
        self._go_on.clicked.connect(self.agreed)
        self.setWidget(self._lay_out())

    def _lay_out(self) -> QWidget:
        text = QWidget()
        text.setMaximumWidth(theme.READING_WIDTH)
        column = QVBoxLayout(text)
        column.setContentsMargins(theme.SPACE_XL, theme.SPACE_XL, theme.SPACE_XL, theme.SPACE_XL)
        column.setSpacing(theme.SPACE_M)
        column.addStretch()
        column.addWidget(picture(theme.EMBLEM))
        column.addWidget(label("Train a small model, together.", "hero", wrap=True))
        column.addWidget(label(WHAT, "lead", wrap=True))
        column.addSpacing(theme.SPACE_S)
        lists = QHBoxLayout()
        lists.setSpacing(theme.SPACE_L)
        lists.addWidget(_listing("What is shared", "muted", SHARED))
        lists.addWidget(_listing("What is never shared", "good", NEVER_SHARED))
        column.addLayout(lists)
        column.addWidget(label(SMALL_PRINT, "muted", wrap=True))
        column.addSpacing(theme.SPACE_S)
        column.addWidget(self._agree)
        column.addWidget(self._go_on, 0, Qt.AlignmentFlag.AlignLeft)
        column.addStretch()
        page = QWidget()
        page.setProperty("role", "page")
        centred = QHBoxLayout(page)
        centred.setContentsMargins(0, 0, 0, 0)
        centred.addStretch(1)
        centred.addWidget(text, 100)
        centred.addStretch(1)
        return page


def _listing(title: str, role: str, lines: tuple[str, ...]) -> QFrame:
    card = frame("card")
    column = column_of(card)
    column.addWidget(label(title, "heading" if role == "muted" else role))
    for line in lines:
        column.addWidget(label(f"•  {line}", wrap=True))
    column.addStretch()
    return card
