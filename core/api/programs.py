"""Which programs run, for whoever chooses those that practice is to make way for."""

from typing import Annotated

from msgspec import Meta

from core.api.requests import Reply, Request
from core.settings import ProgramName

MOST_RUNNING = 1_000


def plain_name(program: str) -> str:
    """A program's name as it is compared: without case, blanks around it and ``.exe``."""
    return program.strip().casefold().removesuffix(".exe")


class ListPrograms(Request, frozen=True, tag="list_programs"):
    """List the programs that run on this computer now."""


class ProgramsListed(Reply, frozen=True, tag="programs_listed"):
    """The names of what runs, in alphabetical order; they never leave this computer."""

    names: Annotated[tuple[ProgramName, ...], Meta(max_length=MOST_RUNNING)]
