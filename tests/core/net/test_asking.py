"""Asking over HTTP, and what may come back."""

import asyncio
import errno
import re
import ssl
import zlib
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from ipaddress import ip_address
from pathlib import Path

import aiohttp
import pytest
from cryptography import x509
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat
from cryptography.x509.oid import NameOID

from core.errors import WireError
from core.net.asking import (
    REFUSED,
    TIMEOUT,
    BoundedQuery,
    RefusalError,
    ask,
    fetch,
    is_there,
    open_session,
    retry_once,
    told_of,
    why_not,
)
from core.net.tls import meet, server_context
from core.wire.codec import Reason
from tests.envelopes import ANNE

MEDIA = "application/vnd.waggle.test"
MOST = 100_000
SAID = b"What have you tried?"


def reply(body: bytes = b"This.", *, media: str = MEDIA, more: str = "") -> bytes:
    head = f"HTTP/1.1 200 OK\r\nContent-Type: {media}\r\nContent-Length: {len(body)}\r\n{more}\r\n"
    return head.encode() + body


@dataclass
class Answerer:
    """Says ``answer`` to whatever it is asked, and keeps the questions."""

    answer: bytes
    url: str = ""
    asked: list[bytes] = field(default_factory=list)

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            head = await reader.readuntil(b"\r\n\r\n")
            body = (
                await reader.readexactly(len(SAID)) if head.startswith((b"POST", b"PUT")) else b""
            )
            self.asked.append(head + body)
            writer.write(self.answer)
            await writer.drain()
        except (OSError, asyncio.IncompleteReadError):
            pass  # the visitor had enough
        finally:
            writer.close()


@asynccontextmanager
async def answering(answer: bytes) -> AsyncIterator[Answerer]:
    it = Answerer(answer)
    server = await asyncio.start_server(it.serve, "127.0.0.1", 0)
    it.url = f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}/there"
    async with server:
        yield it


Ask = Callable[[aiohttp.ClientSession, str], Awaitable[bytes]]


async def by_post(session: aiohttp.ClientSession, url: str) -> bytes:
    return await ask(session, url, BoundedQuery(SAID, MEDIA, MOST))


async def by_get(session: aiohttp.ClientSession, url: str) -> bytes:
    return await fetch(session, url, MEDIA, MOST)


async def by_put(session: aiohttp.ClientSession, url: str) -> bytes:
    return await ask(session, url, BoundedQuery(SAID, MEDIA, MOST), method="PUT")


both = pytest.mark.parametrize("way", [by_post, by_get, by_put])


async def test_a_question_is_answered() -> None:
    """It goes out as it is; nothing about this computer goes along, and no line stays open."""
    async with answering(reply()) as it, open_session() as session:
        assert await by_post(session, it.url) == b"This."
        assert await by_get(session, it.url) == b"This."
    posted, got = it.asked
    head, _, body = posted.partition(b"\r\n\r\n")
    assert body == SAID
    names = {line.split(b":")[0] for line in head.split(b"\r\n")[1:]}
    assert names == {
        b"Host", b"User-Agent", b"Accept-Encoding", b"Accept", b"Content-Type", b"Content-Length",
        b"Connection",
    }  # fmt: skip
    for line in (b"User-Agent: waggle", b"Accept-Encoding: identity", b"Connection: close"):
        assert line in posted
        assert line in got


async def test_cookies_are_not_kept() -> None:
    """Nobody recognises a node by them."""
    async with answering(reply(more="Set-Cookie: who=anne\r\n")) as it, open_session() as session:
        for _ in range(2):  # by a name, since no jar takes cookies from a number
            await by_post(session, it.url.replace("127.0.0.1", "localhost"))
    assert len(it.asked) == 2
    assert all(b"Cookie" not in asked for asked in it.asked)


ENDLESS = f"HTTP/1.1 200 OK\r\nContent-Type: {MEDIA}\r\nTransfer-Encoding: chunked\r\n\r\n".encode()
BOMB = zlib.compress(bytes(1 << 20))

WRONG = {
    "an error": (b"HTTP/1.1 500 Oops\r\nContent-Length: 0\r\n\r\n", REFUSED),
    "nothing to see": (b"HTTP/1.1 204 Empty\r\n\r\n", REFUSED),
    "a redirect": (
        b"HTTP/1.1 302 There\r\nLocation: http://127.0.0.1:1/\r\nContent-Length: 0\r\n\r\n",
        REFUSED,
    ),
    "another type": (reply(media="text/html"), Reason.SCHEMA),
    "a zip bomb": (reply(BOMB, more="Content-Encoding: deflate\r\n"), Reason.SCHEMA),
    "a giant announced": (reply(b"").replace(b"Length: 0", b"Length: 99999999999"), Reason.SIZE),
    "a byte too many": (reply(bytes(MOST + 1)), Reason.SIZE),
    "an endless body": (ENDLESS + (b"10000\r\n" + bytes(1 << 16) + b"\r\n") * 80, Reason.SIZE),
}


