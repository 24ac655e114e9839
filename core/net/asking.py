"""Asking over HTTP: one bounded request, one bounded reply.

Whoever answers is trusted for nothing: no redirects, no cookies, no compression, and neither bytes
nor seconds without end. Hubs and nodes are both asked this way.
"""

import os
import ssl
import sys
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from http import HTTPStatus
from io import BytesIO
from typing import Final, Literal, TypeVar

import aiohttp
from aiohttp.abc import AbstractResolver

from core.errors import WaggleError, WireError
from core.i18n import translatable
from core.net.download import web_context
from core.net.names import PatientNames, PublicNames
from core.net.proxy import by_proxy
from core.net.serving import BUSY, has_type, read_at_most
from core.wire.codec import Reason

TIMEOUT = aiohttp.ClientTimeout(total=5.0, connect=2.0, sock_connect=2.0)
"""A round is not held up for longer, whatever the other side does."""

AWAY = "away"
"""The reason where nobody answers in time, or whoever does is out of order."""

IMPOSTOR = "impostor"
"""The reason where somebody else answers than the one who should."""

NO_HUB = "no hub"
"""The reason where something else answers than a hub."""

REFUSED = "refused"
"""The reason where the other side answered, but would not serve; of another protocol, it says."""

Tls = aiohttp.Fingerprint | ssl.SSLContext
"""How the other side is known; without one, by the authorities of this computer."""

_TOLD_APART: Final[dict[tuple[int, str], str]] = {
    (HTTPStatus.BAD_REQUEST, Reason.VERSION): Reason.VERSION,
    (HTTPStatus.TOO_MANY_REQUESTS, Reason.RATE): Reason.RATE,
    (HTTPStatus.SERVICE_UNAVAILABLE, BUSY): Reason.RATE,  # of everybody together
}
"""The reason by status and what is said, of those that are told apart from all others."""

FAILURES: Final = (aiohttp.ClientError, OSError, ValueError, WireError)
"""What asking raises: OSError includes timeouts, ValueError is what a resolver thinks of a name."""

_MOST_REASON_BYTES = 100
_MOST_TOLD = 200  # characters of an error; some of ours quote what they are about
_BROKEN = (aiohttp.ServerDisconnectedError, aiohttp.ClientOSError, aiohttp.ClientPayloadError)
_T = TypeVar("_T")


class RefusalError(WireError):
    """The other side answered, but would not serve."""

    def __init__(self, reason: str, status: int, said: str) -> None:
        """``said`` is the reason that it gave; empty where it gave none, or at length."""
        super().__init__(reason, f"status {status}")
        self.status = status
        self.said = said


@dataclass(frozen=True, slots=True)
class BoundedQuery:
    """The body of a request, and the limits of its reply."""

    body: bytes
    media_type: str  # of both
    most_bytes: int  # of the reply


def open_session(
    resolver: AbstractResolver | None = None,
    proxy: str = "",
    timeout: aiohttp.ClientTimeout | None = None,
) -> aiohttp.ClientSession:
    """HTTP as hubs and nodes speak it: no cookies, no compression, a connection per question.

    A round takes longer than they keep an idle connection, so none is kept. Names are looked up by
    ``resolver``; without one, as the system does it, beside everything else. Names outside are
    asked by ``proxy``, if there is one.
    """
    look_before = resolver.look_before if isinstance(resolver, PublicNames) else None
    return aiohttp.ClientSession(
        connector=aiohttp.TCPConnector(
            force_close=True, resolver=resolver or PatientNames(), ssl=_authorities()
        ),
        cookie_jar=aiohttp.DummyCookieJar(),
        timeout=timeout or TIMEOUT,
        auto_decompress=False,
        middlewares=(by_proxy(proxy, look_before),) if proxy else (),
        headers={"User-Agent": "waggle", "Accept-Encoding": "identity"},
    )


def _authorities() -> ssl.SSLContext | bool:
    """Whom hubs prove who they are to; nodes do by a certificate that is named with the question.

    True: to those that OpenSSL knows, read once a process. ``web_context`` reads them for every
    connection, 23 ms of the event loop on Linux, or asks the system there; but a packed OpenSSL
    may look where this computer has none.
    """
    paths = ssl.get_default_verify_paths()  # those that exist; Windows' own are always read
    return bool(paths.cafile or paths.capath or sys.platform == "win32") or web_context()


async def retry_once(attempt: Callable[[], Awaitable[_T]]) -> _T:
    """Do ``attempt``, and once more where its connection breaks; what it says may be said twice.

    Raises:
        Exception: whatever ``attempt`` raises, the second time if there is one.
    """
    try:
        return await attempt()
    except _BROKEN as error:
        if not _broke(error):
            raise
    return await attempt()


def _broke(error: aiohttp.ClientError) -> bool:
    """Whether somebody was there; where nobody is, a second try is as vain as the first."""
    if isinstance(error, aiohttp.ClientConnectorError):
        return isinstance(error.os_error, ConnectionResetError)  # in the handshake
    return not isinstance(error, TimeoutError)


