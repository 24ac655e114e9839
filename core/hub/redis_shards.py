"""One Redis as shards: who lies where, and calls to several of them side by side."""

import asyncio
from collections import defaultdict
from collections.abc import Callable, Coroutine, Iterable, Mapping, Sequence
from typing import Any, TypeVar

from core.errors import SwarmError
from core.hub.redis_link import RedisLink, parse_address
from core.hub.redis_scripts import Script
from core.wire.codec import ITEM_LIFE_S, PROTOCOL

K = TypeVar("K")
T = TypeVar("T")

CLUSTER_SHARDS = 16
"""Of a Cluster; all front-ends must agree on it."""


class Shards:
    """The shards of one server, which are one, or of a Cluster."""

    def __init__(self, url: str, clock: Callable[[], float]) -> None:
        """Connect at the first call to the Redis at ``url``; see ``RedisStore``."""
        address = parse_address(url)
        self.count = CLUSTER_SHARDS if address.is_cluster else 1
        self.clock = clock
        self.link = RedisLink(address)

    def of(self, name: str) -> int:
        """The shard of an author or a place, named in hex."""
        return int(name[:2], 16) % self.count

    def group(self, keys: Iterable[K], name: Callable[[K], str]) -> dict[int, list[K]]:
        """The keys of each shard, in order."""
        grouped = defaultdict[int, list[K]](list)
        for key in keys:
            grouped[self.of(name(key))].append(key)
        return grouped

    async def run(self, script: Script, shard: int, *args: str | bytes | float) -> Any:  # noqa: ANN401 - what Lua returned
        """Run ``script`` on a shard, told what time it is; what it returns.

        Raises:
            SwarmError: Redis cannot be used; whether the script ran is not known.
        """
        now = self.clock()
        return await self.link.run(script, tag(shard), now, now - ITEM_LIFE_S, *args)


def tag(shard: int) -> str:
    """The hash tag with which all keys of a shard begin; a Cluster puts them into one slot.

    Releases that speak another protocol may use the same Redis: nobody could read the other's.
    """
    return f"{{waggle{PROTOCOL}:{shard}}}"


async def side_by_side(calls: Iterable[Coroutine[Any, Any, T]]) -> list[T]:
    """Run ``calls`` at the same time; their results, in order.

    Raises:
        SwarmError: one of them failed, and the others were given up.
    """
    waiting = list(calls)
    if len(waiting) == 1:  # the usual case, and a task costs time
        return [await waiting[0]]
    try:
        async with asyncio.TaskGroup() as group:
            tasks = [group.create_task(call) for call in waiting]
    except* SwarmError as several:
        failed = several.exceptions[0]
    else:
        return [task.result() for task in tasks]
    raise SwarmError(str(failed)) from failed


def by_key(grouped: Mapping[int, Sequence[K]], replies: Iterable[Sequence[T]]) -> dict[K, T]:
    """The reply to each key, where each shard answered for its keys in order."""
    return {
        key: reply
        for keys, answers in zip(grouped.values(), replies, strict=True)
        for key, reply in zip(keys, answers, strict=True)
    }
