"""TLS among nodes: whoever completes a handshake has shown whose key it holds."""

import asyncio
import ssl
import tempfile
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from datetime import UTC, datetime
from pathlib import Path

import aiohttp
import pytest
from aiohttp import web
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.asymmetric.ed448 import Ed448PrivateKey
from cryptography.x509.oid import NameOID
from hypothesis import given
from hypothesis import strategies as st

from core.errors import SwarmError
from core.net import tls
from core.net.listening import ListenAddress, listening
from core.net.serving import ServerLimits
from core.net.tls import Pin, meet, pin_of, ring, server_context, stranger_context
from core.wire.codec import encode
from core.wire.dialback import DialbackReply, decode_dialback_reply
from tests.envelopes import ANNE, BOB, cut, flipped, public_key

Talk = Callable[[asyncio.StreamReader, asyncio.StreamWriter], Awaitable[None]]


@asynccontextmanager
async def listener(talk: Talk, context: ssl.SSLContext | None = None) -> AsyncIterator[int]:
    """Somebody on loopback, who has finished with everybody when the block ends; the port."""
    finished: list[asyncio.Event] = []

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        finished.append(asyncio.Event())
        done = finished[-1]
        try:
            await talk(reader, writer)
        except ConnectionError:
            pass  # the visitor hung up
        finally:
            writer.transport.abort()
            done.set()

    server = await asyncio.start_server(serve, "127.0.0.1", 0, ssl=context)
    async with server:
        yield server.sockets[0].getsockname()[1]
        async with asyncio.timeout(5):
            for done in finished:
                await done.wait()


async def listen_only(reader: asyncio.StreamReader, _: asyncio.StreamWriter) -> None:
    await reader.read()


def foreign_certificate(key: ec.EllipticCurvePrivateKey | Ed448PrivateKey) -> x509.Certificate:
    """A good certificate under a key of another kind."""
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "elsewhere")])
    builder = (
        x509.CertificateBuilder()
        .subject_name(name)
        .issuer_name(name)
        .public_key(key.public_key())
        .serial_number(7)
        .not_valid_before(datetime(2020, 1, 1, tzinfo=UTC))
        .not_valid_after(datetime(2040, 1, 1, tzinfo=UTC))
    )
    return builder.sign(
        key, hashes.SHA256() if isinstance(key, ec.EllipticCurvePrivateKey) else None
    )


async def certificate_of(context: ssl.SSLContext) -> bytes:
    """What a server with ``context`` shows."""
    async with listener(listen_only, context) as port:
        _, writer = await asyncio.open_connection("127.0.0.1", port, ssl=stranger_context())
        shown: bytes = writer.get_extra_info("ssl_object").getpeercert(binary_form=True)
        writer.transport.abort()
        return shown


async def test_a_handshake_shows_who_is_there() -> None:
    """A pin is the identity that the server runs under, and its certificate's digest."""
    import hashlib

    context = server_context(ANNE)
    async with listener(listen_only, context) as port:
        pin = await meet("127.0.0.1", port)
    certificate = await certificate_of(context)
    assert pin == Pin(ANNE.peer_id, hashlib.sha256(certificate).digest()) == pin_of(certificate)


async def test_nobody_else_has_the_same_pin() -> None:
    """Bob is not Anne; Anne started anew is Anne, under another certificate."""
    anne, again, bob = [pin_of(await certificate_of(server_context(i))) for i in (ANNE, ANNE, BOB)]
    assert anne.peer == again.peer == ANNE.peer_id
    assert bob.peer == BOB.peer_id
    assert len({anne.fingerprint, again.fingerprint, bob.fingerprint}) == 3


async def test_a_pinned_request_reaches_the_one_who_was_met() -> None:
    """HTTP goes through to whoever has the certificate of the pin, and to nobody else."""

    async def hello(_: web.Request) -> web.Response:
        return web.Response(text="hello")

    app = web.Application()
    app.router.add_get("/", hello)
    place = ListenAddress(tls=server_context(ANNE))
    async with listening(app, place, ServerLimits()) as port, aiohttp.ClientSession() as session:
        url = f"https://127.0.0.1:{port}/"
        pin = aiohttp.Fingerprint((await meet("127.0.0.1", port)).fingerprint)
        async with session.get(url, ssl=pin) as response:
            assert await response.text() == "hello"
        with pytest.raises(aiohttp.ServerFingerprintMismatch):
            await session.get(url, ssl=aiohttp.Fingerprint(bytes(32)))


