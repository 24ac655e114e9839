"""Each limit, alone, in a process of its own."""

import subprocess
import sys

import pytest

from tests.core.tasks.evil_judge import ROOT

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="POSIX only")

ATTEMPTS = {
    "no_writing()": "file = tempfile.TemporaryFile(); file.write(b'x'); file.flush()",
    "no_opening()": "open('/dev/null')",
    "memory(1 << 30)": "mmap.mmap(-1, 2 << 30)",
    "processor(1)": "while True: pass",
}


def outcome(limit: str, attempt: str) -> int:
    """Exit code of a process that puts ``limit`` on and then makes ``attempt``."""
    program = (
        f"import mmap, tempfile; from core.tasks.resource_limits import *; {limit or 'pass'}\n"
        f"{attempt}"
    )
    return subprocess.run(  # noqa: S603 - a program of this test
        [sys.executable, "-c", program], cwd=ROOT, capture_output=True, check=False
    ).returncode


@pytest.mark.parametrize("limit", ATTEMPTS)
def test_a_limit_prevents_what_it_says(limit: str) -> None:
    """With the limit the attempt fails; nearly all succeed without."""
    assert outcome(limit, ATTEMPTS[limit]) != 0
    if "while" not in ATTEMPTS[limit]:
        assert outcome("", ATTEMPTS[limit]) == 0


@pytest.mark.parametrize("limit", ["no_opening()", "no_dumps()", "no_writing()"])
def test_a_limit_leaves_pipes_alone(limit: str) -> None:
    """What is open already can be read and written."""
    program = f"from core.tasks.resource_limits import *; {limit}; print(input())"
    echo = subprocess.run(  # noqa: S603 - a program of this test
        [sys.executable, "-c", program], cwd=ROOT, input=b"here\n", capture_output=True, check=True
    )
    assert echo.stdout.strip() == b"here"
