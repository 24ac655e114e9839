"""A bandwidth limit is kept, whatever comes in whatever pieces."""

import asyncio

from hypothesis import given
from hypothesis import strategies as st

from core.models.download.bandwidth import BandwidthLimit


class Clock:
    """Goes on while somebody sleeps, or when it is told to."""

    def __init__(self) -> None:
        self.now = 100.0

    def read(self) -> float:
        return self.now

    async def sleep(self, seconds: float) -> None:
        self.now += seconds


def seconds_for(most: int, pieces: list[int], pause: float = 0.0) -> float:
    clock = Clock()
    bandwidth = BandwidthLimit(most, clock.read, clock.sleep)

    async def flow() -> None:
        clock.now += pause
        for piece in pieces:
            await bandwidth.pass_on(piece)

    asyncio.run(flow())
    return clock.now - 100.0 - pause


@given(
    most=st.integers(1, 10**8),
    pieces=st.lists(st.integers(1, 10**6), min_size=1, max_size=20),
    pause=st.floats(0, 3_600),
)
def test_no_more_than_the_limit_passes(most: int, pieces: list[int], pause: float) -> None:
    """However it is cut, and a long silence before earns no burst after it."""
    due = sum(pieces) / most
    assert abs(seconds_for(most, pieces, pause) - due) <= 1e-6 * max(due, 1.0)


def test_without_a_limit_nobody_waits() -> None:
    """Which is how it is from the beginning."""
    assert seconds_for(0, [10**9, 10**9]) == 0.0
    assert BandwidthLimit().at_once(1 << 20) == 1 << 20


@given(most=st.integers(1, 10**9), chunk=st.integers(1, 1 << 20))
def test_what_is_taken_at_once_is_a_part_of_a_second(most: int, chunk: int) -> None:
    """So that progress is told several times a second, without reading byte by byte."""
    taken = BandwidthLimit(most).at_once(chunk)
    assert 0 < taken <= chunk
    assert taken == chunk or taken <= max(most / 4, 4096)
