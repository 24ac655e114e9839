"""What a judge can still do once an answer has taken it over, on this system.

Each deed is first done by an unprotected judge, so that a test that prevents nothing cannot pass.
"""

import os
import socket
import sys
from collections.abc import AsyncIterator, Iterator
from pathlib import Path

import pytest

from core.tasks.confinement import Promise
from core.tasks.scorer import IsolatedScorer
from tests.core.tasks.evil_scorer import evil_scorer, rewards_of

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="written for POSIX")


@pytest.fixture
async def confined() -> AsyncIterator[IsolatedScorer]:
    async with evil_scorer() as scorer:
        yield scorer


@pytest.fixture
async def free() -> AsyncIterator[IsolatedScorer]:
    async with evil_scorer("free") as scorer:
        yield scorer


@pytest.fixture
def port() -> Iterator[int]:
    """A TCP port of this machine where somebody listens."""
    with socket.create_server(("127.0.0.1", 0)) as server:
        yield server.getsockname()[1]


async def require(scorer: IsolatedScorer, promise: Promise) -> None:
    """Skip the test where this system does not keep the promise, and says so."""
    confinement = await scorer.confinement()
    if promise not in confinement.active:
        pytest.skip(str(confinement.missing))


async def test_the_report_is_complete(confined: IsolatedScorer, free: IsolatedScorer) -> None:
    """Every promise is either kept or missing with a reason; without layers all are missing."""
    with_layers, without = await confined.confinement(), await free.confinement()
    assert len(with_layers.active) + len(with_layers.missing) == len(without.missing)
    assert without.active == ()


async def test_no_network(confined: IsolatedScorer, free: IsolatedScorer, port: int) -> None:
    """Not even to the own machine."""
    await require(confined, Promise.NETWORK)
    assert await rewards_of(free, f"connect:{port}") == (1.0,)
    assert await rewards_of(confined, f"connect:{port}") == (0.0,)


async def test_no_reading_of_files(
    confined: IsolatedScorer, free: IsolatedScorer, tmp_path: Path
) -> None:
    """Somebody's secret stays one."""
    await require(confined, Promise.FILES)
    secret = tmp_path / "secret"
    secret.write_text("42")
    assert await rewards_of(free, f"read:{secret}") == (1.0,)
    assert await rewards_of(confined, f"read:{secret}") == (0.0,)


async def test_no_writing_of_files(
    confined: IsolatedScorer, free: IsolatedScorer, tmp_path: Path
) -> None:
    """Neither contents nor an empty file."""
    await require(confined, Promise.WRITING)
    assert await rewards_of(confined, f"write:{tmp_path / 'a'}") == (0.0,)
    assert await rewards_of(free, f"write:{tmp_path / 'b'}") == (1.0,)
    assert names_in(tmp_path) == ["b"]


async def test_no_deleting_of_files(
    confined: IsolatedScorer, free: IsolatedScorer, tmp_path: Path
) -> None:
    """What is there stays there."""
    await require(confined, Promise.FILES)
    victim = tmp_path / "victim"
    victim.touch()
    assert await rewards_of(confined, f"delete:{victim}") == (0.0,)
    assert victim.exists()
    assert await rewards_of(free, f"delete:{victim}") == (1.0,)


async def test_no_programs(confined: IsolatedScorer, free: IsolatedScorer) -> None:
    """Neither beside the judge nor in its place."""
    await require(confined, Promise.PROGRAMS)
    assert await rewards_of(free, "execute:/bin/true") == (1.0,)
    assert await rewards_of(confined, "execute:/bin/true", "replace:/bin/true", "right") == (
        0.0,
        0.0,
        1.0,
    )


async def test_no_second_process(confined: IsolatedScorer, free: IsolatedScorer) -> None:
    """A judge cannot leave a child behind that outlives it."""
    await require(confined, Promise.PROCESSES)
    assert await rewards_of(free, "fork") == (1.0,)
    assert await rewards_of(confined, "fork") == (0.0,)


async def test_no_signals_to_others(confined: IsolatedScorer, free: IsolatedScorer) -> None:
    """The engine, of the same user, cannot be stopped by its judge."""
    await require(confined, Promise.PROGRAMS)
    assert await rewards_of(free, f"kill:{os.getpid()}") == (1.0,)
    assert await rewards_of(confined, f"kill:{os.getpid()}") == (0.0,)


async def test_limits_are_for_good(confined: IsolatedScorer) -> None:
    """What was limited cannot be raised again."""
    await require(confined, Promise.OPENING)
    assert await rewards_of(confined, "unlimit") == (0.0,)


async def test_memory_is_limited(confined: IsolatedScorer, free: IsolatedScorer) -> None:
    """Two gigabytes are refused where four hundred megabytes are not."""
    await require(confined, Promise.MEMORY)
    assert await rewards_of(free, "reserve:2000000000") == (1.0,)
    assert await rewards_of(confined, "reserve:2000000000", "reserve:400000000") == (0.0, 1.0)


@pytest.mark.skipif(sys.platform != "linux", reason="other systems have less to offer")
async def test_linux_offers_a_leash(confined: IsolatedScorer) -> None:
    """Nothing that ran on a Linux kernel so far refuses to tie a child to its parent."""
    assert Promise.LEASH in (await confined.confinement()).active


def names_in(folder: Path) -> list[str]:
    return [path.name for path in folder.iterdir()]
