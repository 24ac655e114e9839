"""Where the engine is, why it ended, and what it said."""

import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest
from PySide6.QtCore import QProcess

from app.engine_process import (
    DESK_LOG_NAME,
    LOG_BYTES,
    LOG_NAME,
    OutputLog,
    desk_command,
    engine_command,
    reason_of_end,
)

_CRASHED, _ENDED = QProcess.ExitStatus.CrashExit, QProcess.ExitStatus.NormalExit


@pytest.mark.parametrize("command", [engine_command, desk_command])
def test_a_child_is_a_program_of_ours(
    tmp_path: Path, command: Callable[[Path], tuple[str, ...]]
) -> None:
    """No look-up on PATH; and it is told whose work it does."""
    done = subprocess.run(  # noqa: S603 - our own program
        [*command(tmp_path), "--help"], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    assert "--home" in done.stderr  # stdout is for events and answers alone
    assert command(tmp_path)[-2:] == ("--home", str(tmp_path))


def test_every_end_has_a_reason_in_words() -> None:
    """No exit code reaches a person."""
    reasons = {
        reason_of_end(status, code)
        for status, code in ((_CRASHED, 9), (_CRASHED, 11), (_ENDED, 1), (_ENDED, 0))
    }
    assert len(reasons) == 4
    assert not any(character.isdigit() for reason in reasons for character in reason)


def test_the_log_stays_small(tmp_path: Path) -> None:
    """However much the engine prints, two files of a bounded size are kept."""
    log = OutputLog(tmp_path)
    for _ in range(30):
        log.write(b"x" * 7_000 + b"\n" + b"y" * 40_000)
        log.write(b"\nTraceback: the reason\n" * 400)
    log.close()
    files = list(tmp_path.iterdir())
    assert len(files) == 2
    assert all(file.stat().st_size <= LOG_BYTES for file in files)
    assert "the reason" in (tmp_path / LOG_NAME).read_text(encoding="utf-8")


def test_two_children_write_two_files(tmp_path: Path) -> None:
    """Two that rotate one file would lose lines."""
    for log in (OutputLog(tmp_path), OutputLog(tmp_path, DESK_LOG_NAME)):
        log.write(b"a line\n")
        log.close()
    assert {path.name for path in tmp_path.iterdir()} == {LOG_NAME, DESK_LOG_NAME}


def test_a_log_that_cannot_be_written_does_no_harm(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Training goes on when its log cannot."""
    log = OutputLog(tmp_path / "is" / "not" / "there")
    log.write(b"a line\n")
    log.close()
    assert "a line" not in capsys.readouterr().out
