"""Where an export shall go."""

from pathlib import Path

import pytest
from PySide6.QtWidgets import QApplication, QFileDialog, QWidget
from pytestqt.qtbot import QtBot

from app.pages.models.places import ask_place, free_place, proposed_name
from core.api.models import Form


@pytest.mark.parametrize(
    ("title", "form", "name"),
    [
        ("SmolLM2 135M", "gguf", "SmolLM2-135M.gguf"),
        ("someone/Tiny-Model", "peft", "someone-Tiny-Model-adapter"),
        ("..", "merged", "model-model"),
    ],
)
def test_a_name_is_proposed_that_every_system_can_write(title: str, form: Form, name: str) -> None:
    """No slashes, no blanks, never a hidden file."""
    assert proposed_name(title, form) == name


def test_a_folder_is_never_one_that_is_there(tmp_path: Path) -> None:
    """The next free name is taken."""
    assert free_place(tmp_path, "x") == tmp_path / "x"
    (tmp_path / "x").mkdir()
    (tmp_path / "x-2").mkdir()
    assert free_place(tmp_path, "x") == tmp_path / "x-3"


@pytest.mark.parametrize(("form", "ending"), [("gguf", "a.gguf"), ("merged", "proposed")])
def test_the_dialog_does_not_hold_the_window(
    qtbot: QtBot, tmp_path: Path, form: Form, ending: str
) -> None:
    """It opens and returns; a file is named, of a folder only the place."""
    parent = QWidget()
    qtbot.addWidget(parent)
    places: list[Path] = []
    ask_place(parent, form, "proposed", places.append)
    (dialog,) = parent.findChildren(QFileDialog)
    assert places == []
    dialog.fileSelected.emit(str(tmp_path / "a.gguf" if form == "gguf" else tmp_path))
    assert places == [tmp_path / ending]
    dialog.close()
    QApplication.processEvents()
