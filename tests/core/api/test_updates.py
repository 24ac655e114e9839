"""Words about updates cross the pipe unharmed."""

import pytest

from core.api.message import JsonMessage
from core.api.pipe import encode
from core.api.protocol import decode_answer, decode_request
from core.api.updates import GetUpdate, LookForUpdate, ShowUpdates, UpdateProgress, UpdatesShown
from core.errors import WireError


@pytest.mark.parametrize("asked", [ShowUpdates(id=1), LookForUpdate(only_if_due=True), GetUpdate()])
def test_requests_come_back_equal(asked: JsonMessage) -> None:
    """Each with its number."""
    assert decode_request(encode(asked)) == asked


def test_answers_come_back_equal() -> None:
    """Progress is never the last word."""
    shown = UpdatesShown(
        installed="0.1.0", kind="tarball", place="/opt/x", obstacle="none", command=("a", "b c")
    )
    progress = UpdateProgress(stage="downloading", done=1, total=2)
    assert decode_answer(encode(shown)) == shown
    assert decode_answer(encode(progress)) == progress
    assert not progress.is_last


@pytest.mark.parametrize("newest", ["1.2", "--home=x", "1.2.3\n", "v1.2.3"])
def test_what_is_no_version_is_refused(newest: str) -> None:
    """It is shown, and becomes part of a command line."""
    shown = UpdatesShown(
        installed="0.1.0", kind="tarball", place="", obstacle="none", newest=newest
    )
    with pytest.raises(WireError):
        decode_answer(encode(shown))
