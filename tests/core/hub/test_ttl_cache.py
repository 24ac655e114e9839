"""Costly answers are found once for all who ask."""

import asyncio

import pytest

from core.errors import SwarmError
from core.hub.ttl_cache import LATELY_S, TtlCache
from tests.envelopes import FakeClock


class Oracle:
    """Counts how often it was asked, and speaks when it may."""

    def __init__(self) -> None:
        self.asked = 0
        self.may_speak = asyncio.Event()
        self.may_speak.set()
        self.trouble: SwarmError | None = None

    async def __call__(self) -> int:
        self.asked += 1
        number = self.asked
        await self.may_speak.wait()
        if self.trouble is not None:
            raise self.trouble
        return number


async def test_a_crowd_is_told_the_same() -> None:
    """However many ask while the answer is looked for, it is looked for once."""
    oracle = Oracle()
    oracle.may_speak.clear()
    lately = TtlCache(oracle, FakeClock())
    async with asyncio.TaskGroup() as group:
        crowd = [group.create_task(lately.get()) for _ in range(50)]
        asyncio.get_running_loop().call_soon(oracle.may_speak.set)
    assert [asker.result() for asker in crowd] == [1] * 50
    assert oracle.asked == 1


async def test_an_answer_grows_old() -> None:
    """It is kept for its time, and then found anew."""
    clock, oracle = FakeClock(0), Oracle()
    lately = TtlCache(oracle, clock)
    heard = [await lately.get()]
    for _ in range(4):
        clock.advance(LATELY_S / 2)
        heard.append(await lately.get())
    assert heard == [1, 1, 2, 2, 3]


async def test_a_failure_is_an_answer_too() -> None:
    """What fails is not tried again by each who asks; later it may do well."""
    clock, oracle = FakeClock(0), Oracle()
    oracle.trouble = SwarmError("The store is away.")
    lately = TtlCache(oracle, clock)
    for _ in range(3):
        with pytest.raises(SwarmError, match="away"):
            await lately.get()
    assert oracle.asked == 1
    oracle.trouble = None
    clock.advance(LATELY_S)
    assert await lately.get() == 2


async def test_who_leaves_before_the_answer_takes_nothing_along() -> None:
    """The next one in the row asks instead."""
    oracle = Oracle()
    oracle.may_speak.clear()
    lately = TtlCache(oracle, FakeClock())
    async with asyncio.TaskGroup() as group:
        first = group.create_task(lately.get())
        second = group.create_task(lately.get())
        asyncio.get_running_loop().call_soon(first.cancel)
        asyncio.get_running_loop().call_soon(oracle.may_speak.set)
    assert first.cancelled()
    assert second.result() == 2
