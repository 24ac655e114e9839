"""How many threads a model computes with, where nobody chose."""

import psutil

from core.models.catalog.catalog import ModelSpec


def worthwhile_threads(spec: ModelSpec) -> int:
    """The number of cores that a model uses where nobody chose.

    The steps of a small model are too short to share: a second core makes them a fifth faster on
    an idle machine, and many times slower on a busy one, where each waits for the other.
    """
    return 1 if spec.is_small else physical_cores()


def physical_cores() -> int:
    """Cores without hyper-threads, at least 1."""
    return psutil.cpu_count(logical=False) or 1
