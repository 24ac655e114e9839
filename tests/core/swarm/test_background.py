"""What goes on beside a block, and what it does when either fails."""

import asyncio

import pytest

from core.swarm import background
from core.swarm.background import kept, running


async def test_work_ends_with_its_block_whatever_the_block_raises() -> None:
    """The error comes out as it is, and not in a group."""
    begun, ended = asyncio.Event(), asyncio.Event()

    async def work() -> None:
        try:
            begun.set()
            await asyncio.Event().wait()
        finally:
            ended.set()

    async def crash() -> None:
        async with running(work):
            await begun.wait()
            raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        await crash()
    assert ended.is_set()


async def test_a_failed_save_ends_nothing(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """It is logged and tried again, and once more at the end of the block."""
    monkeypatch.setattr(background, "SAVED_EVERY_S", 0.0)
    saved = [False, False]
    twice = asyncio.Event()

    def save() -> None:
        if saved:
            saved.pop()
            raise OSError("the disk is full")
        twice.set()

    async with kept(save):
        await twice.wait()
        twice.clear()
    assert twice.is_set()
    assert len(caplog.records) == 2
