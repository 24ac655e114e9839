"""Decks in a folder beside the hub's file, or in memory where there is no file.

A file a deck, named by its name, its swarm and the place that it was left from; its time is when it
was last asked for, so that all that has to be known stands in the folder after a restart. All calls
run on one thread of its own: neither the event loop nor the thread of the envelopes waits for a
disk.
"""

import asyncio
import os
import re
from collections import Counter, OrderedDict
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Final, TypeVar

from core.errors import HomeError, SwarmError
from core.hub.decks import SOMEWHERE, DeckLimits
from core.settings import SWARM
from core.storage.files import DRAFT_SUFFIX, read_bounded, replace_file
from core.wire.codec import DECK_LIFE_S, MAX_PACKED_DECK_BYTES

MEMORY_BYTES: Final = 1 << 27
"""Of decks, where there is no folder."""

_FILE: Final = re.compile(rf"([0-9a-f]{{64}})-({SWARM})(?:\.([0-9a-f]{{1,64}}))?\.deck", re.ASCII)

Key = tuple[str, str]  # swarm, name
T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class _Kept:
    size: int  # bytes
    asked: float  # unix seconds
    place: str


class LocalDecks:
    """A ``core.hub.decks.DeckStore`` of one process, durable if it has a ``folder``."""

    def __init__(self, folder: Path | None, limits: DeckLimits, clock: Callable[[], float]) -> None:
        """Open nothing yet; ``clock`` is in unix seconds."""
        if folder is None:
            limits = replace(limits, bytes=min(limits.bytes, MEMORY_BYTES))
        self._folder = folder
        self._limits = limits
        self._clock = clock
        self._in_memory: dict[Key, bytes] = {}
        self._known: OrderedDict[Key, _Kept] | None = None  # what was asked for longest ago first
        self._thread = ThreadPoolExecutor(1, thread_name_prefix="hub-decks")

    async def put(self, swarm: str, name: str, data: bytes, place: str = SOMEWHERE) -> bool:
        """Keep ``data``, left at ``place``; False in a full swarm."""
        return await self._run(partial(self._put, (swarm, name), data, place))

    async def get(self, swarm: str, name: str) -> bytes | None:
        """What is kept, if anything is."""
        return await self._run(partial(self._get, (swarm, name)))

    async def touch(self, swarm: str, name: str) -> bool:
        """Whether something is kept."""
        return await self._run(partial(self._touch, (swarm, name)))

    async def aclose(self) -> None:
        """End the thread."""
        await asyncio.to_thread(self._thread.shutdown)

    async def _run(self, call: Callable[[], T]) -> T:
        return await asyncio.get_running_loop().run_in_executor(self._thread, self._guarded, call)

    def _guarded(self, call: Callable[[], T]) -> T:
        try:
            return call()
        except (OSError, HomeError) as error:
            raise SwarmError(
                f"The hub cannot keep decks in {self._folder} ({error}). "
                "See that the disk is there and has room."
            ) from error

    def _put(self, key: Key, data: bytes, place: str) -> bool:
        self._expire()
        known, limits = self._index(), self._limits
        beside = [one.size for other, one in known.items() if other[0] == key[0] and other != key]
        if len(beside) >= limits.swarm_decks or sum(beside) + len(data) > limits.swarm_bytes:
            return False
        old = known.pop(key, None)
        while known and (
            len(known) >= limits.decks
            or sum(one.size for one in known.values()) + len(data) > limits.bytes
        ):
            self._drop(self._least_asked_for())
        kept = _Kept(len(data), self._clock(), old.place if old else place)
        if old is not None:
            known[key] = old  # still there, should the writing fail
        self._write(key, kept, data)
        known[key] = kept
        return self._touch(key)  # the file's own time is another clock's

    def _least_asked_for(self) -> Key:
        """What was asked for longest ago of the place that takes the most."""
        known, taken = self._index(), Counter[str]()
        for one in known.values():
            taken[one.place] += one.size + self._limits.bytes // self._limits.decks
        most = max(taken.values())
        return next(key for key, one in known.items() if taken[one.place] == most)

    def _get(self, key: Key) -> bytes | None:
        if not self._touch(key):
            return None
        if self._folder is None:
            return self._in_memory[key]
        try:
            path = self._path(key, self._index()[key])
            return read_bounded(path, MAX_PACKED_DECK_BYTES)
        except ValueError:  # somebody put something else there
            self._drop(key)
            return None

    def _touch(self, key: Key) -> bool:
        self._expire()
        known = self._index()
        if key not in known:
            return False
        now = self._clock()
        if self._folder is not None:
            try:
                os.utime(self._path(key, known[key]), (now, now))
            except FileNotFoundError:  # somebody took it away
                self._drop(key)
                return False
        known[key] = replace(known[key], asked=now)
        known.move_to_end(key)
        return True

    def _expire(self) -> None:
        known, before = self._index(), self._clock() - DECK_LIFE_S
        while known and next(iter(known.values())).asked < before:
            self._drop(next(iter(known)))

    def _index(self) -> OrderedDict[Key, _Kept]:
        """All that is kept; at first from the folder."""
        if self._known is None:
            found = sorted(self._found(), key=lambda pair: pair[1].asked)
            self._known = OrderedDict(found)
        return self._known

    def _found(self) -> list[tuple[Key, _Kept]]:
        if self._folder is None or not self._folder.is_dir():
            return []
        found: list[tuple[Key, _Kept]] = []
        for path in self._folder.iterdir():
            if path.suffix == DRAFT_SUFFIX:  # the hub was killed while it wrote
                path.unlink(missing_ok=True)
            parts = _FILE.fullmatch(path.name)
            if parts is not None:
                about = path.stat()
                kept = _Kept(about.st_size, about.st_mtime, parts[3] or SOMEWHERE)
                found.append(((parts[2], parts[1]), kept))
        return found

    def _write(self, key: Key, kept: _Kept, data: bytes) -> None:
        if self._folder is None:
            self._in_memory[key] = data
            return
        self._folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        replace_file(self._path(key, kept), data)

    def _drop(self, key: Key) -> None:
        kept = self._index().pop(key, None)
        self._in_memory.pop(key, None)
        if self._folder is not None and kept is not None:
            with suppress(FileNotFoundError):
                self._path(key, kept).unlink()

    def _path(self, key: Key, kept: _Kept) -> Path:
        swarm, name = key
        assert self._folder is not None  # noqa: S101 - asked for files only
        whence = "" if kept.place == SOMEWHERE else f".{kept.place}"
        return self._folder / f"{name}-{swarm}{whence}.deck"  # name first: Windows reserves some
