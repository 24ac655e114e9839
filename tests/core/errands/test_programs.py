"""What runs, to choose from."""

from pathlib import Path

import psutil

from core.engine.desk.base import Answer
from core.engine.desk.programs import ListPrograms, ProgramsListed
from core.errands.errand import Place
from core.errands.programs import list_programs
from core.paths import Home


async def test_this_very_program_is_among_those_that_run(tmp_path: Path) -> None:
    """In alphabetical order, each once, and never one that could be no rule."""
    told: list[Answer] = []
    await list_programs(ListPrograms(id=1), Place(Home(tmp_path)), told.append)
    (answer,) = told
    assert isinstance(answer, ProgramsListed)
    assert psutil.Process().name() in answer.names
    assert list(answer.names) == sorted(set(answer.names), key=str.casefold)
    assert not any("/" in name for name in answer.names)  # as threads of the kernel have
