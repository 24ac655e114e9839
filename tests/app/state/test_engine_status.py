"""What counts as running."""

import pytest

from app.state.engine_status import EngineStatus, Phase


@pytest.mark.parametrize(
    ("phase", "running"),
    [("off", False), ("up", True), ("waiting", True), ("closing", True), ("gave_up", False)],
)
def test_only_off_and_given_up_need_nobody_to_wait(phase: Phase, running: bool) -> None:  # noqa: FBT001 - a table's column
    """The window may close at once exactly when nothing is running."""
    assert EngineStatus(phase).is_running is running
