"""Whose work is in Waggle, and on which terms: read from what the frozen app brings along."""

from pathlib import Path
from typing import Annotated

import msgspec
from msgspec import Meta

from core.paths import RESOURCES

_MOST_BYTES = 32 << 20


class Licence(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One part of the app."""

    name: Annotated[str, Meta(max_length=200)]
    version: Annotated[str, Meta(max_length=100)]
    licence: Annotated[str, Meta(max_length=500)]  # an expression or a few words; may be empty
    text: Annotated[str, Meta(max_length=500_000)]


_decoder = msgspec.json.Decoder(Annotated[tuple[Licence, ...], Meta(max_length=2_000)])


def load_licences(resources: Path = RESOURCES) -> tuple[Licence, ...]:
    """All parts, by name; none in a checkout, where nobody has listed them."""
    try:
        with (resources / "licences.json").open("rb") as file:
            found = _decoder.decode(file.read(_MOST_BYTES))
    except (OSError, msgspec.DecodeError):
        return ()
    return tuple(sorted(found, key=lambda one: one.name.casefold()))
