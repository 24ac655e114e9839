"""The most memory that this process has held so far."""

import sys
from pathlib import Path


def peak_mb() -> float:
    """Peak resident memory in MB (millions of bytes)."""
    if sys.platform == "linux":
        # Not getrusage: it counts what the parent held when it started this process.
        lines = Path("/proc/self/status").read_text(encoding="ascii", errors="replace").splitlines()
        kilobytes = next(line.split()[1] for line in lines if line.startswith("VmHWM:"))
        peak = int(kilobytes) * 1024
    elif sys.platform == "win32":
        import psutil

        peak = int(psutil.Process().memory_info().peak_wset)
    else:
        import resource

        peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss  # macOS counts in bytes
    return peak / 1e6
