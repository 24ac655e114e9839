"""Which request sends the desk on which errand."""

from pathlib import Path
from typing import Final

from app.models.look import Act, Verb
from app.models.outcomes import Kind
from core.engine.desk.base import Request
from core.engine.desk.models import (
    ExportModel,
    FetchModel,
    ForgetHubToken,
    Form,
    ListedModel,
    Quant,
    RemoveModel,
    RemovePart,
    ResetModel,
    RestoreModel,
    SetHubToken,
    ShowHubToken,
    VerifyModel,
)

FORMS: Final[dict[str, tuple[Form, Quant]]] = {
    "gguf f16": ("gguf", "f16"),
    "gguf q8_0": ("gguf", "q8_0"),
    "peft f16": ("peft", "f16"),
    "merged f16": ("merged", "f16"),
}
"""What the argument of an export means."""

_KINDS: Final[dict[Verb, Kind]] = {
    "fetch": "fetch",
    "fetch_anyway": "fetch",
    "drop": "drop",
    "verify": "verify",
    "remove": "remove",
    "reset": "reset",
    "restore": "restore",
}


def errand_for(act: Act, model: ListedModel) -> tuple[Kind, Request] | None:
    """The work that ``act`` wants; None where it wants something else, or a place first."""
    kind = _KINDS.get(act.verb)
    if kind is None:
        return None
    requests: dict[Kind, Request] = {
        "fetch": FetchModel(model=model.repo or model.id, anyway=act.verb == "fetch_anyway"),
        "drop": RemovePart(model=model.id),
        "verify": VerifyModel(model=model.id),
        "remove": RemoveModel(model=model.id),
        "reset": ResetModel(model=model.id),
        "restore": RestoreModel(backup=act.argument),
    }
    return kind, requests[kind]


def token_errand(act: Act) -> Request | None:
    """What ``act`` wants about the access token; None where it is about something else."""
    match act.verb:
        case "show_token":
            return ShowHubToken()
        case "keep_token":
            return SetHubToken(token=act.argument)
        case "forget_token":
            return ForgetHubToken()
        case _:
            return None


def export_to(path: Path, act: Act, model: ListedModel) -> ExportModel:
    """The export that ``act`` wants; a person who named an existing file agreed to replace it."""
    form, quant = FORMS[act.argument]
    return ExportModel(
        model=model.id, form=form, quant=quant, path=str(path), replace=form == "gguf"
    )
