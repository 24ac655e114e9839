"""The memory of the tests themselves, whom strangers could make grow."""

import gc

import psutil


def resident() -> int:
    """Bytes, without what nobody needs any more."""
    gc.collect()
    rss: int = psutil.Process().memory_info().rss
    return rss
