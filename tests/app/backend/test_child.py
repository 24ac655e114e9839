"""A process of ours as the window sees it: lines, a log, and one end."""

import sys
from pathlib import Path

import pytest
from PySide6.QtCore import QProcess
from pytestqt.qtbot import QtBot

from app.backend.child import Child, reason_of_end
from app.backend.output_log import OutputLog

LOG = "child.log"
_CRASHED, _ENDED = QProcess.ExitStatus.CrashExit, QProcess.ExitStatus.NormalExit
_ECHO = "import sys\nfor line in sys.stdin: print(line.strip()[::-1], flush=True)"
_SPEAKS_LAST = "import sys\nsys.stdout.write('last\\n')\nsys.stderr.write('why\\n')\nsys.exit(3)"


class Listener:
    """Everything a child says."""

    def __init__(self, child: Child) -> None:
        self.lines: list[bytes] = []
        self.ends: list[str] = []
        child.line_read.connect(self.lines.append)
        child.ended.connect(self.ends.append)


def child_of(script: str, home: Path) -> tuple[Child, Listener]:
    child = Child([sys.executable, "-c", script], OutputLog(home, LOG))
    return child, Listener(child)


def test_what_is_written_is_read_and_answered(tmp_path: Path, qtbot: QtBot) -> None:
    """In lines, both ways; letting go of its stdin ends it, and it can be started again."""
    child, heard = child_of(_ECHO, tmp_path)
    for times in (1, 2):
        child.start()
        child.write(b"abc\n")
        qtbot.waitUntil(lambda: len(heard.lines) == times)  # noqa: B023 - called in this turn
        child.let_go()
        qtbot.waitUntil(lambda: len(heard.ends) == times)  # noqa: B023
        assert not child.is_running
    assert heard.lines == [b"cba", b"cba"]


def test_last_words_come_before_the_end(tmp_path: Path, qtbot: QtBot) -> None:
    """Also those that were still in the pipe when the process was gone; its log is kept."""
    child, heard = child_of(_SPEAKS_LAST, tmp_path)
    child.ended.connect(lambda _: heard.lines.append(b"(ended)"))
    child.start()
    qtbot.waitUntil(lambda: bool(heard.ends))
    assert heard.lines == [b"last", b"(ended)"]
    assert heard.ends == ["it ended with an error"]
    log = (tmp_path / LOG).read_text(encoding="utf-8")
    assert "why" in log
    assert "It ended with 3" in log


def test_one_that_is_killed_ends_once(tmp_path: Path, qtbot: QtBot) -> None:
    """And says so in words."""
    child, heard = child_of(_ECHO, tmp_path)
    child.start()
    child.write(b"x\n")
    qtbot.waitUntil(lambda: bool(heard.lines))
    child.kill()
    qtbot.waitUntil(lambda: bool(heard.ends))
    child.kill()
    assert len(heard.ends) == 1


@pytest.mark.parametrize("use", [Child.let_go, Child.kill, lambda child: child.write(b"x\n")])
def test_nobody_hears_what_is_asked_of_no_process(tmp_path: Path, use: object) -> None:
    """A child that was never started has nothing to let go of."""
    child, heard = child_of(_ECHO, tmp_path)
    assert callable(use)
    use(child)
    assert heard.ends == []


def test_a_program_that_is_not_there_ends_at_once(tmp_path: Path, qtbot: QtBot) -> None:
    """Qt tells no end of what never began; the child does."""
    child = Child([str(tmp_path / "missing")], OutputLog(tmp_path, LOG))
    heard = Listener(child)
    child.start()
    qtbot.waitUntil(lambda: bool(heard.ends))
    assert heard.ends == ["it could not be started"]
    assert not child.is_running


def test_every_end_has_a_reason_in_words() -> None:
    """No exit code reaches a person."""
    reasons = {
        reason_of_end(status, code)
        for status, code in ((_CRASHED, 9), (_CRASHED, 11), (_ENDED, 1), (_ENDED, 0))
    }
    assert len(reasons) == 4
    assert not any(character.isdigit() for reason in reasons for character in reason)
