"""Which programs come first: the list itself, without any widget."""

import msgspec

from core.settings import ProgramName

MOST = 50

Programs = tuple[str, ...]


def with_program(programs: Programs, typed: str) -> Programs | None:
    """The list with what was typed; None where that is no name of a program, or there is no room.

    A name that is in the list already, in whatever case, changes nothing.
    """
    name = typed.strip()
    if plain(name) in map(plain, programs):
        return programs
    try:
        msgspec.convert(name, ProgramName)
    except msgspec.ValidationError:
        return None
    return (*programs, name) if name and len(programs) < MOST else None


def without_program(programs: Programs, name: str) -> Programs:
    """The list without ``name``."""
    return tuple(one for one in programs if one != name)


def plain(name: str) -> str:
    """What two spellings of one program have in common; as the governor compares them."""
    return name.casefold().removesuffix(".exe")
