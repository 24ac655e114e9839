"""The way to a Redis or Valkey: bounded, timed, and failing in words.

redis-py is an optional extra, and is looked for only when a link is made.
"""

import asyncio
from collections.abc import AsyncIterator, Awaitable
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Any, Protocol
from urllib.parse import parse_qsl, urlencode, urlsplit

from core.errors import SwarmError, UsageError
from core.hub.redis_scripts import Script

CONNECT_S = 2.0
CALL_S = 5.0
"""For a whole call, waiting for a free connection included."""
MOST_CONNECTIONS = 32
"""Of one front-end to one server; more calls than that wait for each other."""

SCHEMES = ("redis", "rediss", "unix", "redis+cluster", "rediss+cluster")
_CLUSTER = "+cluster"


@dataclass(frozen=True, slots=True)
class RedisAddress:
    """The address of a Redis server or Cluster."""

    url: str  # as redis-py reads it; may hold a password
    is_cluster: bool

    @property
    def shown(self) -> str:
        """The place without user, password and options, fit for a message."""
        parts = urlsplit(self.url)
        return parts.path if parts.scheme == "unix" else parts.netloc.rpartition("@")[2]


class RedisClient(Protocol):
    """The methods used of redis-py, for one server and for a Cluster alike."""

    def initialize(self) -> Awaitable[Any]:
        """Find out who is there; does nothing when that is known."""

    def execute_command(self, *args: Any) -> Awaitable[Any]:  # noqa: ANN401 - as redis-py has it
        """Send one command and return its reply."""

    def aclose(self) -> Awaitable[None]:
        """Close all connections."""


class RedisLink:
    """Sends scripts and commands to one server or one Cluster; comes back by itself."""

    def __init__(self, address: RedisAddress) -> None:
        """Open nothing yet.

        Raises:
            UsageError: redis-py is not installed, or cannot read the address.
        """
        self._address = address
        self._client = _client(address)
        self._calls = asyncio.Semaphore(MOST_CONNECTIONS)
        self._warming = asyncio.Lock()
        self._warm = asyncio.Event()  # set while it is known who is there

    async def run(self, script: Script, tag: str, *args: str | bytes | float) -> Any:  # noqa: ANN401 - what Lua returned
        """Run ``script`` on the shard of ``tag``; what it returns.

        Raises:
            SwarmError: Redis cannot be used; whether the script ran is not known.
        """
        from redis.exceptions import NoScriptError

        async with self._call():
            try:
                return await self._client.execute_command("EVALSHA", script.sha, 1, tag, *args)
            except NoScriptError:
                return await self._client.execute_command("EVAL", script.text, 1, tag, *args)

    async def command(self, *args: str | bytes | float) -> Any:  # noqa: ANN401 - what Redis returned
        """One command, whose keys lie in one slot.

        Raises:
            SwarmError: Redis cannot be used.
        """
        async with self._call():
            return await self._client.execute_command(*args)

    async def aclose(self) -> None:
        """Close all connections."""
        await self._client.aclose()

    @asynccontextmanager
    async def _call(self) -> AsyncIterator[None]:
        """Time and number of calls, and errors in words."""
        from redis.exceptions import RedisError

        try:
            async with asyncio.timeout(CALL_S), self._calls:
                await self._warm_up()
                yield
        except (RedisError, OSError, TimeoutError) as error:
            self._warm.clear()
            raise SwarmError(
                f"The hub cannot use its store at {self._address.shown} "
                f"({str(error) or 'no answer in time'}). "
                "See that Redis runs there and lets the hub in."
            ) from error

    async def _warm_up(self) -> None:
        """Let one call alone find out who is there: many at once have confused redis-py."""
        if self._warm.is_set():
            return
        async with self._warming:
            if self._warm.is_set():
                return
            await self._client.initialize()
            if not self._address.is_cluster:
                await self._refuse_member()
            self._warm.set()

    async def _refuse_member(self) -> None:
        """Front-ends that took a Cluster for one server would not see what others see."""
        about = await self._client.execute_command("INFO", "cluster")
        if about.get("cluster_enabled"):
            raise SwarmError(
                f"The Redis at {self._address.shown} belongs to a Cluster. "
                "Write redis+cluster:// in front of its address."
            )


def parse_address(url: str) -> RedisAddress:
    """``redis://``, ``rediss://`` or ``unix://``, with ``+cluster`` or ``?cluster=true`` perhaps.

    Raises:
        UsageError: it is not of that form.
    """
    try:
        parts = urlsplit(url)
        options = dict(parse_qsl(parts.query, keep_blank_values=True))
        has_place = bool(parts.path if parts.scheme == "unix" else parts.hostname)
        _ = parts.port  # raises if it is no number
    except ValueError:
        parts, options, has_place = urlsplit(""), {}, False
    if parts.scheme not in SCHEMES or not has_place:
        raise UsageError(
            "That is no address of a Redis. Write it like redis://localhost:6379/0, "
            "or redis+cluster://host:6379 for a Cluster."
        )
    is_cluster = parts.scheme.endswith(_CLUSTER) or options.pop("cluster", "") == "true"
    place = f"{parts.scheme.removesuffix(_CLUSTER)}://{parts.netloc}{parts.path}"
    return RedisAddress(f"{place}?{urlencode(options)}" if options else place, is_cluster)


def _client(address: RedisAddress) -> RedisClient:
    try:
        from redis.asyncio import Redis, RedisCluster
        from redis.asyncio.retry import Retry
        from redis.backoff import NoBackoff
        from redis.exceptions import RedisError
    except ImportError as error:
        raise UsageError(
            "A store in Redis needs the Python package redis, which is not installed."
        ) from error
    kind: Any = RedisCluster if address.is_cluster else Redis
    try:
        client: RedisClient = kind.from_url(
            address.url,
            max_connections=MOST_CONNECTIONS,
            socket_connect_timeout=CONNECT_S,
            socket_timeout=CALL_S,
            retry=Retry(NoBackoff(), 1),
        )
    except (ValueError, RedisError) as error:
        raise UsageError(
            f"The address of the Redis at {address.shown} cannot be read ({error}). "
            "Write it like redis://localhost:6379/0."
        ) from error
    return client
