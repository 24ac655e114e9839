"""*Identity and data*: who this computer is to others, and what is kept on it."""

import time
from collections.abc import Callable
from pathlib import Path

from PySide6.QtCore import QCoreApplication, Qt, Signal
from PySide6.QtWidgets import QDialog, QGridLayout, QLabel, QLineEdit, QWidget

from app.backend.actions import Actions
from app.pages.settings.request_card import RequestCard
from app.pages.settings.section import Section
from app.state.app_state import AppState
from app.state.intents import Quit, Reveal
from app.style import theme
from app.style.theme import Palette
from app.text.error_words import told
from app.text.figures import size
from app.text.phrases import at_rest_only, labelled
from app.widgets.basics import button, label, lay_out_question, set_button
from app.widgets.confirmation import Confirmation
from app.widgets.file_dialogs import FileDialogs, NewFile
from app.widgets.selectable_label import SelectableLabel
from app.widgets.support_file import make_support_file
from core.api.maintenance import (
    BackUpIdentity,
    FoldersMeasured,
    MeasureFolders,
    Part,
    RemoveEverything,
    RestoreIdentity,
)
from core.api.requests import Done, Refused

translate = QCoreApplication.translate


def part_in_words(part: Part) -> str:
    """What a person calls it."""
    return {
        "models": translate("Keeping", "Models that were downloaded"),
        "learnt": translate("Keeping", "What your models learnt"),
        "decks": translate("Keeping", "Puzzles of your own"),
        "records": translate("Keeping", "Rounds and scores"),
        "copies": translate("Keeping", "Copies that can be made again"),
        "logs": translate("Keeping", "Logs"),
        "rest": translate("Keeping", "Everything else"),
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

    def show_trouble(self, why: Refused) -> None:
        """Say why nobody knows."""
        self._where.setText(told(why))

    def _on_open(self) -> None:
        self._actions.dispatch(Reveal(Path(self._root)))


class RemoveEverythingDialog(QDialog):
    """Says what goes; the word has to be typed, and the button pressed twice."""

    agreed = Signal()

    def __init__(self, parent: QWidget, clock: Callable[[], float] = time.monotonic) -> None:
        super().__init__(parent)
        self._word = self.tr("remove")
        self._confirmation = Confirmation(clock)
        self.setWindowTitle(self.tr("Remove everything"))
        self.setModal(True)
        self._typed = QLineEdit()
        self._typed.setAccessibleName(self.tr("The word that confirms it"))
        self._typed.textChanged.connect(self._on_typed)
        self._go = button(self.tr("Remove everything"), kind="danger")
        self._go.setEnabled(False)
        self._go.setAutoDefault(False)  # Enter in the field must not press it
        self._go.clicked.connect(self._on_go)
        self._keep = button(self.tr("Keep everything"))
        self._keep.clicked.connect(self.reject)
        self._lay_out()
        self._typed.setFocus()

    def _on_typed(self, text: str) -> None:
        self._confirmation.drop()
        is_right = text.strip().casefold() == self._word.casefold()
        set_button(self._go, self.tr("Remove everything"), enabled=is_right)

    def _on_go(self) -> None:
        if not self._confirmation.press():
            set_button(self._go, self.tr("Really remove everything?"), enabled=True)
            return
        self.accept()
        self.agreed.emit()

    def _lay_out(self) -> None:
        goes = self.tr(
            "Your identity, what your models learnt, downloaded models, puzzles of your own, "
            "rounds, scores and settings are deleted from this computer, and with them any access "
            "token for Hugging Face and the start with the computer. Nothing of it can be brought "
            "back; what others have of your model's answers stays with them for a while."
        )
        first = self.tr(
            "To keep who you are, a model or puzzles of your own, back them up, export them or "
            "save them to a file before."
        )
        how = self.tr("To go on, type the word: {word}").format(word=self._word)
        lead = label(self.tr("Remove everything?"), "lead")
        said = (label(words, wrap=True) for words in (goes, first, how))
        lay_out_question(self, (lead, *said, self._typed), self._go, self._keep)


class IdentitySection(Section):
    """Backs up, restores, shows and removes what Waggle keeps here."""

    def __init__(
        self, _palette: Palette, actions: Actions, dialogs: FileDialogs | None = None
    ) -> None:
        super().__init__(actions)
        dialogs = dialogs or FileDialogs()
        self._identity, self._data = IdentityCard(actions, dialogs), DataCard(actions)
        self._removal = RemovalCard(actions)
        self._identity.line.ended.connect(self.opened)
        self.add(self._identity, self._data, SupportCard(actions, dialogs), self._removal)

    def show_state(self, state: AppState) -> None:
        """A node that runs keeps its identity and its home."""
        super().show_state(state)
        self._identity.allow(at_rest=not state.is_running)
        self._removal.allow(at_rest=not state.is_running)

    def opened(self) -> None:
        """Ask what is kept here by now."""
        call = self._actions.call(MeasureFolders())
        call.done.connect(self._on_measured)
        call.refused.connect(self._data.show_trouble)

    def _on_measured(self, measured: FoldersMeasured) -> None:
        self._identity.show_name(measured.name)
        self._data.show_sizes(measured)


class IdentityCard(RequestCard):
    """The made-up name, and the key behind it."""

    def __init__(self, actions: Actions, dialogs: FileDialogs) -> None:
        words = self.tr(
            "A made-up name: neither yours nor your computer's. The key behind it proves that "
            "your model's answers are yours. Keep a backup to be the same one on another computer."
        )
        super().__init__(actions, self.tr("Who you are to others"), words)
        self._dialogs = dialogs
        self._name = label("", "lead", wrap=True)
        self.content.addWidget(self._name)
        self._back_up = self.add_button(self.tr("Back up…"), self._on_back_up)
        self._restore = self.add_button(self.tr("Restore…"), self._on_restore)
        self._back_up.setEnabled(False)  # until it is known that there is one

    def show_name(self, name: str) -> None:
        """Show it; there is none before the first start of practice."""
        self._name.setText(name or self.tr("You get a name when you first join."))
        self._back_up.setEnabled(bool(name))

    def allow(self, *, at_rest: bool) -> None:
        """Restoring has to wait until nothing runs."""
        self.hold_back(self._restore, "" if at_rest else at_rest_only())

    def _on_back_up(self) -> None:
        wanted = NewFile(self.tr("Back up your identity"), "waggle-identity.txt")
        self._dialogs.to_write(self, wanted, self._back_up_to)

    def _on_restore(self) -> None:
        self._dialogs.to_read(self, self.tr("Restore an identity"), self._restore_from)

    def _back_up_to(self, path: Path) -> None:
        self.line.begin(BackUpIdentity(path=str(path)), self.tr("Writing…"))

    def _restore_from(self, path: Path) -> None:
        self.line.begin(RestoreIdentity(path=str(path)), self.tr("Reading…"))


class SupportCard(RequestCard):
    """A file for whoever helps."""

    def __init__(self, actions: Actions, dialogs: FileDialogs) -> None:
        words = self.tr(
            "A file for whoever helps you: what was found on this computer, versions, and the end "
            "of the log. Addresses, names, keys and invites are taken out. Nothing is sent."
        )
        super().__init__(actions, self.tr("When something is wrong"), words)
        self._dialogs = dialogs
        self.add_button(self.tr("Make a support file…"), self._on_make)

    def _on_make(self) -> None:
        make_support_file(self.line, self._dialogs)


class RemovalCard(RequestCard):
    """The way to take all of it away."""

    def __init__(self, actions: Actions) -> None:
        words = self.tr("Deletes everything that Waggle keeps on this computer, and asks before.")
        super().__init__(actions, self.tr("Leave nothing behind"), words)
        self._remove = self.add_button(self.tr("Remove everything…"), self._on_remove)
        self._remove.setProperty("tone", "danger")
        self._quit = self.add_button(self.tr("Quit Waggle"), lambda: actions.dispatch(Quit()))
        self._quit.hide()
        self.line.ended.connect(self._on_ended)

    def allow(self, *, at_rest: bool) -> None:
        """Removing has to wait until nothing runs."""
        self.hold_back(self._remove, "" if at_rest else at_rest_only())

    def _on_remove(self) -> None:
        dialog = RemoveEverythingDialog(self)
        dialog.agreed.connect(lambda: self.line.begin(RemoveEverything(), self.tr("Removing…")))
        dialog.finished.connect(dialog.deleteLater)
        dialog.open()

    def _on_ended(self, answer: object) -> None:
        if isinstance(answer, Done):
            self._remove.hide()
            self._quit.show()
            self._quit.setFocus()
