"""HTTP with the members of a swarm: one session for those that are trusted, one for strangers.

Whoever owns a name can let it lead elsewhere at any time, also into our own network. What strangers
named is therefore looked up with care in every round, not only when it was found.
"""

from urllib.parse import urlsplit

import aiohttp

from core.net.asking import open_session
from core.swarm.dht.internet import PublicNames
from core.swarm.membership import Source


class Sessions:
    """Opens each of the two where it is needed; close it."""

    def __init__(self, proxy: str = "") -> None:
        """``proxy`` leads to names outside; empty: none. It may be inside, and looks them up."""
        self._proxy = proxy
        self._opened: dict[bool, aiohttp.ClientSession] = {}  # by whether it is for strangers

    def to(self, source: Source) -> aiohttp.ClientSession:
        """The session by which ``source`` is asked."""
        strange = source.is_stranger
        if strange not in self._opened:
            names = PublicNames(urlsplit(self._proxy).hostname) if strange else None
            self._opened[strange] = open_session(names, self._proxy)
        return self._opened[strange]

    async def aclose(self) -> None:
        """Let go of all connections."""
        while self._opened:
            _, session = self._opened.popitem()
            await session.close()
