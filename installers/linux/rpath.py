"""Takes out of libraries where whoever compiled them kept others of theirs.

The loader would search those folders on every computer that the libraries are copied to, and
perhaps somebody can write there.
"""

import struct
from pathlib import Path
from typing import Final

from installers.linux.elf import strays

RPATH: Final = 15  # d_tag in the dynamic section
RUNPATH: Final = 29
DYNAMIC: Final = 2  # p_type of the segment that holds it
_PROGRAM_HEADERS_AT: Final = 32  # e_phoff; the number of them and their size follow at 54
_SIZE_AND_NUMBER_AT: Final = 54
_ENTRY: Final = struct.Struct("<qQ")


def forget_strays(folder: Path) -> int:
    """Let no library of ``folder`` search outside of it; returns how many did.

    A library that also searches inside loses that, too: its neighbours are found by the program,
    which names the folder to the loader.
    """
    found = {path for path, _ in strays(folder)}
    for path in found:
        path.write_bytes(without_search(path.read_bytes()))
    return len(found)


def without_search(library: bytes) -> bytes:
    """A 64-bit, little-endian ELF file without RPATH and RUNPATH, otherwise the same.

    Raises:
        ValueError: it is no such file, or ends too early.
    """
    if not library.startswith(b"\x7fELF\x02\x01"):
        raise ValueError("not a 64-bit, little-endian ELF file")
    try:
        start, length = _dynamic_segment(library)
    except (struct.error, OverflowError) as error:
        raise ValueError("not a 64-bit, little-endian ELF file: it ends too early") from error
    if start + length > len(library):
        raise ValueError("not a 64-bit, little-endian ELF file: it ends too early")
    whole = [_ENTRY.unpack_from(library, at) for at in range(start, start + length, _ENTRY.size)]
    kept = [entry for entry in whole if entry[0] not in (RPATH, RUNPATH)]
    packed = b"".join(_ENTRY.pack(*entry) for entry in kept)
    return library[:start] + packed.ljust(length, b"\0") + library[start + length :]


def _dynamic_segment(library: bytes) -> tuple[int, int]:
    """Where it starts in the file, and its bytes; nothing at all in a static program."""
    (at,) = struct.unpack_from("<Q", library, _PROGRAM_HEADERS_AT)
    size, number = struct.unpack_from("<HH", library, _SIZE_AND_NUMBER_AT)
    for header in range(at, at + size * number, size):
        kind, _, offset, _, _, length = struct.unpack_from("<IIQQQQ", library, header)
        if kind == DYNAMIC:
            return offset, length - length % _ENTRY.size
    return 0, 0