@both
@pytest.mark.parametrize("name", WRONG)
async def test_other_answers_are_refused(way: Ask, name: str) -> None:
    """With a reason, and after one question."""
    answer, reason = WRONG[name]
    async with answering(answer) as it, open_session() as session:
        with pytest.raises(WireError) as error:
            await way(session, it.url)
    assert error.value.reason == reason
    assert len(it.asked) == 1


@pytest.mark.parametrize(
    ("answer", "status", "said"),
    [
        (b"HTTP/1.1 507 Full\r\nContent-Length: 6\r\n\r\nquota\n", 507, "quota"),
        (b"HTTP/1.1 404 No\r\nContent-Length: 2\r\n\r\n\xff\xfe", 404, ""),
        (b"HTTP/1.1 503 No\r\nContent-Length: 7\r\n\r\n\x1b[2Jbus", 503, ""),
        (b"HTTP/1.1 400 No\r\nContent-Length: 200\r\n\r\n" + b"x" * 200, 400, ""),
    ],
)
async def test_why_one_is_refused_can_be_asked(answer: bytes, status: int, said: str) -> None:
    """The status, and the reason where it is a short one."""
    async with answering(answer) as it, open_session() as session:
        with pytest.raises(RefusalError) as error:
            await by_get(session, it.url)
    assert (error.value.reason, error.value.status, error.value.said) == (REFUSED, status, said)


@pytest.mark.parametrize("status", [200, 404, 503])
async def test_whether_something_is_there_is_told_without_it(status: int) -> None:
    """By the status alone; what is neither yes nor no is a refusal."""
    said = f"HTTP/1.1 {status} So\r\nContent-Length: 99999999\r\n\r\n".encode()
    async with answering(said) as it, open_session() as session:
        if status == 503:
            with pytest.raises(RefusalError):
                await is_there(session, it.url)
        else:
            assert await is_there(session, it.url) == (status == 200)
        assert it.asked[0].startswith(b"HEAD ")


@both
async def test_as_much_as_may_come_does(way: Ask) -> None:
    """The limit itself is within it."""
    async with answering(reply(bytes(MOST))) as it, open_session() as session:
        assert await way(session, it.url) == bytes(MOST)


@both
@pytest.mark.parametrize("answer", [b"", b"\x16\x03\x01" * 100, reply()[:-1]])
async def test_what_is_no_http_is_nobody(way: Ask, answer: bytes) -> None:
    """Silence, noise, and half an answer."""
    async with answering(answer) as it, open_session() as session:
        with pytest.raises(aiohttp.ClientError):
            await way(session, it.url)


async def test_nothing_is_said_under_a_wrong_certificate() -> None:
    """A pin that does not fit ends it after the handshake; the right one lets through."""
    it = Answerer(reply())
    server = await asyncio.start_server(it.serve, "127.0.0.1", 0, ssl=server_context(ANNE))
    port = server.sockets[0].getsockname()[1]
    question = BoundedQuery(SAID, MEDIA, MOST)
    async with server, open_session() as session:
        pin = await meet("127.0.0.1", port)
        url = f"https://127.0.0.1:{port}/"
        wrong = aiohttp.Fingerprint(bytes(32))
        with pytest.raises(aiohttp.ServerFingerprintMismatch) as other:
            await ask(session, url, question, wrong)
        assert why_not(other.value) == "it cannot prove who it is"
        with pytest.raises(aiohttp.ClientConnectorCertificateError) as unknown:
            await ask(session, url, question)
        assert why_not(unknown.value) == "it cannot prove who it is"
        assert it.asked == []
        right = aiohttp.Fingerprint(pin.fingerprint)
        assert await ask(session, url, question, right) == b"This."
        assert await fetch(session, url, MEDIA, MOST, right) == b"This."


def certificate_of_this_machine(folder: Path) -> Path:
    """One that no authority of the web has signed, and its key, in one file."""
    key = Ed25519PrivateKey.generate()
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "hub")])
    here = x509.IPAddress(ip_address("127.0.0.1"))
    now = datetime.now(UTC)
    certificate = (
        x509.CertificateBuilder(name, name, key.public_key(), x509.random_serial_number())
        .not_valid_before(now - timedelta(days=1))
        .not_valid_after(now + timedelta(days=1))
        .add_extension(x509.SubjectAlternativeName([here]), critical=False)
        .sign(key, algorithm=None)
    )
    pem = key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption())
    file = folder / "hub.pem"
    file.write_bytes(pem + certificate.public_bytes(Encoding.PEM))
    return file


NOWHERE = ssl.DefaultVerifyPaths(None, None, "", "", "", "")  # type: ignore[arg-type]  # None where there is none


