"""Asking a person for a file or a folder, as the system does it; the window goes on meanwhile."""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from PySide6.QtCore import QStandardPaths, Qt
from PySide6.QtWidgets import QFileDialog, QWidget

Then = Callable[[Path], None]
"""What to do with the place that the person names."""

_Place = QStandardPaths.StandardLocation


@dataclass(frozen=True, slots=True)
class NewFile:
    """A file that is to be written, and where that is proposed."""

    title: str  # of the dialog
    name: str  # with its suffix, which is added where the person leaves it out
    kind: str = ""  # such as "Table (*.csv)"; empty: of whatever kind
    folder: QStandardPaths.StandardLocation = _Place.HomeLocation


class FileDialogs:
    """The real ones; tests answer in their place.

    Each returns at once, and does nothing where the person thinks better of it.
    """

    def to_write(self, parent: QWidget, wanted: NewFile, then: Then) -> None:
        """Let the person say where ``wanted`` goes; the dialog asks before it replaces a file."""
        dialog = _dialog(parent, wanted.title, wanted.folder)
        dialog.setAcceptMode(QFileDialog.AcceptMode.AcceptSave)
        if wanted.kind:
            dialog.setNameFilter(wanted.kind)
        dialog.selectFile(wanted.name)
        _open(dialog, lambda chosen: then(with_suffix(chosen, Path(wanted.name).suffix)))

    def to_read(self, parent: QWidget, title: str, then: Then) -> None:
        """Let the person say which file is meant."""
        dialog = _dialog(parent, title, _Place.HomeLocation)
        dialog.setFileMode(QFileDialog.FileMode.ExistingFile)
        _open(dialog, then)

    def folder(
        self, parent: QWidget, title: str, start: QStandardPaths.StandardLocation, then: Then
    ) -> None:
        """Let the person say which folder is meant."""
        dialog = _dialog(parent, title, start)
        dialog.setFileMode(QFileDialog.FileMode.Directory)
        dialog.setOption(QFileDialog.Option.ShowDirsOnly)
        _open(dialog, then)


def with_suffix(chosen: Path, suffix: str) -> Path:
    """``chosen`` with ``suffix`` where it has another or none, unless that is a file already.

    What follows a dot may be part of a name, as in ``my-qwen2.5``. A dialog of the system asks
    about the name as it was typed, so nobody was asked about that one.
    """
    is_complete = chosen.name.lower().endswith(suffix.lower())
    complete = chosen if is_complete else chosen.with_name(chosen.name + suffix)
    return chosen if complete.exists() else complete


def _dialog(parent: QWidget, title: str, start: QStandardPaths.StandardLocation) -> QFileDialog:
    made = QFileDialog(parent, title, QStandardPaths.writableLocation(start))
    made.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
    return made


def _open(dialog: QFileDialog, then: Then) -> None:
    dialog.fileSelected.connect(lambda chosen: then(Path(chosen)))
    dialog.open()
