"""What is said when work on a model is done."""

from typing import Literal, assert_never

from PySide6.QtCore import QCoreApplication

from app.models.words import rounds, size
from core.engine.desk.models import ListedModel, ModelDone

translate = QCoreApplication.translate

Kind = Literal["ask", "fetch", "verify", "export", "remove", "drop", "reset", "restore"]
"""Of what the desk is asked for; ``ask``: only for an answer."""


def known_already() -> str:
    """Of a name that was looked up for nothing."""
    return translate("Models", "It is in the list above.")


def outcome(kind: Kind, model: ListedModel | None, done: ModelDone) -> str:
    """One sentence or two; empty where the card itself shows it. ``model`` is as it was before."""
    match kind:
        case "fetch":
            said = translate("Models", "It is here, complete and checked. Now it can be chosen.")
        case "verify":
            said = translate("Models", "Every file is what Hugging Face announced.")
        case "export":
            said = translate("Models", "Saved: {path} ({size})")
            said = said.format(path=done.path, size=size(done.size))
        case "remove":
            said = translate("Models", "Removed; {} are free again. What it learnt here is kept.")
            said = said.format(size(done.size))
        case "ask" | "drop":
            said = ""
        case "reset":
            said = translate(
                "Models",
                "It starts over from its base. What it learnt in {} is kept as a backup, and its "
                "rounds still count as your contribution.",
            )
            said = said.format(rounds(0 if model is None else model.rounds))
        case "restore":
            said = translate("Models", "It is as it was then.")
        case _:
            assert_never(kind)
    return said
