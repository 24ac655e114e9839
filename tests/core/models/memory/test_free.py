"""Memory that is free."""

import psutil

from core.models.memory.free import free_memory, total_memory


def test_free_memory_is_no_more_than_the_machine_has() -> None:
    """Whatever a container adds to that."""
    assert 0 < free_memory() <= total_memory() <= psutil.virtual_memory().total
