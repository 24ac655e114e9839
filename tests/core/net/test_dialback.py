"""Ringing a node back."""

import asyncio

import pytest

from core.net.dialback import ring
from core.net.listening import ListenAddress, listening
from core.net.serving import ServerLimits
from core.net.tls import server_context
from core.wire.dialback import DialbackReply, decode_dialback_reply, encode_dialback
from tests.envelopes import ANNE, public_key

HOST = "127.0.0.1"


async def test_a_node_that_can_be_reached_is_met() -> None:
    """It learns that it was, under which address, and that it was really itself."""
    from aiohttp import web

    place = ListenAddress(HOST, 0, server_context(ANNE))
    async with listening(web.Application(), place, ServerLimits()) as port:
        assert await ring(HOST, port) == DialbackReply(HOST, public_key(ANNE))


async def test_nobody_there_is_no_error() -> None:
    """The reply then names nobody."""
    assert await ring(HOST, 1) == DialbackReply(HOST, b"")


async def test_a_service_that_is_no_node_gets_a_handshake_and_no_more() -> None:
    """A hub cannot be used to say anything to another program on that machine."""
    heard = bytearray()
    gone = asyncio.Event()

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        heard.extend(await reader.read(1 << 16))
        writer.write(b"HTTP/1.1 400 Bad\r\n\r\n")
        writer.close()
        gone.set()

    async with await asyncio.start_server(serve, HOST, 0) as server:
        port = server.sockets[0].getsockname()[1]
        assert await ring(HOST, port) == DialbackReply(HOST, b"")
        async with asyncio.timeout(10):
            await gone.wait()
    assert heard[0] == 0x16, "a TLS hello, and nothing else"


@pytest.mark.parametrize(
    "visitor", ["", "localhost", "example.org", "127.0.0.1:80", "1.2.3", "::g"]
)
async def test_only_numeric_addresses_are_dialled(visitor: str) -> None:
    """What a proxy or a forged header names is looked up nowhere."""
    assert await ring(visitor, 1) == DialbackReply("", b"")


async def test_a_zone_is_left_out() -> None:
    """The name of an interface is nobody's business, and the reply fits into its message."""
    reply = await ring("::1%a-very-long-name-of-an-interface-that-goes-on-and-on-and-on-and-on", 1)
    assert reply == DialbackReply("::1", b"")
    assert decode_dialback_reply(encode_dialback(reply)) == reply
