"""Words about updates cross the pipe unharmed."""

import pytest

from core.api.pipe import encode
from core.api.protocol import decode_answer
from core.api.updates import UpdateProgress, UpdatesShown
from core.errors import WireError


def test_progress_is_not_the_last_word() -> None:
    """What comes of it is."""
    assert not UpdateProgress.is_last
    assert UpdatesShown.is_last


@pytest.mark.parametrize("newest", ["1.2", "--home=x", "1.2.3\n", "v1.2.3"])
def test_what_is_no_version_is_refused(newest: str) -> None:
    """It is shown, and becomes part of a command line."""
    shown = UpdatesShown(installed="0.1.0", place="", obstacle="none", newest=newest)
    with pytest.raises(WireError):
        decode_answer(encode(shown))
