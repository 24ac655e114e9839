"""The rail on the left: which page is shown."""

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtGui import QKeySequence, QShortcut
from PySide6.QtWidgets import (
    QButtonGroup,
    QFrame,
    QHBoxLayout,
    QPushButton,
    QToolButton,
    QVBoxLayout,
)

from app.state.intents import PageName
from app.style import theme
from app.style.icons import line_icon
from app.style.theme import Palette
from app.widgets.basics import button, label, picture

_THIN_SPACE = "\u2009"  # between icon and words, where the style leaves too little


class Navigation(QFrame):
    """A button a page, one of them checked; Ctrl+1 to Ctrl+6 press them."""

    chosen = Signal(str)  # PageName

    def __init__(self, palette: Palette) -> None:
        super().__init__()
        self.setProperty("role", "rail")
        self.setFixedWidth(theme.RAIL_WIDTH)
        self._buttons: dict[PageName, QToolButton] = {}
        self._group = QButtonGroup(self)
        for name, title in self._titles().items():
            self._add(name, title)
        self.about = self._link(self.tr("What is Waggle?"))
        self._lay_out()
        self.show_palette(palette)

    def show_chosen(self, name: PageName) -> None:
        """Mark the page that is shown."""
        self._buttons[name].setChecked(True)

    def show_palette(self, palette: Palette) -> None:
        """Draw the icons in the colours of ``palette``."""
        for name, entry in self._buttons.items():
            entry.setIcon(line_icon(f"pages/{name}", palette.muted, palette.mine))

    def _titles(self) -> dict[PageName, str]:
        return {
            "home": self.tr("Home"),
            "practice": self.tr("Practice"),
            "contribution": self.tr("Contribution"),
            "swarm": self.tr("Swarm"),
            "models": self.tr("Models"),
            "settings": self.tr("Settings"),
        }

    def _add(self, name: PageName, title: str) -> None:
        entry = QToolButton()
        entry.setText(f"{_THIN_SPACE}{title}")
        entry.setAccessibleName(title)
        entry.setProperty("role", "rail")
        entry.setCheckable(True)
        entry.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextBesideIcon)
        entry.setIconSize(QSize(theme.ICON, theme.ICON))
        entry.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        entry.setFixedWidth(theme.RAIL_WIDTH - 2 * theme.SPACE_M)
        entry.clicked.connect(lambda: self.chosen.emit(name))
        keys = QKeySequence(f"Ctrl+{len(self._buttons) + 1}")
        QShortcut(keys, self).activated.connect(entry.click)
        entry.setToolTip(f"{title} ({keys.toString(QKeySequence.SequenceFormat.NativeText)})")
        self._buttons[name] = entry
        self._group.addButton(entry)

    def _link(self, words: str) -> QPushButton:
        made = button(words)
        made.setProperty("role", "rail-link")
        made.setToolTip("F1")
        return made

    def _lay_out(self) -> None:
        brand = QHBoxLayout()
        brand.setSpacing(theme.SPACE_S)
        brand.addWidget(picture(theme.SPACE_XL))
        brand.addWidget(label("Waggle", "brand"))
        brand.addStretch()
        column = QVBoxLayout(self)
        column.setContentsMargins(theme.SPACE_M, theme.SPACE_L, theme.SPACE_M, theme.SPACE_L)
        column.setSpacing(theme.SPACE_XS)
        column.addLayout(brand)
        column.addSpacing(theme.SPACE_L)
        for name, entry in self._buttons.items():
            if name == "settings":
                column.addStretch()
            column.addWidget(entry)
        column.addWidget(self.about)
