"""The decks of a swarm at its hubs: left by whoever invites, fetched by whoever joins.

Every member brings back what a hub has lost, at its start and then once an hour, so that neither
the author nor any hub has to be there all the time. Nothing here is part of a round, and a swarm
without decks does none of it.
"""

import asyncio
import hashlib
import logging
from collections.abc import Awaitable, Callable, Iterable, Sequence
from dataclasses import dataclass
from http import HTTPStatus
from typing import Final, TypeVar

import aiohttp

from core.decks.deck import decode_deck
from core.decks.library import DeckLibrary
from core.decks.limits import MAX_DECK_BYTES
from core.errors import SwarmError, WireError
from core.i18n import translatable
from core.net.addresses import parse_hub_url
from core.net.asking import (
    IMPOSTOR,
    NO_HUB,
    BoundedQuery,
    RefusalError,
    ask,
    fetch,
    is_there,
    open_session,
    retry_once,
)
from core.net.greeting import greet_hub
from core.net.names import PublicNames
from core.net.serving import ABSENT, BUSY, QUOTA
from core.settings import plain_address
from core.swarm.directory import NamedHub
from core.wire.codec import MAX_PACKED_DECK_BYTES, Reason
from core.wire.deck import MEDIA_TYPE, deck_name, pack_deck, unpack_deck
from core.wire.invite import Invite
from core.wire.secrecy import SwarmKeys

TIMEOUTS: Final = aiohttp.ClientTimeout(total=150.0, connect=5.0, sock_connect=5.0, sock_read=30.0)
"""For a deck by a slow line: a hub waits a minute for one, and two until it was read."""

SHARE_EVERY_S: Final = 3_600.0

_log = logging.getLogger(__name__)
_T = TypeVar("_T")


class AbsentDeckError(SwarmError):
    """A hub has no such deck, and would know."""


@dataclass(frozen=True, slots=True)
class DeckSwarm:
    """The swarm that decks belong to."""

    name: str  # on the wire
    keys: SwarmKeys | None  # None: an open one
    decks: tuple[bytes, ...]  # SHA-256 of each

    @staticmethod
    def of(invite: Invite) -> "DeckSwarm":
        """That of ``invite``."""
        return DeckSwarm(invite.swarm, invite.keys, invite.decks)

    def url(self, hub: str, digest: bytes) -> str:
        """Where a deck is at ``hub``."""
        base = parse_hub_url(hub).url
        return f"{base}/v1/swarms/{self.name}/decks/{deck_name(self.keys, digest)}"


def distinct(hubs: Iterable[NamedHub]) -> list[NamedHub]:
    """Each of ``hubs`` once, as it was named first."""
    found: dict[str, NamedHub] = {}
    for hub in hubs:
        found.setdefault(plain_address(hub.url), hub)
    return list(found.values())


def open_deck_session(hubs: Iterable[NamedHub], proxy: str = "") -> aiohttp.ClientSession:
    """HTTP to ``hubs``, with the time limits that decks take."""
    names = PublicNames(proxy, (hub.url for hub in hubs if not hub.stays_outside))
    return open_session(names, proxy, TIMEOUTS)


async def put_deck(
    session: aiohttp.ClientSession, hub: NamedHub, swarm: DeckSwarm, data: bytes
) -> bool:
    """Leave the deck ``data`` at ``hub``; False where that has it already.

    Raises:
        SwarmError: it cannot be left there; the words say why.
    """
    url = swarm.url(hub.url, hashlib.sha256(data).digest())

    async def leave() -> bool:
        await greet_hub(session, parse_hub_url(hub.url).url, hub.peer)
        if await is_there(session, url):
            return False
        packed = await asyncio.to_thread(pack_deck, swarm.keys, data)
        await ask(session, url, BoundedQuery(packed, MEDIA_TYPE, 0), method="PUT")
        return True

    return await _explained(hub, leave)


async def get_deck(
    session: aiohttp.ClientSession, hubs: Sequence[NamedHub], swarm: DeckSwarm, digest: bytes
) -> bytes:
    """The deck with the SHA-256 ``digest``, from the first of ``hubs`` that has it.

    Raises:
        SwarmError: none of them has it, or can be asked.
        DeckError: what was invited to is no deck that this release can use.
    """
    errors: list[SwarmError] = []
    for hub in hubs:
        try:
            data = await _get_from(session, hub, swarm, digest)
        except SwarmError as error:
            _log.warning("%s", error)
            errors.append(error)
        else:
            await asyncio.to_thread(decode_deck, data)
            return data
    if not errors:
        raise SwarmError(
            translatable(
                "This invite names no meeting point, and decks are fetched from one. "
                "Ask whoever invited you for one that does."
            )
        )
    if all(isinstance(error, AbsentDeckError) for error in errors):
        raise SwarmError(
            translatable(
                "Nobody keeps a deck of this swarm any more. "
                "Ask whoever invited you to start Waggle once, then try again."
            )
        )
    raise next(error for error in errors if not isinstance(error, AbsentDeckError))


