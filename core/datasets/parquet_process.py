"""The throw-away process in which a stranger's Parquet file is read: one file, one table.

What its footer declares is looked at before anything is unpacked; what comes out is bounded row by
row. Whatever lies between is bounded by the process (``core.models.policy.confined``).
"""

import math
import os
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from io import BytesIO
from typing import Any, Final

import msgspec
import numpy as np

from core.datasets.parquet import ParquetReply, ParquetRequest
from core.decks.importing import guess_columns
from core.decks.limits import (
    MAX_CARDS,
    MAX_CELL,
    MAX_DECK_BYTES,
    MAX_PARQUET_UNPACKED,
)
from core.decks.tables import Table
from core.errors import DeckError
from core.letters import escaped
from core.models.policy.confined import serve

_BATCH: Final = 1_000  # rows
_MOST_NAMES: Final = 1_000_000  # bytes that the footer's lists and texts may have
_SHORT: Final[Mapping[int, type[np.floating[Any]]]] = {16: np.float16, 32: np.float32}
"""By bits, numbers with fewer digits than Python's own: 0.1 would become 0.10000000149."""

_QUOTED: Final = 40


def main() -> int:
    """Answer one request; an exit code."""
    # It gives back what is free, and takes no address space beforehand. Read when it is imported.
    os.environ["ARROW_DEFAULT_MEMORY_POOL"] = "system"
    return serve(answer)


def answer(request: bytes) -> bytes:
    """An encoded ``ParquetRequest`` -> an encoded ``ParquetReply``.

    Raises:
        MemoryError: there is not enough for this file.
    """
    asked = msgspec.msgpack.decode(request, type=ParquetRequest)
    try:
        reply = ParquetReply(lines=_lines(asked))
    except DeckError as error:
        reply = ParquetReply(trouble=str(error))
    except UnicodeDecodeError:
        reply = ParquetReply(
            trouble="A text in this Parquet file is not in UTF-8. Choose another file with --file."
        )
    except MemoryError:
        raise
    except Exception:  # noqa: BLE001 - pyarrow raises whatever an odd file leads to
        reply = ParquetReply(trouble=str(_damaged()))
    return msgspec.msgpack.encode(reply)


def _lines(asked: ParquetRequest) -> bytes:
    """The rows as JSON Lines.

    Raises:
        DeckError: the file cannot become a deck.
    """
    import pyarrow as pa
    import pyarrow.parquet as pq

    pa.set_cpu_count(1)
    file = pq.ParquetFile(
        BytesIO(asked.data),
        pre_buffer=False,
        thrift_string_size_limit=_MOST_NAMES,
        thrift_container_size_limit=_MOST_NAMES,
        arrow_extensions_enabled=False,
    )
    names = file.schema_arrow.names
    used = _used(names, asked)
    for name in used:
        _check_type(name, file.schema_arrow.field(name).type)
    most = min(asked.rows or MAX_CARDS, MAX_CARDS)
    groups = _groups(file.metadata, used, most, is_bounded=asked.rows is not None)
    kept = bytearray()
    first = dict.fromkeys(names)  # so that columns keep their names and their order
    for number, row in zip(range(most), _rows(file, groups, used), strict=False):
        kept += msgspec.json.encode(first | row if number == 0 else row) + b"\n"
        if len(kept) > MAX_DECK_BYTES:
            raise DeckError(
                f"These columns hold more than {MAX_DECK_BYTES:,} bytes. "
                "Take fewer rows with --rows."
            )
    return bytes(kept)


def _used(names: Sequence[str], asked: ParquetRequest) -> list[str]:
    """The columns to read; of what was said, whoever reads the lines finds out what is missing.

    Raises:
        DeckError: two columns have the same name.
    """
    if len(set(names)) < len(names):
        raise DeckError("Two columns of this file have the same name. Choose another one.")
    said = {
        part: names.index(name) if name in names else None for part, name in asked.columns.items()
    }
    columns = replace(guess_columns(Table(tuple(names), (), has_header=True)), **said)
    return [names[at] for at in sorted(set(columns.positions))]


