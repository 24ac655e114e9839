"""What *Identity and data* says about the data folder; pure."""

from PySide6.QtCore import QCoreApplication

from app.text.figures import size
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
