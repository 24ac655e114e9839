"""Which programs come first: the list itself, without any widget."""

import msgspec

from core.api.programs import plain_name
from core.settings import MOST_PROGRAMS, ProgramName

Programs = tuple[str, ...]


def with_program(programs: Programs, typed: str) -> Programs | None:
    """The list with what was typed; None where that is no name of a program, or there is no room.

    A name that is in the list already, in whatever case, changes nothing.
    """
    name = typed.strip()
    if plain_name(name) in map(plain_name, programs):
        return programs
    try:
        msgspec.convert(name, ProgramName)
    except msgspec.ValidationError:
        return None
    return (*programs, name) if name and len(programs) < MOST_PROGRAMS else None


def without_program(programs: Programs, name: str) -> Programs:
    """The list without ``name``."""
    return tuple(one for one in programs if one != name)
