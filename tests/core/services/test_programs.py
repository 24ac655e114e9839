"""What runs, to choose from."""

from pathlib import Path

import psutil

from core.api.programs import ListPrograms, ProgramsListed
from core.api.requests import Reply
from core.paths import Home
from core.services.programs import list_programs
from core.services.service import ServiceContext


async def test_this_very_program_is_among_those_that_run(tmp_path: Path) -> None:
    """In alphabetical order, each once, and never one that could be no rule."""
    told: list[Reply] = []
    await list_programs(ListPrograms(id=1), ServiceContext(Home(tmp_path)), told.append)
    (answer,) = told
    assert isinstance(answer, ProgramsListed)
    assert psutil.Process().name() in answer.names
    assert list(answer.names) == sorted(set(answer.names), key=str.casefold)
    assert not any("/" in name for name in answer.names)  # as threads of the kernel have
