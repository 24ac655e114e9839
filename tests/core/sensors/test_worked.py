"""Processor seconds of this computer, and of what is ours."""

import os
import subprocess
import sys

from core.sensors.worked import family_of, worked


def test_a_child_is_no_other() -> None:
    """What a process of ours worked is among our own seconds, while it runs and after it ended."""
    before = worked(family_of(os.getpid()))
    work = "import time\nwhile time.process_time() < 0.3: pass\nprint(flush=True)\ninput()"
    with subprocess.Popen(  # noqa: S603 - a line of our own
        [sys.executable, "-c", work], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    ) as child:
        assert child.stdout is not None
        child.stdout.readline()
        running = worked(family_of(os.getpid()))
        child.communicate(b"\n")
    ended = worked(family_of(os.getpid()))
    assert running.own - before.own >= 0.25
    if sys.platform == "linux":  # elsewhere the seconds of those that ended are lost
        assert ended.own - before.own >= 0.25
