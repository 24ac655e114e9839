"""The structures that Windows reads; their effect is only seen there."""

import ctypes

from core.windows_job import limits_of


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
