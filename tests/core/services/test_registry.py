"""The registry, where there is one."""

import sys

from core.services.registry import RUN, open_registry


def test_only_windows_has_one() -> None:
    """Elsewhere there is none; there, a value that nobody made is not there."""
    registry = open_registry()
    assert (registry is None) == (sys.platform != "win32")
    if registry is not None:
        assert registry.read(RUN, "waggle-test-of-nothing") is None
        registry.delete(RUN, "waggle-test-of-nothing")
