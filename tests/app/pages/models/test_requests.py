"""The request to the helper for each action on a model."""

from pathlib import Path
from typing import get_args

import pytest

from app.pages.models.requests import FORMS, export_to, request_for, token_request
from app.pages.models.view_model import RowAction, Verb
from core.api.models import (
    ExportModel,
    FetchModel,
    ForgetHubToken,
    MeasureRound,
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
from tests.app.pages.models.samples import SMOL, SPARK

WORK: dict[Verb, Request] = {
    "fetch": FetchModel(model="someone/Smol"),
    "fetch_anyway": FetchModel(model="someone/Smol", anyway=True),
    "drop": RemovePart(model="smol"),
    "verify": VerifyModel(model="smol"),
    "measure": MeasureRound(model="smol"),
    "remove": RemoveModel(model="smol"),
    "reset": ResetModel(model="smol"),
    "restore": RestoreModel(backup="smol@then"),
    "delete": RemoveBackup(model="smol", backup="smol@then"),
}


@pytest.mark.parametrize("verb", get_args(Verb))
def test_work_has_its_request_and_all_else_has_none(verb: Verb) -> None:
    """A model is fetched by the name that its hub knows."""
    found = request_for(RowAction("", verb, "smol@then"), SMOL)
    assert (found[1] if found else None) == WORK.get(verb)


def test_a_model_without_a_repository_goes_by_its_id() -> None:
    """A copy that ships is known by nothing else."""
    found = request_for(RowAction("", "fetch"), SPARK)
    assert found is not None
    assert found[1] == FetchModel(model="spark")


def test_the_token_has_requests_of_its_own() -> None:
    """It is about no model."""
    assert token_request(RowAction("", "show_token")) == ("ask", ShowHubToken())
    kept = SetHubToken(token="hf_x")  # noqa: S106 - a made-up one
    assert token_request(RowAction("", "keep_token", "hf_x")) == ("token", kept)
    assert token_request(RowAction("", "forget_token")) == ("ask", ForgetHubToken())
    assert token_request(RowAction("", "fetch")) is None


@pytest.mark.parametrize("argument", FORMS)
def test_only_a_file_that_was_named_may_be_replaced(argument: str, tmp_path: Path) -> None:
    """The dialog has asked; a folder is always a new one."""
    request = export_to(tmp_path / "out", RowAction("", "export", argument), SMOL)
    form, quant = FORMS[argument]
    assert request == ExportModel(
        model="smol",
        form=form,
        quant=quant,
        path=str(tmp_path / "out"),
        replace=argument.startswith("gguf"),
    )
