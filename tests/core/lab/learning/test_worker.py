"""The real process that plays a run, killed like one."""

import asyncio
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import msgspec

from core.lab.learning.campaign import WORKER
from core.lab.learning.plans import PLAN
from core.lab.learning.records import DONE
from tests.core.lab.learning.small import RUN, player, rows

ENDLESS = """
import itertools, sys, types
rounds = types.ModuleType("core.lab.learning.run")
rounds.play = lambda run, folder, report: [report(n) for n in itertools.count(1)]
sys.modules[rounds.__name__] = rounds
from core.lab.learning.worker import main
sys.exit(main())
"""
"""The worker with a run that never comes to its end."""


@contextmanager
def worker(folder: Path) -> Iterator[subprocess.Popen[bytes]]:
    with subprocess.Popen(  # noqa: S603 - our own program
        [*WORKER, str(folder)], stdout=subprocess.PIPE, stderr=subprocess.PIPE
    ) as process:
        yield process


def planned(folder: Path) -> Path:
    folder.mkdir()
    (folder / PLAN).write_bytes(msgspec.json.encode(RUN))
    return folder


def test_a_run_that_was_killed_comes_out_the_same(tmp_path: Path) -> None:
    """Kill -9 after a round that was not saved; what the next process makes of it is whole."""
    asyncio.run(player(RUN, tmp_path / "whole").play(lambda _: None))
    folder = planned(tmp_path / "killed")
    with worker(folder) as process:
        assert process.stdout is not None
        assert [process.stdout.readline() for _ in range(3)] == [b"1\n", b"2\n", b"3\n"]
        process.kill()
    assert not (folder / DONE).exists()
    with worker(folder) as process:
        said, errors = process.communicate()
    assert process.returncode == 0, errors
    assert said == b"3\n4\n5\n"
    assert rows(folder) == rows(tmp_path / "whole")
    assert (folder / DONE).exists()


def test_it_ends_when_nobody_listens(tmp_path: Path) -> None:
    """A campaign that was killed leaves no process behind that goes on for hours."""
    folder = planned(tmp_path / "left")
    command = [sys.executable, "-c", ENDLESS, str(folder)]
    with subprocess.Popen(  # noqa: S603 - the lines above
        command, stdout=subprocess.PIPE, stderr=subprocess.PIPE
    ) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == b"1\n"
        process.stdout.close()
        assert process.wait() != 0


def test_a_damaged_plan_ends_it_with_words(tmp_path: Path) -> None:
    """One line, no traceback, before any model is loaded."""
    (tmp_path / PLAN).write_text("{}")
    with worker(tmp_path) as process:
        said, errors = process.communicate()
    assert process.returncode == 1
    assert said == b""
    assert errors.decode().startswith(f"{tmp_path / PLAN} is damaged.")
    assert len(errors.splitlines()) == 1


def test_it_loads_no_model_before_it_knows_what_to_play() -> None:
    """The campaign imports nothing heavier."""
    code = "import sys, core.lab.learning.campaign, core.lab.learning.worker as w; "
    code += "sys.exit('torch' in sys.modules or 'numpy' in sys.modules)"
    subprocess.run([sys.executable, "-c", code], check=True)  # noqa: S603 - the line above
