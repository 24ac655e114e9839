"""TLS handshakes of connections that are not accepted yet.

asyncio's own TLS servers tell of a connection after the handshake only, and a handshake has a
buffer of a quarter of a megabyte from its first moment. So the first byte comes first, and only
then TLS begins: whoever connects and says nothing costs little more than a socket. So many are
silent at a time, and so many shake hands, in all and of one site; a crowd of one kind takes no room
of the other, nor of those that are accepted.
"""

import asyncio
import ssl
import traceback
from abc import ABC, abstractmethod
from contextlib import AbstractContextManager

from core.net.connection_limit import ConnectionLimit, ConnectionSlot
from core.net.serving import ServerLimits


class PendingConnection(asyncio.Protocol, ABC):
    """A protocol that is told when its connection is ready, after TLS where there is any."""

    @abstractmethod
    def connection_ready(self, transport: asyncio.Transport) -> None:
        """Use ``transport`` from here on."""


class Handshakes:
    """The handshakes under way on one listener."""

    def __init__(self, tls: ssl.SSLContext | None, limits: ServerLimits) -> None:
        """Without ``tls``, connections are ready at once."""
        self._tls = tls
        self.timeout_s = limits.read_s  # that the first byte may take, and the handshake after it
        self._silent_limit = ConnectionLimit(limits.silent, limits.connections_per_site)
        self._limit = ConnectionLimit(limits.handshakes, limits.handshakes_per_site)
        self._under_way: set[asyncio.Task[None]] = set()
        self._silent: set[_FirstByte] = set()

    async def aclose(self) -> None:
        """Abort all connections whose handshake is not done."""
        for silent in [*self._silent]:
            silent.transport.abort()
        for task in self._under_way:
            task.cancel()
        await asyncio.gather(*self._under_way, return_exceptions=True)

    def accept(
        self, transport: asyncio.Transport, connection: PendingConnection, site: str
    ) -> None:
        """Make ``connection``, from ``site``, ready, after the handshake if there is one."""
        if self._tls is None:
            connection.connection_ready(transport)
            return
        slot = self._silent_limit.take(site, evict=transport.abort)
        if slot.__enter__() is None:
            transport.abort()
            return
        silent = _FirstByte(self, transport, connection, site, slot)
        self._silent.add(silent)
        transport.set_protocol(silent)

    def begin(self, silent: "_FirstByte", first: bytes) -> None:
        """Start TLS on a connection whose first bytes are ``first``."""
        # No TaskGroup: it would wrap whatever goes wrong within the server's block.
        task = asyncio.get_running_loop().create_task(self._shake(silent, first))
        self._under_way.add(task)
        task.add_done_callback(self._under_way.discard)

    def forget(self, silent: "_FirstByte") -> None:
        """Drop a connection that has spoken, or was closed."""
        self._silent.discard(silent)

    async def _shake(self, silent: "_FirstByte", first: bytes) -> None:
        transport, connection = silent.transport, silent.connection
        secured: asyncio.Transport | None = None
        try:
            with self._limit.take(silent.site, evict=transport.abort) as slot:
                if slot is not None:
                    secured = await self._secured(transport, connection, first)
        except OSError as error:  # includes timeouts and whatever TLS complains of
            # Its frames hold the buffers, and it holds them: a cycle that would wait for the
            # collector, which a process with torch in it calls rarely.
            traceback.clear_frames(error.__traceback__)
        finally:
            if secured is None:
                transport.abort()
                connection.connection_lost(None)
        if secured is not None:
            connection.connection_ready(secured)

    async def _secured(
        self, transport: asyncio.Transport, connection: PendingConnection, first: bytes
    ) -> asyncio.Transport | None:
        """TLS over ``transport``, from which ``first`` was read already.

        Raises:
            OSError: the handshake failed, or took too long.
        """
        if self._tls is None:
            raise RuntimeError("there is no TLS to begin")
        loop = asyncio.get_running_loop()
        starting = asyncio.ensure_future(
            loop.start_tls(
                transport,
                connection,
                self._tls,
                server_side=True,
                ssl_handshake_timeout=self.timeout_s,
            )
        )
        await asyncio.sleep(0)  # it has put TLS into the transport, and its beginning into the loop
        loop.call_soon(_feed, transport, first)
        return await starting


class _FirstByte(asyncio.Protocol):
    """A connection from which nothing was read yet."""

    def __init__(
        self,
        handshakes: Handshakes,
        transport: asyncio.Transport,
        connection: PendingConnection,
        site: str,
        slot: AbstractContextManager[ConnectionSlot | None],
    ) -> None:
        self.transport = transport
        self.connection = connection
        self.site = site
        self._handshakes = handshakes
        self._slot = slot
        loop = asyncio.get_running_loop()
        self._deadline = loop.call_later(handshakes.timeout_s, transport.abort)

    def data_received(self, data: bytes) -> None:
        self._end()
        self.transport.pause_reading()  # what comes in before TLS is there would be lost
        self._handshakes.begin(self, data)

    def connection_lost(self, exc: Exception | None) -> None:
        self._end()
        self.connection.connection_lost(exc)

    def _end(self) -> None:
        self._deadline.cancel()
        self._slot.__exit__(None, None, None)
        self._handshakes.forget(self)


def _feed(transport: asyncio.Transport, data: bytes) -> None:
    """Give ``data``, read before TLS was there, to the protocol that ``transport`` has now."""
    protocol, left = transport.get_protocol(), memoryview(data)
    while left and isinstance(protocol, asyncio.BufferedProtocol) and not transport.is_closing():
        room = memoryview(protocol.get_buffer(len(left)))
        taken = min(len(room), len(left))
        room[:taken] = left[:taken]
        protocol.buffer_updated(taken)
        left = left[taken:]
