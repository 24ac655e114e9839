"""Lines in, lines out."""

import errno
import os
import subprocess
import sys
from pathlib import Path

import pytest

from core.pipes import read_lines, send_line
from tests.unread_pipe import UnreadPipe

_NOISY = """
import os
from core.pipes import claim_stdout

channel = claim_stdout()
print("a library prints")
os.write(1, b"a native library prints\\n")
channel.write(b"a message\\n")
"""

_HELD_UP = """
import asyncio, time
from core.pipes import Leash, read_lines

async def main():
    async for _ in read_lines(Leash(0.1), 100):
        break
    time.sleep(3_600)

asyncio.run(main())
"""


async def lines_of(data: bytes, most: int) -> list[bytes]:
    reader, writer = os.pipe()
    os.write(writer, data)
    os.close(writer)
    with os.fdopen(reader, "rb", buffering=0) as source:
        return [line async for line in read_lines(source, most)]


async def test_lines_come_whole_until_the_end() -> None:
    """The last one may lack its newline; an empty one is a line, too."""
    assert await lines_of(b"one\n\nthree", 100) == [b"one\n", b"\n", b"three"]


async def test_a_closed_source_has_no_lines() -> None:
    """A window that dies before it spoke."""
    assert await lines_of(b"", 100) == []


async def test_a_long_line_comes_in_bounded_pieces() -> None:
    """Each is one byte too long at most, so that whoever decodes it can refuse it."""
    pieces = await lines_of(b"x" * 25 + b"\nshort\n", 10)
    assert max(map(len, pieces)) == 11
    assert pieces[-1] == b"short\n"


def test_prints_do_not_reach_the_channel() -> None:
    """Whatever a library writes to stdout lands on stderr."""
    done = subprocess.run(  # noqa: S603 - this interpreter on a text of our own
        [sys.executable, "-c", _NOISY], capture_output=True, text=True, check=True
    )
    assert done.stdout == "a message\n"
    assert sorted(done.stderr.splitlines()) == ["a library prints", "a native library prints"]


@pytest.mark.parametrize("mode", ["rb", "wb"])
def test_the_end_of_the_leash_ends_a_process_that_is_held_up(mode: str) -> None:
    """Even where the event loop does not hear of it, and where reading fails: nobody else would."""
    with Path(os.devnull).open(mode) as leash:
        done = subprocess.run(  # noqa: S603 - this interpreter on a text of our own
            [sys.executable, "-c", _HELD_UP], stdin=leash, timeout=60, check=False
        )
    assert done.returncode == 1


@pytest.mark.parametrize("number", [errno.EPIPE, errno.EINVAL])
def test_a_line_that_nobody_reads_any_more_is_no_error(number: int) -> None:
    """Windows says to a pipe without a reader that an argument was invalid."""
    with UnreadPipe(number) as channel:
        send_line(channel, b"the last words\n")


def test_a_line_that_cannot_be_written_is_an_error() -> None:
    """Where somebody reads: what stands in for the pipe may be a file on a full disk."""
    with UnreadPipe(errno.ENOSPC) as channel, pytest.raises(OSError, match="space"):
        send_line(channel, b"words\n")
