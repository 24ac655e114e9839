"""The most memory that this process has held so far, and when a graphics card is done."""

import sys
from pathlib import Path

import torch


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


def device_peak_mb(device: torch.device) -> float:
    """Most memory of a graphics card that torch took for this process, in MB; Apple's: now."""
    if device.type == "cuda":
        return torch.cuda.max_memory_reserved(device) / 1e6
    return torch.mps.driver_allocated_memory() / 1e6


def finish(device: torch.device) -> None:
    """Wait until ``device`` has done all that it was given; a processor has when it returns."""
    if device.type == "cuda":
        torch.cuda.synchronize(device)
    elif device.type == "mps":
        torch.mps.synchronize()