async def _get_from(
    session: aiohttp.ClientSession, hub: NamedHub, swarm: DeckSwarm, digest: bytes
) -> bytes:
    async def get() -> bytes:
        await greet_hub(session, parse_hub_url(hub.url).url, hub.peer)
        url = swarm.url(hub.url, digest)
        packed = await fetch(session, url, MEDIA_TYPE, MAX_PACKED_DECK_BYTES)
        return await asyncio.to_thread(unpack_deck, swarm.keys, digest, packed)

    return await _explained(hub, get)


async def _explained(hub: NamedHub, attempt: Callable[[], Awaitable[_T]]) -> _T:
    """What ``attempt`` returns, made once more where a connection breaks.

    Raises:
        SwarmError: it failed.
    """
    try:
        return await retry_once(attempt)
    except RefusalError as error:
        raise _refusal_of(hub.url, error) from error
    except WireError as error:
        raise SwarmError(_words_of(hub.url, error)) from error
    except (aiohttp.ClientError, OSError, ValueError) as error:
        raise SwarmError(
            translatable(
                "The meeting point {} does not answer. "
                "Check its address and this computer's connection, or try again later.",
                hub.url,
            )
        ) from error


def _words_of(url: str, error: WireError) -> str:
    if error.reason == IMPOSTOR:
        return translatable("Somebody else answers at {}. Ask for a new invite.", url)
    if error.reason == NO_HUB:
        return translatable("What answers at {} is no meeting point. Check the address.", url)
    if error.reason == Reason.VERSION:
        return _of_another_release(url)
    return translatable(
        "What {} sent is not the deck of this swarm. Name another meeting point.", url
    )


def _refusal_of(url: str, error: RefusalError) -> SwarmError:
    if error.said == ABSENT:
        return AbsentDeckError(translatable("The meeting point {} does not have this deck.", url))
    if error.reason == Reason.VERSION or error.status == HTTPStatus.NOT_FOUND:
        return SwarmError(_of_another_release(url))
    if error.said == QUOTA:
        return SwarmError(
            translatable(
                "The meeting point {} keeps no more decks for this swarm. "
                "Use fewer or smaller ones, or another meeting point.",
                url,
            )
        )
    if error.status == HTTPStatus.REQUEST_ENTITY_TOO_LARGE:
        return SwarmError(
            translatable(
                "The meeting point {} takes no deck of this size. "
                "Whoever runs it has to let requests of {} MB through.",
                url,
                -(-MAX_DECK_BYTES // 10**6) + 1,
            )
        )
    if _is_busy(error):
        return SwarmError(
            translatable("The meeting point {} is busy. Try again in some minutes.", url)
        )
    return SwarmError(
        translatable(
            "The meeting point {} would not serve ({}). Ask whoever runs it, or name another one.",
            url,
            error.said or error.status,
        )
    )


def _is_busy(error: RefusalError) -> bool:
    """By the status, for where it was only asked whether a deck is there nothing is said beside."""
    if error.status == HTTPStatus.SERVICE_UNAVAILABLE:
        return error.said in ("", BUSY)
    return error.status == HTTPStatus.TOO_MANY_REQUESTS


def _of_another_release(url: str) -> str:
    return translatable(
        "The meeting point {} is of another release, which keeps no decks. "
        "Ask whoever runs it to update Waggle, or name another one.",
        url,
    )


class DeckSharer:
    """Puts the decks of a swarm again where a hub misses them."""

    def __init__(
        self,
        swarm: DeckSwarm,
        hubs: Sequence[NamedHub],
        library: DeckLibrary,
        proxy: str = "",
    ) -> None:
        self._swarm = swarm
        self._hubs = distinct(hubs)
        self._library = library
        self._proxy = proxy

    async def run(self) -> None:
        """Do so now and once an hour, until cancelled; what fails is logged, and ends no node."""
        while True:
            try:
                await self.share()
            except Exception:  # noqa: BLE001 - told, and tried again
                _log.exception("Decks of the swarm could not be left at its meeting points")
            await asyncio.sleep(SHARE_EVERY_S)

    async def share(self) -> None:
        """Do so once."""
        async with open_deck_session(self._hubs, self._proxy) as session:
            for digest in self._swarm.decks:
                data = await asyncio.to_thread(self._held, digest.hex())
                if data is not None:
                    for hub in self._hubs:
                        await self._leave(session, hub, data)

    def _held(self, digest: str) -> bytes | None:
        found = self._library.get(digest)
        return None if found is None else found.data

    async def _leave(self, session: aiohttp.ClientSession, hub: NamedHub, data: bytes) -> None:
        try:
            if await put_deck(session, hub, self._swarm, data):
                _log.info("%s missed a deck of the swarm, and has it again.", hub.url)
        except SwarmError as error:
            _log.warning("%s", error)
