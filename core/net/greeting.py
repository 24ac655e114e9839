"""Asking an address who is there, before anything else is said to it."""

import secrets

import aiohttp

from core.net.asking import Tls, fetch
from core.wire.codec import MAX_HELLO_BYTES
from core.wire.hello import MEDIA_TYPE, NONCE_BYTES, Hello, open_hello


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
