"""A hub that tells the BitTorrent network which swarms meet there."""

import asyncio
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager
from pathlib import Path
from random import Random

import pytest

from core.errors import SwarmError
from core.swarm import background
from core.swarm.backoff import Timing
from core.swarm.dht import discovery as dht_module
from core.swarm.dht import hub_announcing
from core.swarm.dht.discovery import MOST_SWARMS, Dht, infohash_of
from core.swarm.dht.hub_announcing import announce_hub
from core.swarm.dht.session import DhtSession, DhtSettings
from tests.envelopes import FakeClock
from tests.fake_dht_session import FakeSession

PORT = 8_765
DEADLINE_S = 10.0


@pytest.fixture(autouse=True)
def at_every_turn(monkeypatch: pytest.MonkeyPatch) -> None:
    """Look for new swarms at every turn of the event loop, and at the DHT often."""
    monkeypatch.setattr(dht_module, "_LONELY_S", 0.02)
    monkeypatch.setattr(hub_announcing, "LOOK_EVERY_S", 0)


async def turns() -> AsyncIterator[None]:
    """Of the event loop, so many seconds long."""
    async with asyncio.timeout(DEADLINE_S):
        while True:
            await asyncio.sleep(0)
            yield


class Town:
    """A hub, its swarms and its session."""

    def __init__(self, table: Path, swarms: Sequence[str]) -> None:
        self.table = table
        self.swarms = list(swarms)
        self.session = FakeSession()
        self.failures = 0  # of the next looks at the swarms

    def look(self) -> Sequence[str]:
        if self.failures:
            self.failures -= 1
            raise OSError("no database")
        return self.swarms

    @asynccontextmanager
    async def announced(self) -> AsyncIterator[None]:
        clock = FakeClock()
        timing = Timing(clock, clock, Random(1))
        dht = Dht(DhtSettings(local=True), b"", timing, lambda *_: self.session)
        async with asyncio.TaskGroup() as group:
            task = group.create_task(announce_hub(self.table, PORT, self.look, dht))
            yield
            task.cancel()

    async def until(self, is_true: Callable[[], bool]) -> None:
        async for _ in turns():
            if is_true():
                return

    def told(self) -> set[object]:
        """The infohashes that were announced."""
        return {done[1] for done in self.session.done if done[0] == "announce"}


async def test_the_swarms_of_a_hub_are_announced_and_the_table_is_kept(tmp_path: Path) -> None:
    """With the port at which the hub is; new ones, too; at the end the node table is on disk."""
    town = Town(tmp_path / "dht", ["meadow"])
    async with town.announced():
        await town.until(lambda: ("announce", infohash_of("meadow"), PORT) in town.session.done)
        town.swarms.append("pond")
        await town.until(lambda: infohash_of("pond") in town.told())
    assert town.session.done[-1] == ("end",)
    assert town.table.read_bytes() == b"table"


async def test_a_failure_ends_neither_the_hub_nor_the_announcing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """It is logged and tried again; and a hub that is killed has kept its node table before."""
    monkeypatch.setattr(background, "SAVED_EVERY_S", 0.0)
    town = Town(tmp_path / "dht", ["meadow"])
    town.failures = 2
    async with town.announced():
        await town.until(lambda: infohash_of("meadow") in town.told() and town.table.exists())
    assert [record.getMessage() for record in caplog.records] == ["Announcing this hub failed"] * 2


async def test_a_flood_of_swarms_pushes_no_listed_one_out(tmp_path: Path) -> None:
    """Anybody may open swarms at a hub; those at the end are announced, however many there are."""
    flood = [f"junk-{number}" for number in range(1_000)]
    town = Town(tmp_path / "dht", ["meadow", *flood, "meadow"])
    async with town.announced():
        await town.until(lambda: len(town.told()) == MOST_SWARMS)
        assert infohash_of("meadow") in town.told()
        town.swarms = [*flood[::-1], "meadow"]
        await town.until(lambda: infohash_of("junk-0") in town.told())


async def test_without_the_library_the_owner_is_told_once(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    """The hub goes on: it was asked to be found, and that does not work."""

    def missing(*_: object) -> DhtSession:
        raise SwarmError("libtorrent is not installed. Install it.")

    turn = 0

    def swarms() -> Sequence[str]:
        nonlocal turn
        turn += 1
        return ["meadow"]

    dht = Dht(DhtSettings(local=True), opener=missing)
    async with asyncio.TaskGroup() as group:
        task = group.create_task(announce_hub(tmp_path / "dht", PORT, swarms, dht))
        async for _ in turns():
            if turn > 5:
                break
        task.cancel()
    assert [record.getMessage() for record in caplog.records] == [
        "Others may not find this hub: libtorrent is not installed. Install it."
    ]
