"""The structures that Windows reads, and that it takes them."""

import ctypes
import subprocess
import sys

import pytest

from core.windows_job import limits_of

on_windows = pytest.mark.skipif(sys.platform != "win32", reason="no other system has jobs")

ENTERING = """
import ctypes, sys
from core.windows_job import EXTENDED_LIMIT_INFORMATION, enter_job, limits_of
enter_job(500_000_000, 11)
told, is_inside = limits_of(0, 0), ctypes.c_int()
kernel = ctypes.WinDLL("kernel32")
kernel.GetCurrentProcess.restype = ctypes.c_void_p
process = ctypes.c_void_p(kernel.GetCurrentProcess())
assert kernel.IsProcessInJob(process, None, ctypes.byref(is_inside)) and is_inside
size = ctypes.sizeof(told)
assert kernel.QueryInformationJobObject(
    None, EXTENDED_LIMIT_INFORMATION, ctypes.byref(told), size, None
)
sys.stdout.write(bytes(told).hex())
"""


def test_the_structure_has_the_size_that_windows_expects() -> None:
    """JOBOBJECT_EXTENDED_LIMIT_INFORMATION is 144 bytes on 64-bit Windows."""
    assert ctypes.sizeof(limits_of(1, 1)) == 144


def test_limits_are_told_in_the_units_of_windows() -> None:
    """Bytes, and steps of 100 ns; at the places that its documentation gives them."""
    told = bytes(limits_of(memory=500_000_000, seconds=11))
    assert int.from_bytes(told[:8], "little") == 110_000_000
    assert int.from_bytes(told[16:20], "little") == 0x050A
    assert int.from_bytes(told[40:44], "little") == 1  # process
    assert int.from_bytes(told[112:120], "little") == 500_000_000


def told_inside() -> bytes:
    """What Windows says to a process that entered a job of the limits that it is in."""
    done = subprocess.run(  # noqa: S603 - our own program
        [sys.executable, "-c", ENTERING], capture_output=True, text=True, timeout=60, check=False
    )
    assert done.returncode == 0, done.stderr
    return bytes.fromhex(done.stdout)


@on_windows
def test_a_process_enters_a_job() -> None:
    """Windows takes the structure, and says that the process is in a job."""
    assert len(told_inside()) == 144


@on_windows
def test_the_limits_of_the_job_are_those_asked_for() -> None:
    """By what Windows says of the job that the process is in."""
    told, asked = told_inside(), bytes(limits_of(memory=500_000_000, seconds=11))
    for limit in (slice(0, 8), slice(16, 20), slice(40, 44), slice(112, 120)):
        assert told[limit] == asked[limit]
