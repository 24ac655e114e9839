"""How ``dev.py windows`` tells Wine's own failures from ours, and says what is missing."""

from pathlib import Path

import pytest

import dev_windows
from dev_windows_trials import Outcome
from dev_wine import SOURCES

ROOT = Path(__file__).resolve().parent.parent

REPORT = """<?xml version="1.0" encoding="utf-8"?>
<testsuites><testsuite name="pytest" errors="1" failures="1" skipped="1" tests="4">
<testcase classname="tests.core.test_paths" name="test_one" time="0.1" />
<testcase classname="tests.core.test_paths" name="test_two[a]"><failure message="no">x</failure>
</testcase>
<testcase classname="tests.core.test_paths" name="test_three"><error message="worse">x</error>
</testcase>
<testcase classname="tests.core.test_paths" name="test_four"><skipped message="no" /></testcase>
</testsuite></testsuites>
"""
KNOWN = {"tests/core/test_paths.py::test_two": "Wine has none."}


def test_every_test_of_a_report_is_counted() -> None:
    """One that broke down before it began has failed, too."""
    found = dev_windows.outcomes(REPORT)
    assert [one.state for one in found] == ["passed", "failed", "failed", "skipped"]
    assert found[2] == Outcome("tests/core/test_paths.py::test_three", "failed", "worse")


def test_only_what_is_on_the_list_is_wines() -> None:
    """With any parameters, or with those that are named; all else that fails is ours."""
    row = dev_windows.row("paths", dev_windows.outcomes(REPORT), KNOWN)
    assert row == dev_windows.Row(
        "paths",
        passed=1,
        skipped=1,
        wine=("tests/core/test_paths.py::test_two[a]",),
        ours=("tests/core/test_paths.py::test_three",),
    )
    named = {"tests/core/test_paths.py::test_two[b]": "Wine has none."}
    assert dev_windows.row("paths", dev_windows.outcomes(REPORT), named).wine == ()


def test_the_table_adds_up_and_gives_reasons() -> None:
    """Whoever reads it sees why something is Wine's, and which are ours."""
    row = dev_windows.row("paths", dev_windows.outcomes(REPORT), KNOWN)
    text = dev_windows.table([row, dev_windows.Row("rounds", 4, 0)], KNOWN)
    assert "| all | 5 | 1 | 1 | 1 |" in text
    assert "Wine: tests/core/test_paths.py::test_two[a]: Wine has none." in text
    assert "OURS: tests/core/test_paths.py::test_three" in text


def test_the_list_names_tests_that_exist() -> None:
    """Each with a reason; a name that nothing has would hide nothing, and mislead."""
    known = dev_windows.known_failures((SOURCES / "known.toml").read_text(encoding="utf-8"))
    for name, reason in known.items():
        file, _, test = name.partition("::")
        if file.endswith(".py"):
            assert f"def {test.partition('[')[0]}(" in (ROOT / file).read_text(encoding="utf-8"), (
                name
            )
        assert reason.endswith("."), name


def test_the_groups_are_folders_and_files_that_exist() -> None:
    """A group that moved would be tested no more."""
    for names in dev_windows.GROUPS.values():
        for name in names:
            assert (ROOT / "tests" / name).exists(), name


def test_what_is_missing_is_named_by_its_package(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """In a line that can be typed, or with the way on Windows itself."""
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setattr("platform.system", lambda: "Linux")
    assert "apt-get install debootstrap gcc-mingw-w64-x86-64 npm wine xvfb" in (
        dev_windows.what_is_missing()
    )
    monkeypatch.setattr("platform.system", lambda: "Windows")
    assert "dev.py test" in dev_windows.what_is_missing()


def test_a_part_that_does_not_exist_is_told(capsys: pytest.CaptureFixture[str]) -> None:
    """With those that do; nothing is begun."""
    assert dev_windows.command_windows(["rouns"]) == 2
    assert "tests, rounds, setup, freeze" in capsys.readouterr().out
