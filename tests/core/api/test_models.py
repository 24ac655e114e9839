"""Words about models cross the pipe, and only in bounds."""

import pytest

from core.api.models import (
    ExportModel,
    FetchModel,
    ForgetHubToken,
    HubTokenShown,
    ListModels,
    LookUpModel,
    ModelDone,
    ModelFound,
    ModelProgress,
    RemoveBackup,
    RemoveModel,
    RemovePart,
    ResetModel,
    RestoreModel,
    SetHubToken,
    ShowHubToken,
    VerifyModel,
)
from core.api.pipe import encode
from core.api.protocol import decode_answer, decode_request
from core.api.requests import Reply, Request
from core.errors import WireError
from tests.app.pages.models.samples import BACKUP, LARGE, LISTED, SMOL


@pytest.mark.parametrize(
    "request_",
    [
        ListModels(id=1),
        LookUpModel(id=2, name="someone/Smol"),
        FetchModel(id=3, model="smol", anyway=True),
        RemovePart(id=4, model="smol"),
        VerifyModel(id=5, model="smol"),
        RemoveModel(id=6, model="smol"),
        ExportModel(id=7, model="smol", form="gguf", path="smol.gguf", quant="q8_0"),
        ResetModel(id=8, model="smol"),
        RestoreModel(id=9, backup=BACKUP.name),
        RemoveBackup(id=13, model="smol", backup=BACKUP.name),
        ShowHubToken(id=10),
        SetHubToken(id=11, token="hf_x"),  # noqa: S106 - a made-up one
        ForgetHubToken(id=12),
    ],
)
def test_a_request_comes_back_equal(request_: Request) -> None:
    """What the window asks is what the helper hears."""
    assert decode_request(encode(request_)) == request_


@pytest.mark.parametrize(
    "answer",
    [
        LISTED,
        ModelFound(id=1, model=SMOL),
        ModelProgress(id=2, model="smol", work="fetch", stage="waiting", done=1, total=2),
        ModelDone(id=3, model="smol", size=5, path="smol.gguf"),
        HubTokenShown(id=4, is_kept=True),
    ],
)
def test_an_answer_comes_back_equal(answer: Reply) -> None:
    """What the helper says is what the pages hear."""
    assert decode_answer(encode(answer)) == answer


@pytest.mark.parametrize(
    "request_",
    [
        FetchModel(model=""),
        FetchModel(model="x" * 201),
        SetHubToken(token="x" * 501),
        ExportModel(model="smol", form="gguf", path=""),
        ExportModel(model="smol", form="zip", path="x"),  # type: ignore[arg-type]  # what else may come
    ],
)
def test_what_breaks_a_bound_is_no_request(request_: Request) -> None:
    """It never reaches a service."""
    with pytest.raises(WireError):
        decode_request(encode(request_))


def test_a_list_without_end_is_no_answer() -> None:
    """Whatever lies in the folder of models."""
    endless = type(LISTED)(models=(LARGE,) * 501, disk_free=0)
    with pytest.raises(WireError):
        decode_answer(encode(endless))


def test_progress_is_not_the_last_word() -> None:
    """The request stays open until it is done."""
    assert not ModelProgress.is_last
    assert ModelDone.is_last