async def test_where_openssl_finds_no_authorities_hubs_are_judged_as_downloads_are(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """By those that the system keeps, or a person named: a packed OpenSSL looks elsewhere."""
    file = certificate_of_this_machine(tmp_path)
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(file)
    it = Answerer(reply())
    server = await asyncio.start_server(it.serve, "127.0.0.1", 0, ssl=context)
    url = f"https://127.0.0.1:{server.sockets[0].getsockname()[1]}/"
    async with server:
        async with open_session() as session:
            with pytest.raises(aiohttp.ClientConnectorCertificateError):
                await by_post(session, url)
        monkeypatch.setenv("SSL_CERT_FILE", str(file))
        monkeypatch.setattr(ssl, "get_default_verify_paths", lambda: NOWHERE)
        async with open_session() as session:
            assert await by_post(session, url) == b"This."


@dataclass
class Line:
    """Breaks with ``errors``, one at a time, then works."""

    errors: list[Exception]
    tries: int = 0

    async def say(self) -> str:
        self.tries += 1
        if self.errors:
            raise self.errors.pop(0)
        return "This."


WHERE = aiohttp.client_reqrep.ConnectionKey(
    host="here",
    port=1,
    is_ssl=False,
    ssl=False,
    proxy=None,
    proxy_auth=None,
    proxy_headers_hash=None,
)
REFUSAL = aiohttp.ClientConnectorError(WHERE, ConnectionRefusedError())


@pytest.mark.parametrize(
    "error",
    [
        aiohttp.ServerDisconnectedError(),
        aiohttp.ClientPayloadError(),
        aiohttp.ClientOSError(104, "reset"),
        aiohttp.ClientConnectorError(WHERE, ConnectionResetError()),
    ],
)
async def test_a_connection_that_breaks_is_made_once_more(error: Exception) -> None:
    """Bad luck is no absence; twice in a row it is."""
    line = Line([error])
    assert await retry_once(line.say) == "This."
    assert line.tries == 2
    line = Line([error, error])
    with pytest.raises(type(error)):
        await retry_once(line.say)
    assert line.tries == 2


@pytest.mark.parametrize(
    "error",
    [REFUSAL, aiohttp.SocketTimeoutError(), TimeoutError(), WireError(REFUSED), ValueError("name")],
)
async def test_what_is_no_accident_is_not_tried_again(error: Exception) -> None:
    """Nobody there, no time left, or no wish to serve."""
    line = Line([error])
    with pytest.raises(type(error)):
        await retry_once(line.say)
    assert line.tries == 1


async def test_a_round_is_not_held_up() -> None:
    """Five seconds in all, two until somebody is reached."""
    async with open_session() as session:
        assert session.timeout is TIMEOUT
        assert not session.auto_decompress, "a bomb would go off before its header is looked at"
    assert (TIMEOUT.total, TIMEOUT.connect) == (5.0, 2.0)


GARBAGE = "a." * 4_000


@pytest.mark.parametrize(
    ("answer", "told", "why"),
    [
        (
            f"HTTP/1.1 407 {GARBAGE}\r\nContent-Length: 0\r\n\r\n",
            "ClientHttpProxyError: status 407",
            "its answer is an error, 407",
        ),
        (f"{GARBAGE}\r\n\r\n", "ClientResponseError: status 400", "its answer is an error, 400"),
        ("", "ServerDisconnectedError", "it hung up without an answer"),
    ],
)
async def test_an_error_is_told_by_its_kind(answer: str, told: str, why: str) -> None:
    """Neither the proxy's password, which aiohttp tells, nor what a stranger said at length."""
    async with answering(answer.encode()) as it:
        proxy = it.url.replace("//", "//anne:it's-secret@").removesuffix("/there")
        async with open_session(proxy=proxy) as session:
            with pytest.raises(aiohttp.ClientError) as caught:
                await by_post(session, "https://hub.example.org/")
    assert (told_of(caught.value), why_not(caught.value)) == (told, why)


async def test_why_nobody_answers_is_told_in_words() -> None:
    """Neither OpenSSL's names nor asyncio's; ours stay where we refuse ourselves."""

    async def say_no(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.read(1)
        writer.write(b"HTTP/1.1 400 Bad Request\r\n\r\n")
        writer.close()

    server = await asyncio.start_server(say_no, "127.0.0.1", 0)
    async with server, open_session() as session:
        with pytest.raises(aiohttp.ClientSSLError) as plain:
            await by_post(session, f"https://127.0.0.1:{server.sockets[0].getsockname()[1]}/")
    assert why_not(plain.value) == "no encrypted connection comes about"
    assert why_not(OSError(errno.EHOSTUNREACH, "it leads inside")) == "it leads inside"
    several = aiohttp.ClientConnectorError(plain.value._conn_key, OSError("Multiple exceptions"))  # noqa: SLF001 - what it needs
    assert why_not(several) == "no connection comes about"


async def test_what_an_error_is_about_is_told() -> None:
    """The system's words for why nobody is there, and ours, within bounds."""
    async with open_session() as session:
        with pytest.raises(aiohttp.ClientConnectorError) as caught:
            await by_post(session, "http://127.0.0.1:1/")
    assert re.fullmatch("ClientConnectorError: .*(Connect|refused).*", told_of(caught.value))
    assert "refused" in why_not(caught.value)
    assert (told_of(TimeoutError()), why_not(TimeoutError())) == (
        "TimeoutError",
        "no answer in time",
    )
    assert told_of(WireError("schema", "odd")) == "WireError: schema: odd"
    assert len(told_of(WireError("schema", "x" * 10**6))) == 200
