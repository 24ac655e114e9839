"""Words about the care for this computer cross the pipe, and only in bounds."""

import pytest

from core.api.maintenance import (
    AutostartShown,
    BackUpIdentity,
    DiskUsage,
    Finding,
    FoldersMeasured,
    LookAround,
    LookedAround,
    MakeSupportFile,
    MeasureFolders,
    RemoveEverything,
    RestoreIdentity,
    SetAutostart,
    ShowAutostart,
)
from core.api.pipe import encode
from core.api.protocol import decode_answer, decode_request
from core.api.requests import Reply, Request
from core.errors import WireError

WELL = Finding("disk", ok=True, words="12.9 GB are free")


@pytest.mark.parametrize(
    "request_",
    [
        LookAround(id=1),
        MeasureFolders(id=2),
        BackUpIdentity(id=3, path="/media/stick/key.txt"),
        RestoreIdentity(id=4, path="C:\\key.txt"),
        MakeSupportFile(id=5, path="help.zip"),
        RemoveEverything(id=6),
        ShowAutostart(id=7),
        SetAutostart(id=8, on=True),
    ],
)
def test_requests_cross_the_pipe(request_: Request) -> None:
    """As they were."""
    assert decode_request(encode(request_)) == request_


@pytest.mark.parametrize(
    "answer",
    [
        LookedAround(id=1, findings=(WELL,)),
        FoldersMeasured(id=2, root="/data", name="amber-otter-27", parts=(DiskUsage("logs", 7),)),
        AutostartShown(id=3, on=False),
    ],
)
def test_answers_cross_the_pipe(answer: Reply) -> None:
    """As they were."""
    assert decode_answer(encode(answer)) == answer


@pytest.mark.parametrize("path", ["", "x" * 4_097])
def test_a_path_has_bounds(path: str) -> None:
    """None is no path, and none goes on for ever."""
    with pytest.raises(WireError):
        decode_request(encode(BackUpIdentity(path=path)))


def test_a_finding_has_a_mark_for_the_margin() -> None:
    """Four letters: well, not well, and not well but not needed."""
    bad = Finding("disk", ok=False, words="full")
    pity = Finding("redis", ok=False, words="not installed", needed=False)
    assert [one.mark for one in (WELL, bad, pity)] == ["ok  ", "BAD ", "note"]
