"""TLS for visitors who have a seat already.

asyncio's own TLS servers tell of a connection after the handshake only: whoever never shakes hands
would cost a third of a megabyte, and no seat. So the seat comes first.
"""

import asyncio
import ssl
from abc import ABC, abstractmethod


class Guest(asyncio.Protocol, ABC):
    """A connection that has a seat, and is told when it may speak."""

    @abstractmethod
    def come_in(self, transport: asyncio.Transport) -> None:
        """Speak over ``transport`` from here on."""


class Handshakes:
    """Those under way on one listener."""

    def __init__(self, tls: ssl.SSLContext | None, patience_s: float) -> None:
        """Without ``tls``, visitors come in at once."""
        self._tls = tls
        self._patience_s = patience_s
        self._under_way: set[asyncio.Task[None]] = set()

    async def aclose(self) -> None:
        """Let go of all whose handshake is not done."""
        for task in self._under_way:
            task.cancel()
        await asyncio.gather(*self._under_way, return_exceptions=True)

    def greet(self, transport: asyncio.Transport, guest: Guest) -> None:
        """Let ``guest`` come in, after the handshake where there is one."""
        if self._tls is None:
            guest.come_in(transport)
            return
        transport.pause_reading()  # what comes in before the handshake begins would be lost
        # No TaskGroup: it would wrap whatever goes wrong within the server's block.
        task = asyncio.get_running_loop().create_task(self._shake(transport, guest, self._tls))
        self._under_way.add(task)
        task.add_done_callback(self._under_way.discard)

    async def _shake(self, transport: asyncio.Transport, guest: Guest, tls: ssl.SSLContext) -> None:
        secured: asyncio.Transport | None = None
        try:
            secured = await asyncio.get_running_loop().start_tls(
                transport, guest, tls, server_side=True, ssl_handshake_timeout=self._patience_s
            )
        except OSError:
            pass  # includes timeouts and whatever TLS complains of
        finally:
            if secured is None:
                transport.abort()
                guest.connection_lost(None)
        if secured is not None:
            guest.come_in(secured)
