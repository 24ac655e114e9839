"""Parquet files of strangers as JSON Lines, which are then read like a file of a person's own.

pyarrow reads them, in a throw-away process with little time and memory. Within a process of ours
nothing would bound it: each page says for itself how large it is unpacked, whatever the footer
says, and is believed; one long word of a dictionary can stand in a million rows; and what decodes
all that is C++, where a mistake ends more than an exception. Being tried out in the process that
already reads templates and tokenizers of strangers costs half a second and no code.
"""

import sys
from collections.abc import Mapping
from importlib.util import find_spec
from typing import Final

import msgspec

from core.children import python_command
from core.decks.columns import Part
from core.decks.limits import MAX_DECK_BYTES
from core.errors import DeckError
from core.i18n import words_of
from core.models.policy.confined import ConfinedError, ProcessLimits, run_confined

LIMITS: Final = ProcessLimits(seconds=60, memory=1_000_000_000, reply=MAX_DECK_BYTES + (1 << 16))
"""pyarrow itself takes 330 MB of address space; a file of the largest size is there twice."""

MAX_WORDS: Final = 4_000
"""Characters of a refusal."""


class ParquetRequest(msgspec.Struct, frozen=True):
    """The request to the process."""

    data: bytes  # the whole file
    columns: dict[Part, str | None]  # said by hand; None: there is no such column
    rows: int | None  # from the first on; None: all


class ParquetReply(msgspec.Struct, frozen=True):
    """The reply of the process."""

    lines: bytes = b""  # at most MAX_DECK_BYTES; the first of them names all columns
    trouble: str = ""  # one sentence, or two; empty: all is well


def require_pyarrow() -> None:
    """Raise DeckError where there is nothing that reads Parquet files."""
    if find_spec("pyarrow") is not None:
        return
    # Nothing can be installed into a frozen app.
    other = "Choose a file of another kind with --file"
    if not getattr(sys, "frozen", False):
        other = f"Install it with: pip install pyarrow. Or {other[0].lower()}{other[1:]}"
    raise DeckError(
        f"Parquet files are read by the Python package pyarrow, which is not here. {other}."
    )


def lines_of_parquet(
    data: bytes,
    columns: Mapping[Part, str | None],
    rows: int | None = None,
    limits: ProcessLimits = LIMITS,
) -> bytes:
    """A Parquet file as JSON Lines, a row in each, with the cells of those columns that are used.

    These are ``columns``, and for what they do not say those that the names tell. All others are
    named and empty.

    Raises:
        DeckError: it is none, is damaged, holds something else than a deck can, or too much.
    """
    require_pyarrow()
    request = msgspec.msgpack.encode(ParquetRequest(data, dict(columns), rows))
    command = python_command("core.datasets.parquet_process")
    try:
        reply = msgspec.msgpack.decode(run_confined(command, request, limits), type=ParquetReply)
    except ConfinedError as error:
        raise DeckError(
            f"This Parquet file cannot be read: {words_of(error)}. Choose another one with --file."
        ) from error
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise DeckError(
            "This Parquet file breaks out of its bounds. Choose another one with --file."
        ) from error
    if reply.trouble:
        raise DeckError(reply.trouble[:MAX_WORDS])
    return reply.lines
