"""The line to one hub: where it is, when to try it, and one bounded HTTP request."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from io import BytesIO
from urllib.parse import urlsplit

import aiohttp

from core.errors import UsageError, WireError
from core.swarm.backoff import Backoff, Timing
from core.swarm.outbox import Letter, Outbox
from core.wire.codec import MAX_EXCHANGE_BYTES, Reason
from core.wire.exchange import (
    ACCEPTED,
    MEDIA_TYPE,
    ExchangeReply,
    ExchangeRequest,
    decode_reply,
    encode_exchange,
)

TIMEOUT = aiohttp.ClientTimeout(total=5.0, connect=2.0, sock_connect=2.0)
"""A round is not held up for longer, whatever the hub does."""

MAX_URL_CHARS = 300
_OK = 200


@dataclass(frozen=True, slots=True)
class HubAddress:
    """Where a hub is."""

    url: str  # without a slash at the end
    host: str


def parse_hub_url(url: str) -> HubAddress:
    """The address that ``url`` names.

    Raises:
        UsageError: it is no plain http or https address.
    """
    try:
        parts = urlsplit(url)
        host = parts.hostname or ""
        host.encode("idna")  # raises for labels that no resolver takes
        plain = not (parts.username or parts.password or parts.query or parts.fragment)
        fine = plain and parts.scheme in ("http", "https") and bool(host) and parts.port != 0
    except ValueError:
        fine = False
    if not fine or len(url) > MAX_URL_CHARS or any(char <= " " for char in url):
        raise UsageError(
            f"{url[:MAX_URL_CHARS]!r} is no address of a meeting point. "
            "Write it like https://hub.example.org or http://192.168.1.5:8765."
        )
    return HubAddress(url.rstrip("/"), host)


class HubLink:
    """Talks to one hub and keeps for it what it has not taken yet."""

    def __init__(self, address: HubAddress, swarm: str, timing: Timing) -> None:
        self.host = address.host
        self.refused: Counter[str] = Counter()  # own envelopes that the hub did not take
        self.clock_is_wrong = False  # as of the last answer
        self._url = f"{address.url}/v1/swarms/{swarm}/exchange"
        self._timing = timing
        self._backoff = Backoff(timing)
        self._outbox = Outbox()

    def put(self, letters: list[Letter]) -> None:
        """Leave own envelopes to be sent with the next exchange that succeeds."""
        self._outbox.put(letters)

    async def exchange(
        self, session: aiohttp.ClientSession, asker: bytes, want: int
    ) -> ExchangeReply | None:
        """Send what waits and draw ``want``; None if the hub is away, or was just now."""
        self.clock_is_wrong = False
        if not self._backoff.is_over():
            return None
        batch = self._outbox.batch(self._timing.wall())
        try:
            reply = await _talk(session, self._url, ExchangeRequest(asker, want, batch))
            self._read(reply.verdicts, batch)
        except (aiohttp.ClientError, OSError, ValueError, WireError):
            # OSError includes timeouts; ValueError what a resolver thinks of a host's name.
            self._backoff.fail()
            return None
        self._backoff.succeed()
        return reply

    def _read(self, verdicts: Sequence[str], batch: tuple[bytes, ...]) -> None:
        if len(verdicts) != len(batch):
            raise WireError(Reason.SCHEMA, "a verdict per envelope")
        self._outbox.sent(batch)
        self.clock_is_wrong = bool(batch) and set(verdicts) == {Reason.CLOCK}
        known = set(Reason)
        self.refused.update(v if v in known else "other" for v in verdicts if v != ACCEPTED)


def open_session() -> aiohttp.ClientSession:
    """HTTP as hubs speak it: no cookies, no compression, a connection per exchange.

    A round takes longer than a hub keeps an idle connection, so none is kept.
    """
    return aiohttp.ClientSession(
        connector=aiohttp.TCPConnector(force_close=True),
        cookie_jar=aiohttp.DummyCookieJar(),
        timeout=TIMEOUT,
        auto_decompress=False,
        headers={"User-Agent": "waggle", "Accept-Encoding": "identity"},
    )


async def _talk(
    session: aiohttp.ClientSession, url: str, request: ExchangeRequest
) -> ExchangeReply:
    """One exchange.

    Raises:
        aiohttp.ClientError, OSError: the hub cannot be reached in time.
        WireError: it refuses, or answers nonsense.
    """
    body = BytesIO(encode_exchange(request))  # aiohttp sends a file in pieces
    headers = {"Content-Type": MEDIA_TYPE}
    async with session.post(url, data=body, headers=headers, allow_redirects=False) as response:
        if response.status != _OK:
            raise WireError(Reason.SCHEMA, f"status {response.status}")
        if response.content_type != MEDIA_TYPE or "Content-Encoding" in response.headers:
            raise WireError(Reason.SCHEMA, "not an exchange")
        return decode_reply(await _read_at_most(response, MAX_EXCHANGE_BYTES))


async def _read_at_most(response: aiohttp.ClientResponse, most: int) -> bytes:
    if (response.content_length or 0) > most:
        raise WireError(Reason.SIZE, f"{response.content_length} bytes")
    body = bytearray()
    async for chunk in response.content.iter_any():
        body += chunk
        if len(body) > most:
            raise WireError(Reason.SIZE, "endless")
    return bytes(body)
