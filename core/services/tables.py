"""Tables in files, whoever made them; a workbook is read in a throw-away process.

openpyxl, which reads those, looks at what a stranger wrote with regular expressions that take the
square of its length: a workbook of 15 kB holds it up for a day, and another one of 20 kB takes more
than a gigabyte. In a process of ours nobody could interrupt that, and nothing else would run.
"""

from typing import Final

import msgspec

from core.children import python_command
from core.decks.limits import MAX_DECK_BYTES
from core.decks.tables import Table, is_workbook, read_table
from core.errors import DeckError
from core.i18n import Remarks, TranslatableText, together, translatable, words_of
from core.models.policy.confined import ConfinedError, ProcessLimits, run_confined, serve

LIMITS: Final = ProcessLimits(seconds=120, memory=1_000_000_000, reply=6 * MAX_DECK_BYTES)
"""100,000 rows take 7 seconds of a processor that has nothing else to do, and 220 MB of address
space. A table has as many characters as a deck has bytes, of up to four bytes each, and as many
empty cells."""


class _Request(msgspec.Struct, frozen=True):
    """The request to the process."""

    data: bytes  # the whole file
    most: int | None


class _Reply(msgspec.Struct, frozen=True):
    """The reply of the process."""

    table: Table | None = None  # None: there is trouble
    trouble: Remarks = ()


def table_of(
    name: str, data: bytes, most: int | None = None, limits: ProcessLimits = LIMITS
) -> Table:
    """As ``read_table``; ``limits`` are those of the process, if there is one.

    Raises:
        DeckError: it is none, or passes a limit.
    """
    if not is_workbook(data):
        return read_table(name, data, most)
    request = msgspec.msgpack.encode(_Request(data, most))
    try:
        raw = run_confined(python_command("core.services.tables"), request, limits)
        reply = msgspec.msgpack.decode(raw, type=_Reply)
    except ConfinedError as error:
        raise _unreadable(name, error) from error
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise _unreadable(name, translatable("it breaks out of its bounds")) from error
    if reply.table is None:
        raise DeckError(TranslatableText(reply.trouble))
    return reply.table


def _unreadable(name: str, why: object) -> DeckError:
    return DeckError(translatable("{} cannot be read ({}). Choose another file.", name, why))


def main() -> int:
    """Answer one request; an exit code."""
    return serve(answer)


def answer(request: bytes) -> bytes:
    """Read the workbook of an encoded ``_Request``; an encoded ``_Reply``."""
    asked = msgspec.msgpack.decode(request, type=_Request)
    try:
        reply = _Reply(read_table("", asked.data, asked.most))
    except DeckError as error:
        reply = _Reply(trouble=together(words_of(error)).remarks)
    return msgspec.msgpack.encode(reply)
