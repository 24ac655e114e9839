"""What is said when work on a model is done."""

from typing import Literal, assert_never

from PySide6.QtCore import QCoreApplication

from app.text.figures import size
from app.text.model_words import rounds
from core.api.models import ListedModel, ModelDone

translate = QCoreApplication.translate

Kind = Literal[
    "ask",
    "measure",
    "fetch",
    "verify",
    "export",
    "remove",
    "drop",
    "reset",
    "restore",
    "delete",
    "token",
]
"""What kind of work a job is; ``ask`` only looks something up."""


def known_already() -> str:
    """Of a name that was looked up for nothing."""
    return translate("Models", "It is in the list above.")


def token_kept() -> str:
    """Of an access token that was typed in."""
    return translate(
        "Models",
        "The token is kept where this computer keeps passwords. Only Hugging Face is shown it.",
    )


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
        case "remove" | "delete":
            said = _removed(kind).format(size(done.size))
        case "ask" | "measure" | "drop" | "token":
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


def _removed(kind: Literal["remove", "delete"]) -> str:
    if kind == "delete":
        return translate("Models", "The backup is deleted; {} are free again.")
    return translate("Models", "Removed; {} are free again. What it learnt here is kept.")
