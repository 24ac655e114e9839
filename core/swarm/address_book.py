"""Hubs and nodes that did well in earlier days, on disk: good old ones are found again first.

All of them were found by strangers' help. Earlier releases wrote those that a person had named
beside them; which ones, nobody knows any more, so that nothing of theirs is used.
"""

import logging
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, Final, Literal

import msgspec
from msgspec import Meta

from core.rollouts.types import PeerId
from core.storage.files import read_bounded, replace_file
from core.swarm.membership import ROOM, Address, Kind, Source
from core.wire.codec import MAX_URL_CHARS

MOST_BYTES: Final = 1 << 18
MOST_SWARMS: Final = 8
_log = logging.getLogger(__name__)


class _Known(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    address: Annotated[str, Meta(max_length=MAX_URL_CHARS)]
    kind: Kind
    last_good: float
    host: Annotated[str, Meta(max_length=255)] = ""
    port: Annotated[int, Meta(ge=0, le=65_535)] = 0
    peer: Annotated[str, Meta(pattern=r"^([0-9a-f]{64})?\Z")] = ""  # who has to be there
    origin: Literal["", "dht"] = ""  # empty: of an earlier release, perhaps by the person


_File = dict[str, list[_Known]]  # by the swarm's name on the wire, the one joined last at the end


def load_addresses(path: Path, swarm: str) -> list[Source]:
    """Those of ``swarm``; none where the file is missing or damaged, since they are a help only."""
    return [
        Source(
            Address(one.address),
            one.kind,
            "known",
            PeerId(one.peer) if one.peer else None,
            host=one.host,
            port=one.port,
            last_good=one.last_good,
        )
        for one in _read(path).get(swarm, [])
        if one.origin
    ]


def save_addresses(path: Path, swarm: str, sources: Sequence[Source]) -> None:
    """Keep those of ``swarm`` beside those of the swarms joined before it.

    Raises:
        HomeError: the file cannot be written.
    """
    known = _read(path)
    known.pop(swarm, None)
    kept = [
        _Known(one.address, one.kind, one.last_good, one.host, one.port, one.peer or "", "dht")
        for one in sources[: ROOM["known"]]
    ]
    if kept:
        known[swarm] = kept
    while len(known) > MOST_SWARMS:
        del known[next(iter(known))]
    replace_file(path, msgspec.json.encode(known))


def _read(path: Path) -> _File:
    try:
        return msgspec.json.decode(read_bounded(path, MOST_BYTES), type=_File)
    except FileNotFoundError:
        return {}
    except (OSError, ValueError) as error:
        _log.warning("Forgetting the meeting points of earlier days: %s", error)
        return {}
