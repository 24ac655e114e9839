"""The structures that Windows reads; their effect is only seen there."""

import ctypes

from core.tasks.windows_job import EXTENDED_LIMITS


def test_the_structure_has_the_size_that_windows_expects() -> None:
    """JOBOBJECT_EXTENDED_LIMIT_INFORMATION is 144 bytes on 64-bit Windows."""
    assert ctypes.sizeof(EXTENDED_LIMITS) == 144
