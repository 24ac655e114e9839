"""Parquet files as tests need them: good ones, and such as no program writes."""

from collections.abc import Mapping
from io import BytesIO

import pytest

pa = pytest.importorskip("pyarrow", reason="pyarrow, which reads Parquet, is not installed")
pq = pytest.importorskip("pyarrow.parquet")

_TAIL = 8  # bytes behind the footer: its length, and a mark


def parquet(columns: Mapping[str, object], **options: object) -> bytes:
    """A file with these columns, which are lists or pyarrow's arrays."""
    out = BytesIO()
    pq.write_table(pa.table(dict(columns)), out, **options)
    return out.getvalue()


def footer_of(data: bytes) -> bytes:
    length = int.from_bytes(data[-_TAIL:-4], "little")
    return data[-_TAIL - length : -_TAIL]


def with_footer(data: bytes, footer: bytes) -> bytes:
    """The same pages under another footer."""
    pages = data[: -_TAIL - len(footer_of(data))]
    return pages + footer + len(footer).to_bytes(4, "little") + b"PAR1"


def varint(number: int) -> bytes:
    """A whole number as Thrift writes it, in its compact form."""
    left, out = (number << 1) ^ (number >> 63), bytearray()
    while left > 0x7F:
        out.append(left & 0x7F | 0x80)
        left >>= 7
    return bytes([*out, left])


def claiming(data: bytes, true: int, claimed: int) -> bytes:
    """The same file, whose footer has ``claimed`` wherever it had the number ``true``."""
    footer = footer_of(data)
    assert varint(true) in footer
    return with_footer(data, footer.replace(varint(true), varint(claimed)))
