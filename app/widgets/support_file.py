"""A file for whoever helps, made by the helper."""

from pathlib import Path

from PySide6.QtCore import QCoreApplication

from app.widgets.file_dialogs import FileDialogs, NewFile
from app.widgets.request_status import RequestStatus
from core.api.maintenance import MakeSupportFile

translate = QCoreApplication.translate


def make_support_file(line: RequestStatus, dialogs: FileDialogs) -> None:
    """Let the person say where it is to be, and have it made; ``line`` tells how that goes."""

    def make(path: Path) -> None:
        line.begin(MakeSupportFile(path=str(path)), translate("Support", "Looking at everything…"))

    wanted = NewFile(translate("Support", "Make a support file"), "waggle-support.zip")
    dialogs.to_write(line, wanted, make)
