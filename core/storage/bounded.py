"""A dict that cannot grow without end: what strangers can fill has a most."""

from collections import OrderedDict
from collections.abc import Callable
from typing import TypeVar

K = TypeVar("K")
V = TypeVar("V")


class BoundedDict(OrderedDict[K, V]):
    """The ``most`` entries set last, those set longest ago first; reading moves nothing."""

    def __init__(self, most: int) -> None:
        super().__init__()
        self._most = most

    def __setitem__(self, key: K, value: V) -> None:
        """Set ``key``, also anew, as the latest; the oldest makes room."""
        super().__setitem__(key, value)
        self.move_to_end(key)
        if len(self) > self._most:
            self.popitem(last=False)

    def drop_while(self, is_old: Callable[[V], bool]) -> None:
        """Drop the values that were set first, up to the first that is not old."""
        while self and is_old(next(iter(self.values()))):
            self.popitem(last=False)
