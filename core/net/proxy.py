"""The proxy that a person named for the way out of this network."""

import ipaddress
import os
from collections.abc import Awaitable, Callable
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from core.net.addresses import is_inside

if TYPE_CHECKING:  # types only: the helper starts without it
    from aiohttp import ClientHandlerType, ClientMiddlewareType, ClientRequest, ClientResponse

_VARIABLES = ("http_proxy", "https_proxy", "HTTP_PROXY", "HTTPS_PROXY")


def use_proxy(proxy: str) -> None:
    """Let this process fetch models by ``proxy``; empty leaves it to what the system has.

    The libraries that talk to model hubs look into the environment, and some only once: this has
    to be said before the first of them is used.
    """
    for name in _VARIABLES if proxy else ():
        os.environ[name] = proxy


def by_proxy(
    proxy: str, look_before: Callable[[str, int], Awaitable[None]] | None = None
) -> "ClientMiddlewareType":
    """Sends what goes to a name outside by ``proxy``, which is one with its port.

    Addresses and names of this network are asked directly: nodes and nearby hubs are met there,
    and a proxy could not reach them. ``look_before`` raises where a name must not be asked.
    """
    parts = urlsplit(proxy)

    async def send(request: "ClientRequest", handler: "ClientHandlerType") -> "ClientResponse":
        host = request.url.raw_host or ""
        if is_outside(host):
            if look_before is not None:
                await look_before(host, request.url.port or 0)
            to = request.url.build(scheme=parts.scheme, authority=parts.netloc, encoded=True)
            request.update_proxy(to, None, None)
        return await handler(request)

    return send


def is_outside(host: str) -> bool:
    """Whether ``host`` is a name that only the internet knows."""
    try:
        ipaddress.ip_address(host.partition("%")[0])
    except ValueError:
        return not is_inside(host)
    return False
