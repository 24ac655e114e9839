"""Bad weather between two nodes: a TCP proxy that delays, stalls, resets and drops connections."""

import asyncio
import os
import socket
import struct
from collections import Counter
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field
from random import Random
from typing import Literal

CHUNK = 1 << 16
QUEUED = 64  # chunks on their way, in each direction; beyond it the sender waits
LAST_CHUNK = 4  # a connection's fate strikes before one of its first few chunks

Fate = Literal["fair", "reset", "stall", "drop"]
Side = tuple[asyncio.StreamReader, asyncio.StreamWriter]


@dataclass(slots=True)
class Weather:
    """What happens to connections; may be changed at any time, for those that come after.

    The delay is looked at for every chunk. The three rates are shares of all connections.
    """

    delay_s: float = 0.0  # each way
    reset: float = 0.0  # cut with an RST
    stall: float = 0.0  # open for ever, but nothing comes through any more
    drop: float = 0.0  # closed in mid-sentence
    cut: bool = False  # True: every new connection is reset, as in a partition
    seen: Counter[Fate] = field(default_factory=Counter)  # connections, by their fate

    @property
    def broken(self) -> int:
        """Connections that had another fate than a fair one."""
        return self.seen.total() - self.seen["fair"]

    def fate(self, rng: Random) -> Fate:
        """The fate of the next connection."""
        if self.cut:
            return "reset"
        rates = (self.reset, self.stall, self.drop)
        weights = (*rates, 1 - sum(rates))
        return rng.choices(("reset", "stall", "drop", "fair"), weights)[0]


class _Line:
    """One connection between a visitor and the target, and its fate."""

    def __init__(self, weather: Weather, fate: Fate, strikes_at: int) -> None:
        self._weather = weather
        self._fate = fate
        self._left = strikes_at  # chunks of either direction until the fate strikes
        self._ways = 2  # directions that are still open
        self._over = asyncio.Event()

    async def carry(self, visitor: Side, target: Side) -> None:
        """Both ways, until both sides are done or the fate has struck."""
        try:
            async with asyncio.TaskGroup() as tasks:
                there = tasks.create_task(self._one_way(visitor[0], target[1]))
                back = tasks.create_task(self._one_way(target[0], visitor[1]))
                await self._over.wait()
                there.cancel()
                back.cancel()
        finally:
            for _, writer in (visitor, target):
                if self._fate == "reset" and self._left <= 0:
                    _reset(writer)
                writer.close()

    def end(self) -> None:
        """Hang up on both sides."""
        self._over.set()

    async def _one_way(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        loop = asyncio.get_running_loop()
        under_way: asyncio.Queue[tuple[float, bytes]] = asyncio.Queue(QUEUED)
        async with asyncio.TaskGroup() as tasks:
            tasks.create_task(self._take_in(reader, under_way))
            data = b"..."
            while data:
                due, data = await under_way.get()
                await asyncio.sleep(due - loop.time())
                if not self._is_struck():
                    await _hand_on(data, writer)
                elif self._fate != "stall" or not data:
                    self._over.set()
        self._ways -= 1
        if not self._ways:
            self._over.set()

    async def _take_in(
        self, reader: asyncio.StreamReader, under_way: asyncio.Queue[tuple[float, bytes]]
    ) -> None:
        data = b"..."
        while data:
            try:
                data = await reader.read(CHUNK)
            except OSError:
                data = b""
            due = asyncio.get_running_loop().time() + self._weather.delay_s
            await under_way.put((due, data))

    def _is_struck(self) -> bool:
        self._left -= 1
        return self._fate != "fair" and self._left <= 0


async def _hand_on(data: bytes, writer: asyncio.StreamWriter) -> None:
    with suppress(OSError):
        if data:
            writer.write(data)
            await writer.drain()
        elif writer.can_write_eof():
            writer.write_eof()


def _reset(writer: asyncio.StreamWriter) -> None:
    """Close with an RST instead of a FIN."""
    linger = struct.pack("hh" if os.name == "nt" else "ii", 1, 0)
    with suppress(OSError):
        writer.get_extra_info("socket").setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, linger)
    writer.transport.abort()


@asynccontextmanager
async def unruly_proxy(
    target_host: str, target_port: int, weather: Weather, rng: Random
) -> AsyncIterator[int]:
    """Stand between visitors and the target within the block; the port to visit on 127.0.0.1."""
    lines: set[_Line] = set()
    served: set[asyncio.Task[object]] = set()

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        own = asyncio.current_task()
        if own is not None:
            served.add(own)
            own.add_done_callback(served.discard)
        fate = weather.fate(rng)
        weather.seen[fate] += 1
        line = _Line(weather, fate, 1 if weather.cut else rng.randint(1, LAST_CHUNK))
        lines.add(line)
        try:
            target = await asyncio.open_connection(target_host, target_port)
        except OSError:
            _reset(writer)
        else:
            await line.carry((reader, writer), target)
        finally:
            lines.discard(line)

    server = await asyncio.start_server(serve, "127.0.0.1", 0)
    try:
        yield server.sockets[0].getsockname()[1]
    finally:
        server.close()
        for line in lines:
            line.end()
        await asyncio.gather(*served)
