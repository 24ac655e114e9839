"""Lists the programs that run."""

import msgspec

from core.api.programs import MOST_PROGRAMS, ListPrograms, ProgramsListed
from core.sensors.programs import read_programs
from core.sensors.reading import softly
from core.services.service import SendReply, ServiceContext
from core.settings import ProgramName
from core.threads import aside


async def list_programs(_request: ListPrograms, _place: ServiceContext, tell: SendReply) -> None:
    """Tell the names of what runs; those that could be no rule are left out."""
    found = await aside(lambda _: softly(read_programs))
    names = sorted(filter(_can_be_listed, found.value or ()), key=str.casefold)
    tell(ProgramsListed(names=tuple(names[:MOST_PROGRAMS])))


def _can_be_listed(name: str) -> bool:
    try:
        msgspec.convert(name, ProgramName)
    except msgspec.ValidationError:
        return False
    return True
