"""Looking names up beside everything else: a stranger's name server may take its time.

``asyncio``'s own threads are few, shared with other work, and waited for at the end of a program.
"""

import socket

from aiohttp.abc import AbstractResolver, ResolveResult

from core.threads import aside


class PatientNames(AbstractResolver):
    """Looks names up in threads that nobody waits for at the end."""

    async def resolve(
        self, host: str, port: int = 0, family: socket.AddressFamily = socket.AF_INET
    ) -> list[ResolveResult]:
        """As aiohttp asks for it.

        Raises:
            OSError: the name leads nowhere.
        """
        found = await aside(lambda _: socket.getaddrinfo(host, port, family, socket.SOCK_STREAM))
        return [
            ResolveResult(
                hostname=host,
                host=str(place[0]),
                port=port,
                family=kind,
                proto=proto,
                flags=socket.AI_NUMERICHOST,
            )
            for kind, _, proto, _, place in found
        ]

    async def close(self) -> None:
        """See ``AbstractResolver``."""
