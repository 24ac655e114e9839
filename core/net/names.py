"""Looking up where names lead, and that those of strangers do not lead into our own network."""

import asyncio
import errno
import socket
import time
from collections.abc import Callable, Iterable
from typing import NoReturn

from aiohttp.abc import AbstractResolver, ResolveResult

from core.net.addresses import host_and_port, is_inside
from core.storage.bounded import BoundedDict
from core.threads import aside

LOOK_UP_S = 1.0
"""For so long an answer is waited for where a name leads that a proxy looks up in any case."""

REMEMBER_S = 300.0
"""For so long it is remembered that a name leads inside, and nobody waits again for one that is not
known here: where nothing outside is looked up, few questions are held up. What leads outside may
change, and is asked anew."""

MOST_NAMES = 256


class PatientNames(AbstractResolver):
    """Looks names up in threads that nobody waits for at the end.

    ``asyncio``'s own threads are few, shared with other work, and waited for when a program ends,
    and a stranger's name server may take its time.
    """

    async def resolve(
        self, host: str, port: int = 0, family: socket.AddressFamily = socket.AF_INET
    ) -> list[ResolveResult]:
        """Addresses of ``host``, as aiohttp's resolvers return them.

        Raises:
            OSError: the name leads nowhere.
        """
        found = await aside(lambda _: socket.getaddrinfo(host, port, family, socket.SOCK_STREAM))
        return [
            ResolveResult(
                hostname=host,
                host=str(address[0]),
                port=port,
                family=kind,
                proto=proto,
                flags=socket.AI_NUMERICHOST,
            )
            for kind, _, proto, _, address in found
        ]

    async def close(self) -> None:
        """Nothing to close: no thread outlives its look-up."""


class PublicNames(PatientNames):
    """Looks names up, and forgets those of them that lead into our own network."""

    def __init__(
        self,
        proxy: str = "",
        agreed: Iterable[str] = (),
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        """``proxy`` and the URLs ``agreed`` are what the person named, and may be anywhere."""
        self._anywhere = {host_and_port(url) for url in (proxy, *agreed)}
        self._clock = clock
        # By name, when it was looked up, and whether it leads inside; None: nobody knows.
        self._looks = BoundedDict[str, tuple[float, asyncio.Future[bool | None]]](MOST_NAMES)

    async def resolve(
        self, host: str, port: int = 0, family: socket.AddressFamily = socket.AF_INET
    ) -> list[ResolveResult]:
        """Addresses of ``host`` outside our own network, as aiohttp's resolvers return them.

        Raises:
            OSError: the name leads nowhere, or nowhere outside.
        """
        found = await super().resolve(host, port, family)
        if (host.lower(), port) in self._anywhere:
            return found
        return [one for one in found if not is_inside(one["host"])] or _refuse(host)

    async def look_before(self, host: str, port: int) -> None:
        """Look where ``host`` leads before a proxy, which may reach our own network, goes there.

        What nobody here knows is left to the proxy: many networks look nothing up but their own.
        An answer that comes late counts from then on.

        Raises:
            OSError: it leads into our own network, if only among others.
        """
        if (host.lower(), port) in self._anywhere:
            return
        name, now = host.lower().rstrip("."), self._clock()
        began, look = self._looks.get(name, (now, None))
        is_outside = look is not None and look.done() and look.result() is False
        if look is None or is_outside or now - began >= REMEMBER_S:
            began, look = now, None
        if look is None or (look.done() and look.result() is None):  # may be known by now
            look = asyncio.ensure_future(self._leads_inside(name))
            self._looks[name] = began, look
        await asyncio.wait([look], timeout=began + LOOK_UP_S - now)
        if look.done() and look.result():
            _refuse(host)

    async def _leads_inside(self, name: str) -> bool | None:
        try:
            found = await super().resolve(name, family=socket.AF_UNSPEC)
        except (OSError, ValueError):  # ValueError: what a resolver thinks of the name
            return None
        return any(is_inside(one["host"]) for one in found)


def _refuse(host: str) -> NoReturn:
    why = f"{host} leads into the own network; add that meeting point yourself to go there"
    raise OSError(errno.EHOSTUNREACH, why)
