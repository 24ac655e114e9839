"""The only place where parts are wired together.

The heavy libraries are imported inside ``open_node``, on the model thread where they are used, so
that a command that needs no model starts at once and a node can say "waking up" while it loads.
"""

import asyncio
import secrets
from collections.abc import AsyncIterator, Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import aclosing, asynccontextmanager, contextmanager
from dataclasses import dataclass

import psutil
from filelock import FileLock, Timeout

from core.engine.events import Event, Loading
from core.engine.loop import NodeLoop, RunOptions, Surroundings
from core.engine.round import Parts, RoundPlan
from core.errors import HomeInUseError
from core.ledger.history import History
from core.models.catalog import ModelSpec, load_models
from core.paths import Home
from core.rollouts.types import ModelId
from core.settings import Settings
from core.tasks.catalog import PracticeMix, load_catalog


@dataclass(frozen=True, slots=True)
class NodeChoice:
    """What a person chose for one run."""

    home: Home
    settings: Settings
    model: ModelId
    swarm: str
    hubs: tuple[str, ...] = ()
    solo: bool = False
    recipe: str | None = None  # insisted on; None: the checkpoint's, else the settings'
    rounds: int | None = None  # None: until told to end
    seed: int | None = None  # insisted on; None: the checkpoint's, else drawn
    threads: int = 0  # 0: all physical cores


@contextmanager
def hold(home: Home) -> Iterator[None]:
    """Keep every other Waggle off ``home``; the system lets go when this process dies.

    Raises:
        HomeInUseError: another one holds it.
    """
    try:
        with FileLock(home.lock, timeout=0):
            yield
    except Timeout as error:
        raise HomeInUseError(
            f"Another Waggle is already running on {home.root}. "
            "Use that one, or give this one its own folder with --home."
        ) from error


def physical_cores() -> int:
    """Cores without hyper-threads, at least 1."""
    return psutil.cpu_count(logical=False) or 1
