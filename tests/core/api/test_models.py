"""Words about models cross the pipe, and only in bounds."""

import pytest

from core.api.models import ExportModel, FetchModel, ModelDone, ModelProgress, SetHubToken
from core.api.pipe import encode
from core.api.protocol import decode_answer, decode_request
from core.api.requests import Request
from core.errors import WireError
from tests.app.pages.models.samples import LARGE, LISTED


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