def told_of(error: Exception) -> str:
    """Of what kind ``error`` is, for logs; what aiohttp itself says of it is left out.

    That may name the proxy, with its password, and quotes whoever answered at any length.
    """
    detail = None
    if isinstance(error, aiohttp.ClientResponseError):
        detail = f"status {error.status}"
    elif isinstance(error, OSError):
        detail = error.strerror
    elif isinstance(error, WaggleError):
        detail = str(error)
    kind = type(error).__name__
    return f"{kind}: {detail}"[:_MOST_TOLD] if detail else kind


def why_not(error: Exception) -> str:
    """Why ``error`` left a question without an answer, in a person's words."""
    for kinds, words in _WHY:
        if isinstance(error, kinds):
            return words
    if isinstance(error, aiohttp.ClientResponseError):
        return translatable("its answer is an error, {}", error.status)
    if isinstance(error, OSError) and error.strerror:
        return _system_words(error)[:_MOST_TOLD]
    if isinstance(error, aiohttp.ClientConnectorError):  # at several addresses, for several reasons
        return translatable("no connection comes about")
    return translatable("what came is no answer of a meeting point")


_WHY: Final = (
    (TimeoutError, translatable("no answer in time")),
    (
        (aiohttp.ClientConnectorCertificateError, aiohttp.ServerFingerprintMismatch),
        translatable("it cannot prove who it is"),
    ),
    (aiohttp.ClientSSLError, translatable("no encrypted connection comes about")),
    (aiohttp.ServerDisconnectedError, translatable("it hung up without an answer")),
)


def _system_words(error: OSError) -> str:
    """Why nobody can be reached, in the system's words: asyncio has others, for programmers.

    What is wrong with names has other numbers, and so has the network of Windows.
    """
    is_reaching = isinstance(error, aiohttp.ClientConnectorError) and os.name == "posix"
    number = 0 if isinstance(error, aiohttp.ClientConnectorDNSError) else error.errno or 0
    return os.strerror(number) if is_reaching and number > 0 else error.strerror or ""


async def ask(
    session: aiohttp.ClientSession,
    url: str,
    question: BoundedQuery,
    tls: Tls | None = None,
    *,
    method: Literal["POST", "PUT"] = "POST",
) -> bytes:
    """Send ``question`` to ``url``, whose certificate must fit ``tls``.

    Raises:
        aiohttp.ClientError, OSError: nobody can be reached in time, or the certificate
            does not fit.
        ValueError: the host's name is none.
        WireError: whoever answers refuses (``REFUSED``, unless it is by ``Reason.VERSION`` or,
            also where it is ``BUSY``, ``Reason.RATE``), or says too much or something else.
    """
    async with session.request(
        method,
        url,
        data=BytesIO(question.body),  # aiohttp sends a file in pieces
        headers={"Content-Type": question.media_type},
        allow_redirects=False,
        ssl=tls or True,
    ) as response:
        return await _read_reply(response, question.media_type, question.most_bytes)


async def fetch(
    session: aiohttp.ClientSession,
    url: str,
    media_type: str,
    most_bytes: int,
    tls: Tls | None = None,
) -> bytes:
    """Get ``url``; as ``ask`` otherwise.

    Raises:
        aiohttp.ClientError, OSError, ValueError, WireError: as ``ask`` does.
    """
    async with session.get(url, allow_redirects=False, ssl=tls or True) as response:
        return await _read_reply(response, media_type, most_bytes)


async def is_there(session: aiohttp.ClientSession, url: str) -> bool:
    """Whether there is anything at ``url``, which is not fetched.

    Raises:
        aiohttp.ClientError, OSError, ValueError, WireError: as ``ask`` does.
    """
    async with session.head(url, allow_redirects=False) as response:
        if response.status not in (HTTPStatus.OK, HTTPStatus.NOT_FOUND):
            raise RefusalError(REFUSED, response.status, "")
        return response.status == HTTPStatus.OK


async def _read_reply(response: aiohttp.ClientResponse, media_type: str, most: int) -> bytes:
    if response.status != HTTPStatus.OK:
        said = await _read_refusal(response)
        reason = _TOLD_APART.get((response.status, said), REFUSED)
        raise RefusalError(reason, response.status, said)
    if not has_type(response.headers, media_type) or "Content-Encoding" in response.headers:
        raise WireError(Reason.SCHEMA, "not what was asked for")
    return await read_at_most(response, most)


async def _read_refusal(response: aiohttp.ClientResponse) -> str:
    """The reason that a server gives; empty where it says more than that."""
    try:
        said = (await read_at_most(response, _MOST_REASON_BYTES)).decode("ascii").strip()
    except (WireError, UnicodeDecodeError):
        return ""
    return said if said.isprintable() else ""
