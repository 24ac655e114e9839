"""Memory that this process may still take, in bytes."""

import psutil

from core.models.memory.control_groups import limited_groups


def free_memory(spared: int = 0) -> int:
    """Bytes that are free beyond ``spared``: a container often gets less than the machine has."""
    available: int = psutil.virtual_memory().available
    return max(0, min([available, *(group.free for group in limited_groups())]) - spared)


def total_memory() -> int:
    """Bytes that the computer has, or the container in which this process runs."""
    total: int = psutil.virtual_memory().total
    return min([total, *(group.limit for group in limited_groups())])
