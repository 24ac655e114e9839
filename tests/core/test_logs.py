"""Where log lines go."""

import logging
from collections.abc import Iterator
from pathlib import Path

import pytest

from core.errors import HomeError
from core.logs import ENDS, MOST_LETTERS, log_to_file
from core.paths import Home


@pytest.fixture(autouse=True)
def own_logging() -> Iterator[None]:
    root = logging.getLogger()
    before, level = root.handlers[:], root.level
    yield
    for handler in root.handlers:
        if handler not in before:
            handler.close()
    root.handlers, root.level = before, level


def test_lines_land_in_the_home(tmp_path: Path) -> None:
    """A warning is found in the log file, with who said it."""
    home = Home(tmp_path)
    home.prepare()
    log_to_file(home)
    logging.getLogger("core.test").warning("something odd")
    assert "WARNING core.test: something odd" in (home.logs / "engine.log").read_text()


def test_nothing_that_was_quoted_fills_the_log(tmp_path: Path) -> None:
    """Long lines are cut, and of many the beginning and the end are kept."""
    home = Home(tmp_path)
    home.prepare()
    log_to_file(home)
    error = ValueError("x" * 10**6 + "\nand" * 10**5 + "\nthe end")
    logging.getLogger("core.test").error("odd: %s", "y" * 10**6, exc_info=error)
    lines = (home.logs / "engine.log").read_text(encoding="utf-8").splitlines()
    assert len(lines) == 2 * ENDS + 1
    assert max(map(len, lines)) == MOST_LETTERS + 1
    assert "ERROR core.test: odd: yyy" in lines[0]
    assert lines[1].startswith("ValueError: xxx")
    assert lines[-1] == "the end"


def test_nothing_that_was_quoted_commands_a_terminal(tmp_path: Path) -> None:
    """Nor does it end its line and begin another one; a traceback has its lines."""
    home = Home(tmp_path)
    home.prepare()
    log_to_file(home)
    error = ValueError("\x1b[2J\u202egnp")
    quoted = "\x1b]0;owned\x07 \x9b2J\n2026 INFO core: all is well"
    logging.getLogger("core.test").error("odd: %s", quoted, exc_info=error)
    lines = (home.logs / "engine.log").read_text(encoding="utf-8").splitlines()
    assert len(lines) == 2
    assert all(line.isprintable() for line in lines)
    assert lines[0].endswith(r"odd: \u001b]0;owned\u0007 \u009b2J\u000a2026 INFO core: all is well")
    assert lines[1] == r"ValueError: \u001b[2J\u202egnp"


def test_each_process_has_its_own_file(tmp_path: Path) -> None:
    """Two that rotate one file would lose lines."""
    home = Home(tmp_path)
    home.prepare()
    log_to_file(home, "helper")
    logging.getLogger("core.test").warning("something odd")
    assert [path.name for path in home.logs.iterdir()] == ["helper.log"]


def test_a_log_that_cannot_be_opened_is_explained(tmp_path: Path) -> None:
    """A folder in place of the file is a sentence, not a traceback."""
    home = Home(tmp_path)
    home.prepare()
    (home.logs / "engine.log").mkdir()
    with pytest.raises(HomeError, match="cannot use the folder"):
        log_to_file(home)


def test_trouble_with_logging_is_not_written_over_the_display(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """A line that cannot be logged is lost without a word."""
    home = Home(tmp_path)
    home.prepare()
    log_to_file(home)
    logging.getLogger("core.test").warning("%d", "no number")
    assert capsys.readouterr().err == ""
