"""What others use of the processor."""

import os
import subprocess
import sys

import psutil
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.sensors.load import LoadOfOthers, Worked, share_of_others, worked

seconds = st.floats(0, 1e9)


@pytest.mark.parametrize(
    ("now", "share"),
    [
        (Worked(total=110, busy=55, own=5), 0.5),
        (Worked(total=110, busy=60, own=10), 0.5),
        (Worked(total=110, busy=60, own=15), 0.0),
        (Worked(total=110, busy=60, own=4), 1.0),
        (Worked(total=100, busy=50, own=5), None),
    ],
)
def test_the_own_work_is_nobody_elses(now: Worked, share: float | None) -> None:
    """Ten seconds of all cores passed; what was busy and not ours is the others'."""
    assert share_of_others(Worked(total=100, busy=50, own=5), now) == share


@given(st.builds(Worked, seconds, seconds, seconds), st.builds(Worked, seconds, seconds, seconds))
def test_it_is_always_a_share(before: Worked, now: Worked) -> None:
    """Counters that jump, as they do when a child ends, make no nonsense."""
    share = share_of_others(before, now)
    assert share is None or 0 <= share <= 1


def test_a_child_is_no_other() -> None:
    """What a process of ours worked is among our own seconds, while it runs and after it ended."""
    before = worked(os.getpid())
    work = "import time\nwhile time.process_time() < 0.3: pass\nprint(flush=True)\ninput()"
    with subprocess.Popen(  # noqa: S603 - a line of our own
        [sys.executable, "-c", work], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    ) as child:
        assert child.stdout is not None
        child.stdout.readline()
        running = worked(os.getpid())
        child.communicate(b"\n")
    ended = worked(os.getpid())
    assert running.own - before.own >= 0.25
    if sys.platform == "linux":  # elsewhere the seconds of those that ended are lost
        assert ended.own - before.own >= 0.25


def test_a_system_that_says_nothing_at_first_is_asked_again(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """A sensor that cannot be made would keep the whole node from starting."""
    with monkeypatch.context() as patch:

        def refuse() -> None:
            raise PermissionError(13, "Permission denied", "/proc/stat")

        patch.setattr(psutil, "cpu_times", refuse)
        load = LoadOfOthers()
    assert load.read().value is None
    value = load.read().value
    assert value is None or 0 <= value <= 1


def test_whoever_started_us_may_be_gone() -> None:
    """Then this process alone is what is ours."""
    with subprocess.Popen([sys.executable, "-c", ""]) as child:
        child.wait()
    reading = LoadOfOthers(child.pid).read()
    assert reading.words
    assert reading.value is None or 0 <= reading.value <= 1
