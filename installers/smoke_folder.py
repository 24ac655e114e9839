"""Practises and exports with a frozen folder, on any system, without a screen.

    python3 -m installers.smoke_folder FOLDER

What a person does in the window is tested by ``installers.smoke``, on Linux.
"""

import argparse
import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Final

from installers.steps import SmokeError, step, verdict

ROUNDS: Final = 5
LONGEST_S: Final = 600.0
_KEPT: Final = ("SYSTEMROOT", "TEMP", "TMPDIR")
"""What a process cannot start without; nothing that leads to a Python of this system."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Run all steps; returns 1 if one fails, and says why."""
    parser = argparse.ArgumentParser(description=str(__doc__).split("\n", 1)[0])
    parser.add_argument("folder", type=Path, help="the frozen folder")
    program = parser.parse_args(arguments).folder.resolve() / _named("waggle")
    with tempfile.TemporaryDirectory(prefix="waggle-smoke-") as home:
        return verdict(lambda: smoke(program, Path(home)))


def smoke(program: Path, home: Path) -> None:
    """Look around, practise, take an exam's worth of what was learnt away.

    Raises:
        SmokeError: something is not as it should be.
        SubprocessError: a command failed, or took too long.
    """
    with step("asking for help"):
        _run(program, home, "--help")
    with step(f"{ROUNDS} rounds alone"):
        told = _run(program, home, "join", "--solo", "--rounds", str(ROUNDS), "--json")
        kinds = [json.loads(line)["type"] for line in told.splitlines()]
        if kinds.count("round_finished") != ROUNDS:
            raise SmokeError(f"not {ROUNDS} rounds, but {kinds}")
    with step("exporting a GGUF file"):
        out = home / "spark.gguf"
        _run(program, home, "export", "--to", "gguf", "--out", str(out))
        if out.read_bytes()[:4] != b"GGUF":
            raise SmokeError("what was exported is no GGUF file")
    with step("checking this computer"):
        _run(program, home, "doctor")


def _run(program: Path, home: Path, *arguments: str) -> str:
    kept = {name: os.environ[name] for name in _KEPT if name in os.environ}
    environment = {**kept, "HOME": str(home), "USERPROFILE": str(home), "PATH": ""}
    done = subprocess.run(  # noqa: S603 - the program under test
        [program, "--home", home / "data", *arguments],
        capture_output=True,
        check=True,
        cwd=home,
        encoding="utf-8",
        env=environment,
        timeout=LONGEST_S,
    )
    return done.stdout


def _named(program: str) -> str:
    return f"{program}.exe" if sys.platform == "win32" else program


if __name__ == "__main__":
    sys.exit(main())
