"""Decks in a folder: what a restart, a kill and a full disk leave of them."""

from collections.abc import AsyncIterator, Callable
from contextlib import AsyncExitStack, aclosing
from pathlib import Path

import pytest

from core.errors import DiskFullError, SwarmError
from core.hub import local_decks
from core.hub.decks import DeckLimits
from core.hub.local_decks import MEMORY_BYTES, LocalDecks
from core.wire.codec import DECK_LIFE_S
from tests.envelopes import FakeClock

NAME = "ab" * 32
PRIVATE = f"p-{'0' * 32}"


class Folder(AsyncExitStack):
    """A folder of decks and its clock."""

    def __init__(self, path: Path) -> None:
        super().__init__()
        self.path = path
        self.clock = FakeClock()

    async def open(self, limits: DeckLimits | None = None) -> LocalDecks:
        store = LocalDecks(self.path, limits or DeckLimits(), self.clock)
        return await self.enter_async_context(aclosing(store))


@pytest.fixture
async def folder(tmp_path: Path) -> AsyncIterator[Folder]:
    async with Folder(tmp_path / "hub.sqlite-decks") as opened:
        yield opened


async def test_nothing_is_made_before_it_is_needed(folder: Folder) -> None:
    """A hub whose swarms have no decks has no folder of them."""
    store = await folder.open()
    assert not await store.touch("meadow", NAME)
    assert not folder.path.exists()


async def test_its_age_survives_a_restart(folder: Folder) -> None:
    """A month is counted from when it was last asked for, by the clock of the hub."""
    first = await folder.open()
    await first.put(PRIVATE, NAME, b"deck")
    await first.put("con", NAME, b"other")
    folder.clock.advance(DECK_LIFE_S - 10)
    assert await first.touch(PRIVATE, NAME)
    folder.clock.advance(20)
    second = await folder.open()
    assert await second.get(PRIVATE, NAME) == b"deck"
    assert not await second.touch("con", NAME)
    assert [file.name for file in folder.path.iterdir()] == [f"{NAME}-{PRIVATE}.deck"]


async def test_the_quotas_survive_a_restart(folder: Folder) -> None:
    """What stood in the folder counts."""
    await (await folder.open()).put("meadow", NAME, bytes(700))
    again = await folder.open(DeckLimits(swarm_bytes=1_000))
    assert not await again.put("meadow", "cd" * 32, bytes(400))


async def test_whose_it_is_survives_a_restart(folder: Folder) -> None:
    """Whoever filled the hub makes room afterwards, too; what has no place shares one."""
    limits, names = DeckLimits(bytes=1_000), [f"{number:064x}" for number in range(12)]
    first = await folder.open(limits)
    for number, (name, place) in enumerate(zip(names[:3], ("a1", "0", "b2"), strict=True)):
        await first.put(f"home{number}", name, bytes(100), place)
    for name in names[3:]:
        folder.clock.advance(1)
        store = await folder.open(limits)
        await store.put("junk", name, bytes(100), "bad")
    kept = {file.name for file in folder.path.iterdir()}
    homes = {f"{names[0]}-home0.a1.deck", f"{names[1]}-home1.deck", f"{names[2]}-home2.b2.deck"}
    assert kept == homes | {f"{name}-junk.bad.deck" for name in names[-7:]}


async def test_a_hub_killed_in_the_middle_leaves_the_old_one(folder: Folder) -> None:
    """A draft is cleared away, what is not ours is left alone."""
    await (await folder.open()).put("meadow", NAME, b"deck")
    draft, foreign = folder.path / f"{NAME}-other.draft", folder.path / "notes.txt"
    for file in (draft, foreign):
        file.write_bytes(b"half")
    again = await folder.open()
    assert await again.get("meadow", NAME) == b"deck"
    assert (draft.exists(), foreign.exists()) == (False, True)


def emptied(file: Path) -> None:
    file.unlink()


def bloated(file: Path) -> None:
    file.write_bytes(bytes(9_000_000))


@pytest.mark.parametrize("harm", [emptied, bloated])
async def test_what_somebody_else_did_to_the_folder_is_found_out(
    folder: Folder, harm: Callable[[Path], None]
) -> None:
    """Then the deck is missing, so that a member brings it back."""
    store = await folder.open()
    await store.put("meadow", NAME, b"deck")
    harm(folder.path / f"{NAME}-meadow.deck")
    assert await store.get("meadow", NAME) is None
    assert not await store.touch("meadow", NAME)
    assert await store.put("meadow", NAME, b"deck")
    assert await store.get("meadow", NAME) == b"deck"


async def test_a_folder_that_cannot_be_used_is_explained(folder: Folder) -> None:
    """In a sentence for who runs the hub."""
    folder.path.write_bytes(b"a file")
    store = await folder.open()
    with pytest.raises(SwarmError, match=r"cannot keep decks in .*has room"):
        await store.put("meadow", NAME, b"deck")


async def test_what_cannot_be_written_anew_stays(
    folder: Folder, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whoever brings a deck again to a hub whose disk is full takes nothing from the others."""
    store = await folder.open()
    await store.put("meadow", NAME, b"deck")

    def full(path: Path, data: bytes) -> None:
        raise DiskFullError(f"{path}: {len(data)} bytes do not fit")

    monkeypatch.setattr(local_decks, "replace_file", full)
    with pytest.raises(SwarmError, match="has room"):
        await store.put("meadow", NAME, b"deck")
    assert await store.get("meadow", NAME) == b"deck"


async def test_in_memory_there_is_less_room() -> None:
    """However large the limits are."""
    async with aclosing(LocalDecks(None, DeckLimits(swarm_bytes=10**9), FakeClock())) as store:
        for number in range(5):
            await store.put(f"s{number}", NAME, bytes(MEMORY_BYTES // 4))
        assert not await store.touch("s0", NAME)
        assert await store.touch("s1", NAME)
