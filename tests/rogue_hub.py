"""A hub that answers whatever a test tells it to, byte for byte."""

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field

from core.wire.codec import PROTOCOL, encode
from core.wire.exchange import MEDIA_TYPE, ExchangeReply, ExchangeRequest, decode_request
from core.wire.hello import MEDIA_TYPE as HELLO
from core.wire.hello import Hello, Kind, seal_hello
from core.wire.identity import Identity
from tests.envelopes import NOW

Answer = Callable[[ExchangeRequest], bytes]


def ok(body: bytes, *, media: str = MEDIA_TYPE, extra: str = "") -> bytes:
    """A whole HTTP response."""
    head = f"HTTP/1.1 200 OK\r\nContent-Type: {media}\r\nContent-Length: {len(body)}\r\n{extra}\r\n"
    return head.encode() + body


def handing_out(
    *envelopes: bytes, peers: int = 1, verdict: str = "ok", places: tuple[bytes, ...] = ()
) -> Answer:
    """The answer of a hub that follows the protocol, with these envelopes."""
    return lambda request: ok(
        encode(ExchangeReply(peers, (verdict,) * len(request.envelopes), envelopes, places=places))
    )


@dataclass
class RogueHub:
    """Where it is, what it answers, and what it was asked."""

    answer: Answer
    url: str = ""
    asked: list[ExchangeRequest] = field(default_factory=list)
    answering: bool = True  # False: never says a word
    identity: Identity = field(default_factory=Identity.generate)
    now: float = NOW  # what its clock says
    kind: Kind = "hub"  # what it says to be
    version: int = PROTOCOL  # that it speaks
    greets: bool = True  # False: shows no hello
    greeted: int = 0
    stalls: asyncio.Event | None = None  # set once it was greeted, to which it says nothing then
    stays: bool = False  # True: after its answer it does not hang up

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            head = await reader.readuntil(b"\r\n\r\n")
            if head.startswith(b"GET /v1/hello/"):
                self.greeted += 1
                if self.stalls is not None:
                    self.stalls.set()
                    await reader.read()
                    return
                if not self.greets:
                    writer.write(b"HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\n\r\n")
                    return
                writer.write(self._hello(bytes.fromhex(head.split()[1].decode()[-32:])))
                await writer.drain()
                return
            (length,) = (
                int(line.split(b":")[1])
                for line in head.splitlines()
                if line.lower().startswith(b"content-length:")
            )
            self.asked.append(decode_request(await reader.readexactly(length)))
            if self.answering:
                writer.write(self.answer(self.asked[-1]))
                await writer.drain()
            if self.stays or not self.answering:
                await reader.read()
        except (ConnectionError, asyncio.IncompleteReadError):
            pass  # the visitor had enough
        finally:
            writer.close()

    def _hello(self, nonce: bytes) -> bytes:
        key = bytes.fromhex(self.identity.peer_id)
        hello = Hello(self.version, self.kind, key, nonce, int(self.now), (), "")
        return ok(seal_hello(self.identity, hello), media=HELLO)


@asynccontextmanager
async def rogue_hub(answer: Answer) -> AsyncIterator[RogueHub]:
    """Run it on loopback within the block."""
    hub = RogueHub(answer)
    server = await asyncio.start_server(hub.serve, "127.0.0.1", 0)
    hub.url = f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}"
    async with server:
        yield hub