def _check_type(name: str, kind: Any) -> None:  # noqa: ANN401 - pyarrow ships no types
    """Raise DeckError for a column that is neither plain nor a list of texts."""
    from pyarrow import types

    plain = kind.value_type if types.is_dictionary(kind) else kind
    if types.is_list(plain) or types.is_large_list(plain):
        is_good = _is_text(plain.value_type)
    else:
        tests = (types.is_integer, types.is_floating, types.is_boolean, _is_text)
        is_good = any(test(plain) for test in tests)
    if not is_good:
        raise DeckError(
            f"The column “{escaped(name[:_QUOTED])}” holds {escaped(str(kind)[:_QUOTED])}, and "
            "only texts, numbers, true or false and lists of texts can be read. Name another one, "
            "as in --column answer=NAME."
        )


def _is_text(kind: Any) -> bool:  # noqa: ANN401 - as above
    from pyarrow import types

    return bool(types.is_string(kind) or types.is_large_string(kind))


def _groups(footer: Any, used: Sequence[str], most: int, *, is_bounded: bool) -> list[int]:  # noqa: ANN401
    """Which row groups hold the first ``most`` rows.

    Raises:
        DeckError: they declare more than a deck can hold, or what cannot be true.
    """
    groups: list[int] = []
    rows = size = 0
    for number in range(footer.num_row_groups):
        group = footer.row_group(number)
        if group.num_rows < 0:
            raise _damaged()
        if rows < most:
            groups.append(number)
            size += _declared(group, used)
        rows += group.num_rows
    if rows != footer.num_rows:
        raise _damaged()
    if rows > most and not is_bounded:
        raise DeckError(
            f"This file has {rows:,} rows, and a deck has at most {most:,}. "
            "Take the first of them, as in --rows 1000."
        )
    if size > MAX_PARQUET_UNPACKED:
        raise DeckError(
            f"These columns hold {size:,} bytes unpacked, and {MAX_PARQUET_UNPACKED:,} are the "
            "most that is read. Take fewer rows with --rows, or another file with --file."
        )
    return groups


def _declared(group: Any, used: Sequence[str]) -> int:  # noqa: ANN401 - as above
    """Bytes of the columns ``used``, unpacked, as the footer has them."""
    size = 0
    for at in range(group.num_columns):
        chunk = group.column(at)
        if any(f"{chunk.path_in_schema}.".startswith(f"{name}.") for name in used):
            if chunk.total_uncompressed_size < 0 or chunk.total_compressed_size < 0:
                raise _damaged()
            size += chunk.total_uncompressed_size
    return size


def _rows(file: Any, groups: Sequence[int], used: Sequence[str]) -> Iterator[dict[str, object]]:  # noqa: ANN401
    for number in groups:
        batches = file.iter_batches(
            batch_size=_BATCH, row_groups=[number], columns=list(used), use_threads=False
        )
        for batch in batches:
            cells = [_cells(batch.column(name)) for name in used]
            for row in zip(*cells, strict=True):
                yield dict(zip(used, row, strict=True))


def _cells(column: Any) -> list[object]:  # noqa: ANN401 - as above
    """The values of some rows, none of them longer than a cell that is cut just behind its end."""
    from pyarrow import types

    short = _SHORT.get(column.type.bit_width) if types.is_floating(column.type) else None
    return [_cell(value, short) for value in column.to_pylist()]


def _cell(value: object, short: type[np.floating[Any]] | None) -> object:
    match value:
        case float():
            if not math.isfinite(value):
                return None
            return value if short is None else float(str(short(value)))
        case list():
            return [_cell(one, short) for one in value[:MAX_CELL]]
        case str():
            return value[: MAX_CELL + 1]
    return value


def _damaged() -> DeckError:
    return DeckError("This is no Parquet file, or it is damaged. Choose another one with --file.")
