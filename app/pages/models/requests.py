"""The request to the helper for each action on a model."""

from pathlib import Path
from typing import Final

from app.pages.models.outcomes import Kind
from app.pages.models.view_model import RowAction
from core.api.models import (
    ExportModel,
    FetchModel,
    ForgetHubToken,
    Form,
    ListedModel,
    MeasureRound,
    Quant,
    RemoveBackup,
    RemoveModel,
    RemovePart,
    ResetModel,
    RestoreModel,
    SetHubToken,
    ShowHubToken,
    VerifyModel,
)
from core.api.requests import Request

FORMS: Final[dict[str, tuple[Form, Quant]]] = {
    "gguf f16": ("gguf", "f16"),
    "gguf q8_0": ("gguf", "q8_0"),
    "peft f16": ("peft", "f16"),
    "merged f16": ("merged", "f16"),
}
"""What the argument of an export means."""


_ABOUT: Final = {
    "drop": RemovePart,
    "verify": VerifyModel,
    "measure": MeasureRound,
    "remove": RemoveModel,
    "reset": ResetModel,
}
"""What is asked of the helper that needs no more than the model's name."""


def request_for(act: RowAction, model: ListedModel) -> tuple[Kind, Request] | None:
    """The work that ``act`` wants; None where it wants something else, or a place first."""
    wanted: tuple[Kind, Request]
    match act.verb:
        case "drop" | "verify" | "measure" | "remove" | "reset":
            wanted = act.verb, _ABOUT[act.verb](model=model.id)
        case "fetch" | "fetch_anyway":
            name = model.repo or model.id
            wanted = "fetch", FetchModel(model=name, anyway=act.verb == "fetch_anyway")
        case "restore":
            wanted = "restore", RestoreModel(backup=act.argument)
        case "delete":
            wanted = "delete", RemoveBackup(model=model.id, backup=act.argument)
        case _:
            return None
    return wanted


def token_request(act: RowAction) -> tuple[Kind, Request] | None:
    """What ``act`` wants about the access token; None where it is about something else."""
    match act.verb:
        case "show_token":
            return "ask", ShowHubToken()
        case "keep_token":
            return "token", SetHubToken(token=act.argument)
        case "forget_token":
            return "ask", ForgetHubToken()
        case _:
            return None


def export_to(path: Path, act: RowAction, model: ListedModel) -> ExportModel:
    """The export that ``act`` wants; a person who named an existing file agreed to replace it."""
    form, quant = FORMS[act.argument]
    return ExportModel(
        model=model.id, form=form, quant=quant, path=str(path), replace=form == "gguf"
    )
