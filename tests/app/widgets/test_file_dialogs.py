"""The system's own dialogs are asked; what they answer is passed on."""

from pathlib import Path

import pytest
from PySide6.QtCore import QStandardPaths
from PySide6.QtWidgets import QFileDialog, QWidget
from pytestqt.qtbot import QtBot

from app.widgets.file_dialogs import FileDialogs, NewFile, with_suffix

HOME = QStandardPaths.StandardLocation.HomeLocation
TABLE = NewFile("Save as table", "figures.csv", "Table (*.csv)")


@pytest.fixture
def parent(qtbot: QtBot) -> QWidget:
    made = QWidget()
    qtbot.addWidget(made)
    return made


def dialog(parent: QWidget) -> QFileDialog:
    (found,) = parent.findChildren(QFileDialog)
    return found


def test_the_person_names_a_new_file(parent: QWidget, tmp_path: Path) -> None:
    """A name is proposed, replacing is asked about, and a suffix is added where it was left out."""
    chosen: list[Path] = []
    FileDialogs().to_write(parent, TABLE, chosen.append)
    asked = dialog(parent)
    assert asked.acceptMode() is QFileDialog.AcceptMode.AcceptSave
    assert not asked.testOption(QFileDialog.Option.DontConfirmOverwrite)
    assert [Path(name) for name in asked.selectedFiles()] == [Path.home() / "figures.csv"]
    assert asked.nameFilters() == ["Table (*.csv)"]
    asked.setDirectory(str(tmp_path))
    asked.selectFile("mine")
    asked.accept()
    assert chosen == [tmp_path / "mine.csv"]


def test_what_nobody_was_asked_about_is_not_replaced(tmp_path: Path) -> None:
    """A dialog of the system asks about the name as it was typed."""
    (tmp_path / "key.txt").touch()
    assert with_suffix(tmp_path / "key", ".txt") == tmp_path / "key"
    assert with_suffix(tmp_path / "key.txt", ".txt") == tmp_path / "key.txt"
    assert with_suffix(tmp_path / "other", ".txt") == tmp_path / "other.txt"
    assert with_suffix(tmp_path / "my-qwen2.5", ".gguf") == tmp_path / "my-qwen2.5.gguf"
    assert with_suffix(tmp_path / "KEY.TXT", ".txt") == tmp_path / "KEY.TXT"


def test_the_person_names_a_file_that_is_there(parent: QWidget, tmp_path: Path) -> None:
    """Only one that is."""
    chosen: list[Path] = []
    FileDialogs().to_read(parent, "Restore", chosen.append)
    asked = dialog(parent)
    assert asked.fileMode() is QFileDialog.FileMode.ExistingFile
    asked.fileSelected.emit(str(tmp_path / "key.txt"))
    assert chosen == [tmp_path / "key.txt"]


def test_the_person_names_a_folder(parent: QWidget, tmp_path: Path) -> None:
    """Only folders are shown."""
    chosen: list[Path] = []
    FileDialogs().folder(parent, "Where to?", HOME, chosen.append)
    asked = dialog(parent)
    assert asked.fileMode() is QFileDialog.FileMode.Directory
    assert asked.testOption(QFileDialog.Option.ShowDirsOnly)
    asked.fileSelected.emit(str(tmp_path))
    assert chosen == [tmp_path]


def test_thinking_better_of_it_does_nothing(parent: QWidget) -> None:
    """A dialog that is closed names no file."""
    chosen: list[Path] = []
    FileDialogs().to_write(parent, TABLE, chosen.append)
    dialog(parent).reject()
    assert chosen == []
