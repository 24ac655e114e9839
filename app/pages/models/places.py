"""Where an export shall go."""

from collections.abc import Callable
from pathlib import Path

from PySide6.QtCore import QCoreApplication, QStandardPaths
from PySide6.QtWidgets import QWidget

from app.widgets.file_dialogs import FileDialogs, NewFile
from core.api.models import Form

translate = QCoreApplication.translate

AskPlace = Callable[[QWidget, Form, str, Callable[[Path], None]], None]
"""(parent, form, proposed name, what to do with the place that the person names)."""

_SUFFIX: dict[Form, str] = {"gguf": ".gguf", "peft": "-adapter", "merged": "-model"}


def proposed_name(title: str, form: Form) -> str:
    """A name for the export of the model ``title`` that every system can write."""
    plain = "".join(letter if letter.isalnum() or letter in "._-" else "-" for letter in title)
    return f"{plain.strip('.-') or 'model'}{_SUFFIX[form]}"


def free_place(folder: Path, name: str) -> Path:
    """A place in ``folder`` that is not taken, called ``name`` or nearly so."""
    place, number = folder / name, 2
    while place.exists():
        place, number = folder / f"{name}-{number}", number + 1
    return place


def ask_place(parent: QWidget, form: Form, name: str, then: Callable[[Path], None]) -> None:
    """Let the person choose, and do ``then`` with the place; returns at once.

    For a file the dialog asks before it replaces one; a folder gets a new one inside it.
    """
    title = translate("Models", "Where shall it go?")
    start = QStandardPaths.StandardLocation.DocumentsLocation
    if form == "gguf":
        FileDialogs().to_write(parent, NewFile(title, name, "GGUF (*.gguf)", start), then)
    else:
        FileDialogs().folder(parent, title, start, lambda chosen: then(free_place(chosen, name)))
