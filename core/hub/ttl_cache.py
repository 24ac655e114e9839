"""Answers that cost something: found once, and told to everybody who asks soon after."""

import asyncio
from collections.abc import Awaitable, Callable
from math import inf
from typing import Final, Generic, TypeVar

from core.errors import SwarmError

LATELY_S: Final = 2.0

T = TypeVar("T")


class TtlCache(Generic[T]):
    """What ``find`` brought at most ``LATELY_S`` seconds ago, be it a failure.

    However many ask at once, it is called once.
    """

    def __init__(self, find: Callable[[], Awaitable[T]], clock: Callable[[], float]) -> None:
        """``clock`` is in seconds and never goes back."""
        self._find = find
        self._clock = clock
        self._finding = asyncio.Lock()  # whoever asks meanwhile waits for the same answer
        self._found: T
        self._trouble: SwarmError | None = None
        self._until = -inf

    async def get(self) -> T:
        """The answer.

        Raises:
            SwarmError: there was none.
        """
        async with self._finding:
            if self._clock() >= self._until:
                try:
                    self._found, self._trouble = await self._find(), None
                except SwarmError as error:
                    self._trouble = error
                self._until = self._clock() + LATELY_S
            if self._trouble is not None:
                raise self._trouble.with_traceback(None)  # or it would grow with every asker
            return self._found
