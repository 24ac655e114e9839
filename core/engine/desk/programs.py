"""Which programs run, for whoever chooses those that practice is to make way for."""

from typing import Annotated

from msgspec import Meta

from core.engine.desk.base import Answer, Request
from core.settings import ProgramName

MOST_PROGRAMS = 1_000


class ListPrograms(Request, frozen=True, tag="list_programs"):
    """What runs on this computer now?"""


class ProgramsListed(Answer, frozen=True, tag="programs_listed"):
    """The names of what runs, in alphabetical order; they never leave this computer."""

    names: Annotated[tuple[ProgramName, ...], Meta(max_length=MOST_PROGRAMS)]
