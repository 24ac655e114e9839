"""The card that shows what is kept, where, and how large it is."""

from pathlib import Path

from PySide6.QtCore import QCoreApplication, Qt
from PySide6.QtWidgets import QGridLayout, QLabel

from app.backend.actions import Actions
from app.pages.settings.request_card import RequestCard
from app.state.intents import Reveal
from app.style import theme
from app.text.figures import size
from app.text.phrases import labelled
from app.widgets.basics import label
from app.widgets.selectable_label import SelectableLabel
from core.api.maintenance import FoldersMeasured, Part

translate = QCoreApplication.translate


def part_in_words(part: Part) -> str:
    """What a person calls it."""
    return {
        "models": translate("Keeping", "Models that were fetched"),
        "learnt": translate("Keeping", "What your models learnt"),
        "records": translate("Keeping", "Rounds and scores"),
        "copies": translate("Keeping", "Copies that can be made again"),
        "logs": translate("Keeping", "Logs"),
    }[part]


def total_in_words(measured: FoldersMeasured) -> str:
    """All of it together."""
    total = sum(one.size for one in measured.parts)
    return translate("Keeping", "{size} in all").format(size=size(total))


class DataCard(RequestCard):
    """Sizes by part; asks for the folder to be opened."""

    def __init__(self, actions: Actions) -> None:
        super().__init__(actions, self.tr("What is kept here"), "")
        self._root = ""
        self._grid = QGridLayout()
        self._grid.setColumnStretch(0, 1)
        self._grid.setVerticalSpacing(theme.SPACE_XS)
        self._where = SelectableLabel(self.tr("Looking…"), "small")
        self._sizes: list[QLabel] = []
        self.content.addLayout(self._grid)
        self.content.addWidget(self._where)
        self._open = self.add_button(self.tr("Open the folder"), self._on_open)
        self._open.setEnabled(False)

    def show_sizes(self, measured: FoldersMeasured) -> None:
        """Show them, and where it all is."""
        self._root = measured.root
        self._open.setEnabled(True)
        self._where.setText(labelled(total_in_words(measured), measured.root))
        if not self._sizes:
            for row, one in enumerate(measured.parts):
                self._grid.addWidget(label(part_in_words(one.part)), row, 0)
                self._sizes.append(label(""))
                self._grid.addWidget(self._sizes[row], row, 1, Qt.AlignmentFlag.AlignRight)
        for shown, one in zip(self._sizes, measured.parts, strict=True):
            shown.setText(size(one.size))

    def _on_open(self) -> None:
        self._actions.dispatch(Reveal(Path(self._root)))
