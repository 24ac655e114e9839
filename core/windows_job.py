"""A Windows job object around this process: limited memory and processor time, no second process.

Written to the documentation of SetInformationJobObject. Wine takes it and holds nobody to it; on
Windows itself its authors have not run it.
"""

import ctypes
import sys

EXTENDED_LIMIT_INFORMATION = 9
LIMIT_PROCESS_TIME = 0x0002
LIMIT_ACTIVE_PROCESS = 0x0008
LIMIT_PROCESS_MEMORY = 0x0100
LIMIT_DIE_ON_UNHANDLED_EXCEPTION = 0x0400  # no error dialogue that would keep a crash alive
TICKS_PER_S = 10_000_000  # 100 ns


class _BasicLimits(ctypes.Structure):
    """JOBOBJECT_BASIC_LIMIT_INFORMATION."""

    _fields_ = (
        ("per_process_user_time_limit", ctypes.c_int64),
        ("per_job_user_time_limit", ctypes.c_int64),
        ("limit_flags", ctypes.c_uint32),
        ("minimum_working_set_size", ctypes.c_size_t),
        ("maximum_working_set_size", ctypes.c_size_t),
        ("active_process_limit", ctypes.c_uint32),
        ("affinity", ctypes.c_size_t),
        ("priority_class", ctypes.c_uint32),
        ("scheduling_class", ctypes.c_uint32),
    )


class _ExtendedLimits(ctypes.Structure):
    """JOBOBJECT_EXTENDED_LIMIT_INFORMATION."""

    _fields_ = (
        ("basic", _BasicLimits),
        ("io_counters", ctypes.c_ulonglong * 6),
        ("process_memory_limit", ctypes.c_size_t),
        ("job_memory_limit", ctypes.c_size_t),
        ("peak_process_memory_used", ctypes.c_size_t),
        ("peak_job_memory_used", ctypes.c_size_t),
    )


def limits_of(memory: int, seconds: int) -> ctypes.Structure:
    """What a job of one process may take: bytes of memory, and seconds of processor time."""
    return _ExtendedLimits(
        basic=_BasicLimits(
            per_process_user_time_limit=seconds * TICKS_PER_S,
            limit_flags=LIMIT_PROCESS_TIME
            | LIMIT_ACTIVE_PROCESS
            | LIMIT_PROCESS_MEMORY
            | LIMIT_DIE_ON_UNHANDLED_EXCEPTION,
            active_process_limit=1,
        ),
        process_memory_limit=memory,
    )


if sys.platform == "win32":

    def enter_job(memory: int, seconds: int) -> None:
        """Put this process into a new job with ``limits_of`` both, for good.

        Raises:
            OSError: the system refuses.
        """
        limits = limits_of(memory, seconds)
        kernel = ctypes.WinDLL("kernel32", use_last_error=True)
        kernel.CreateJobObjectW.restype = ctypes.c_void_p
        kernel.GetCurrentProcess.restype = ctypes.c_void_p
        job = ctypes.c_void_p(kernel.CreateJobObjectW(None, None))
        if not (
            kernel.SetInformationJobObject(
                job,
                EXTENDED_LIMIT_INFORMATION,
                ctypes.byref(limits),
                ctypes.sizeof(limits),
            )
            and kernel.AssignProcessToJobObject(job, ctypes.c_void_p(kernel.GetCurrentProcess()))
        ):
            raise ctypes.WinError(ctypes.get_last_error())