async def test_old_tls_is_refused() -> None:
    """Below 1.3 nobody gets in, and nobody is met."""
    old = stranger_context()
    old.minimum_version = ssl.TLSVersion.TLSv1_2
    old.maximum_version = ssl.TLSVersion.TLSv1_2
    async with listener(listen_only, server_context(ANNE)) as port:
        with pytest.raises((ssl.SSLError, ConnectionError)):
            await asyncio.open_connection("127.0.0.1", port, ssl=old)
    aged = server_context(ANNE)
    aged.minimum_version = ssl.TLSVersion.TLSv1_2
    aged.maximum_version = ssl.TLSVersion.TLSv1_2
    async with listener(listen_only, aged) as port:
        with pytest.raises(SwarmError):
            await meet("127.0.0.1", port)


def test_no_key_stays_on_the_disk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The file that OpenSSL needs is gone when the server is ready, or was refused."""
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    server_context(ANNE)
    assert list(tmp_path.rglob("*")) == []

    def refuse(*_: object, **__: object) -> None:
        assert [file.name for file in tmp_path.rglob("*.pem")] == ["identity.pem"]
        raise ssl.SSLError("no")

    monkeypatch.setattr(ssl.SSLContext, "load_cert_chain", refuse)
    with pytest.raises(SwarmError, match="No certificate"):
        server_context(ANNE)
    assert list(tmp_path.rglob("*")) == []


@pytest.mark.parametrize(
    "key", [ec.generate_private_key(ec.SECP256R1()), Ed448PrivateKey.generate()]
)
async def test_a_certificate_of_another_kind_is_no_node_s(
    key: ec.EllipticCurvePrivateKey | Ed448PrivateKey, tmp_path: Path
) -> None:
    """Whoever serves ordinary HTTPS is not taken for a node."""
    certificate = foreign_certificate(key)
    with pytest.raises(SwarmError, match="no node"):
        pin_of(certificate.public_bytes(serialization.Encoding.DER))
    pem = key.private_bytes(
        serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
    )
    file = tmp_path / "server.pem"
    file.write_bytes(pem + certificate.public_bytes(serialization.Encoding.PEM))
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(file)
    async with listener(listen_only, context) as port:
        with pytest.raises(SwarmError):
            await meet("127.0.0.1", port)


@given(st.binary(max_size=600))
def test_random_bytes_are_no_certificate(data: bytes) -> None:
    """Nothing but ``SwarmError`` comes out of reading what a stranger shows."""
    with pytest.raises(SwarmError):
        pin_of(data)


async def test_an_altered_certificate_never_passes_for_the_right_one() -> None:
    """Each flipped bit and each cut is refused or gives another pin; nothing else happens."""
    certificate = await certificate_of(server_context(ANNE))
    right = pin_of(certificate)
    for altered in (*flipped(certificate), *cut(certificate)):
        try:
            pin = pin_of(altered)
        except SwarmError:
            continue
        assert pin.fingerprint != right.fingerprint


@pytest.mark.parametrize("said", [b"", b"SSH-2.0-OpenSSH\r\n", b"HTTP/1.1 400 no\r\n\r\n"])
async def test_whoever_speaks_no_tls_is_nobody(said: bytes) -> None:
    """One who hangs up or says something else is told from a node by one sentence."""

    async def talk(_: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        writer.write(said)
        await writer.drain()

    async with listener(talk) as port:
        with pytest.raises(SwarmError, match="Nobody answers"):
            await meet("127.0.0.1", port)
    with pytest.raises(SwarmError, match="Nobody answers"):  # and now nobody listens there
        await meet("127.0.0.1", port)


async def test_whoever_says_nothing_is_not_waited_for(monkeypatch: pytest.MonkeyPatch) -> None:
    """A connection that is taken and never answered ends in time."""
    monkeypatch.setattr(tls, "CONNECT_S", 0.1)
    async with listener(listen_only) as port, asyncio.timeout(5):
        with pytest.raises(SwarmError, match="Nobody answers"):
            await meet("127.0.0.1", port)


@pytest.mark.parametrize(
    ("host", "port"),
    [("127.0.0.1", 0), ("127.0.0.1", 70_000), ("127.0.0.1", -1), ("a" * 70, 1), ("\x00", 1)],
)
async def test_what_is_no_address_is_nobody(host: str, port: int) -> None:
    """Addresses come from strangers, and may be none."""
    with pytest.raises(SwarmError, match="Nobody answers"):
        await meet(host, port)


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
    assert decode_dialback_reply(encode(reply)) == reply
