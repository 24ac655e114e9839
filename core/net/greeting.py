"""Saying who is here, and asking an address who is there, before anything else is said to it."""

import secrets

import aiohttp
from aiohttp import web

from core.errors import WireError
from core.net.asking import IMPOSTOR, NO_HUB, Tls, fetch
from core.rollouts.types import PeerId
from core.wire.codec import MAX_HELLO_BYTES, PROTOCOL
from core.wire.hello import MEDIA_TYPE, NONCE_BYTES, Hello, Kind, open_hello, seal_hello
from core.wire.identity import Identity


class HelloHandler:
    """Answers those who ask who is here."""

    def __init__(
        self, identity: Identity, kind: Kind, swarms: tuple[str, ...] = (), url: str = ""
    ) -> None:
        """The fields are those of ``Hello``."""
        self._identity = identity
        self._kind = kind
        self._swarms = swarms
        self._url = url

    def answer(self, request: web.Request, now: float) -> web.Response:
        """The signed hello for the nonce in the path, at ``now`` (unix seconds)."""
        hello = Hello(
            version=PROTOCOL,
            kind=self._kind,
            peer=bytes.fromhex(self._identity.peer_id),
            nonce=bytes.fromhex(request.match_info["nonce"]),
            time=int(now),
            swarms=self._swarms,
            url=self._url,
        )
        return web.Response(body=seal_hello(self._identity, hello), content_type=MEDIA_TYPE)


async def greet(
    session: aiohttp.ClientSession,
    base: str,
    tls: Tls | None = None,
) -> Hello:
    """The signed hello of whoever answers below the URL ``base``.

    Raises:
        aiohttp.ClientError, OSError: nobody can be reached in time, or the certificate
            does not fit.
        ValueError: the host's name is none.
        WireError: whoever answers proves nothing.
    """
    nonce = secrets.token_bytes(NONCE_BYTES)
    url = f"{base}/v1/hello/{nonce.hex()}"
    return open_hello(await fetch(session, url, MEDIA_TYPE, MAX_HELLO_BYTES, tls), nonce)


async def greet_hub(session: aiohttp.ClientSession, base: str, peer: PeerId | None) -> Hello:
    """The hello of the hub below ``base``, which has to be ``peer``; None: any.

    Raises:
        aiohttp.ClientError, OSError, ValueError, WireError: as ``greet`` does; ``IMPOSTOR`` or
            ``NO_HUB`` where it is another one, or none.
    """
    hello = await greet(session, base)
    if peer not in (None, hello.peer_id):
        raise WireError(IMPOSTOR)
    if hello.kind != "hub":
        raise WireError(NO_HUB)
    return hello
