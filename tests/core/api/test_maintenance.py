"""Words about the care for this computer cross the pipe, and only in bounds."""

import pytest

from core.api.maintenance import BackUpIdentity, Finding
from core.api.pipe import encode
from core.api.protocol import decode_request
from core.errors import WireError

WELL = Finding("disk", ok=True, words="12.9 GB are free")


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
