"""A frozen folder that does not do what it should is told apart from one that does."""

import sys
from pathlib import Path

import pytest

from installers.smoke_folder import ROUNDS, main

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="the fake program is a script")

FAKE = """\
#!/bin/sh
case "$*" in
*join*) for n in $(/usr/bin/seq {rounds}); do echo '{{"type":"round_finished"}}'; done ;;
*export*) printf {magic} > "$7" ;;
*doctor*) exit {doctor} ;;
esac
"""


def frozen(folder: Path, *, rounds: int = ROUNDS, magic: str = "GGUF", doctor: int = 0) -> Path:
    """A folder with a program that plays Waggle."""
    program = folder / "waggle"
    program.write_text(FAKE.format(rounds=rounds, magic=magic, doctor=doctor), "ascii")
    program.chmod(0o755)
    return folder


def test_a_folder_that_practises_and_exports_passes(tmp_path: Path) -> None:
    """All steps, exit code 0."""
    assert main([str(frozen(tmp_path))]) == 0


@pytest.mark.parametrize("change", [{"rounds": ROUNDS - 1}, {"magic": "none"}, {"doctor": 1}])
def test_a_folder_in_which_a_step_goes_wrong_fails(
    tmp_path: Path, change: dict[str, int], capsys: pytest.CaptureFixture[str]
) -> None:
    """Too few rounds, another file, a failing command."""
    assert main([str(frozen(tmp_path, **change))]) == 1  # type: ignore[arg-type]  # one of each
    assert "FAILED" in capsys.readouterr().out


def test_a_folder_without_the_program_fails(tmp_path: Path) -> None:
    """In words, not with a traceback."""
    assert main([str(tmp_path)]) == 1
