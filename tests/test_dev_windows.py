"""How ``dev.py windows`` tells Wine's own failures from ours, and says what is missing."""

import sys
from pathlib import Path

import pytest

import dev_windows
import dev_wine
from dev_windows_trials import Outcome
from dev_wine import SOURCES
from tests.fake_checkout import FakeTools

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
FAILURES = {"tests/core/test_paths.py::test_two": "Wine has none."}
INSTALL = "install --no-install-recommends"
KNOWN = dev_windows.Known(FAILURES, {"tests/core/test_paths.py::test_five": "It eats."})


def test_every_test_of_a_report_is_counted() -> None:
    """One that broke down before it began has failed, too."""
    found = dev_windows.outcomes(REPORT)
    assert [one.state for one in found] == ["passed", "failed", "failed", "skipped"]
    assert found[2] == Outcome("tests/core/test_paths.py::test_three", "failed", "worse")


def test_only_what_is_on_the_list_is_wines() -> None:
    """With any parameters, or with those that are named; all else that fails is ours."""
    row = dev_windows.row("paths", 3.2, dev_windows.outcomes(REPORT), FAILURES)
    assert row == dev_windows.Row(
        "paths",
        3.2,
        passed=1,
        skipped=1,
        wine=("tests/core/test_paths.py::test_two[a]",),
        ours=("tests/core/test_paths.py::test_three",),
    )
    named = {"tests/core/test_paths.py::test_two[b]": "Wine has none."}
    assert dev_windows.row("paths", 3.2, dev_windows.outcomes(REPORT), named).wine == ()


def test_the_table_adds_up_and_gives_reasons() -> None:
    """Whoever reads it sees why something is Wine's, and which are ours."""
    row = dev_windows.row("paths", 3.2, dev_windows.outcomes(REPORT), FAILURES)
    text = dev_windows.table([row, dev_windows.Row("rounds", 60, 4, 0)], KNOWN)
    assert "| paths | 1 | 1 | 1 | 1 | 3 |" in text
    assert "| all | 5 | 1 | 1 | 1 | 63 |" in text
    assert "Wine: tests/core/test_paths.py::test_two[a]: Wine has none." in text
    assert "OURS: tests/core/test_paths.py::test_three" in text
    assert "Left out" not in "\n".join(text)


def test_what_was_left_out_is_said_of_the_groups_that_were_run() -> None:
    """Nobody should take a test for passed that was not run."""
    text = dev_windows.table([dev_windows.Row("storage", 60, 4, 0)], KNOWN)
    assert text[-1] == "Left out: tests/core/test_paths.py::test_five: It eats."


def test_the_list_names_tests_that_exist() -> None:
    """Each with a reason; a name that nothing has would hide nothing, and mislead."""
    known = dev_windows.known_to_fail((SOURCES / "known.toml").read_text(encoding="utf-8"))
    assert known.failures
    assert known.left_out
    for name, reason in (*known.failures.items(), *known.left_out.items()):
        file, _, test = name.partition("::")
        if file.endswith(".py"):
            assert f"def {test.partition('[')[0]}(" in (ROOT / file).read_text(encoding="utf-8"), (
                name
            )
        assert reason.endswith("."), name


def test_the_groups_are_folders_files_and_tests_that_exist() -> None:
    """A group that moved would be tested no more."""
    for names in dev_windows.GROUPS.values():
        for name in names:
            file, _, test = name.partition("::")
            assert (ROOT / "tests" / file).exists(), name
            assert not test or f"def {test}(" in (ROOT / "tests" / file).read_text(encoding="utf-8")


@pytest.mark.skipif(sys.platform == "win32", reason="the fake tools are shell scripts")
def test_what_is_left_out_is_not_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The group is told so; where no report is made, the group has failed as a whole."""
    tools = FakeTools(tmp_path / "bin")
    tools.add("wine")
    monkeypatch.setenv("PATH", str(tools.folder))
    monkeypatch.setattr(dev_windows, "WORK", tmp_path)
    monkeypatch.setattr(dev_wine, "WORK", tmp_path)
    wine = dev_wine.Wine(tmp_path / "prefix")
    (found,) = dev_windows.tested(wine, tmp_path / "python.exe", "judge", ["a.py::test_five"])
    assert (found.name, found.state) == ("judge to its end", "failed")
    (call,) = tools.calls()
    assert "--deselect=a.py::test_five" in call
    assert call.endswith(" tests/core/test_windows_job.py")


@pytest.mark.parametrize(
    ("prefix", "line"),
    [
        ([], f": apt-get update && apt-get {INSTALL} debootstrap gcc-"),
        (["sudo", "-n"], f": sudo apt-get update && sudo apt-get {INSTALL} gcc-"),
        (None, f": sudo apt-get update && sudo apt-get {INSTALL} gcc-"),
    ],
)
def test_what_is_missing_is_named_by_its_package(
    prefix: list[str] | None, line: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """In a line that can be typed; whoever is not root is asked for nothing that takes root."""
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setattr("platform.system", lambda: "Linux")
    monkeypatch.setattr(dev_windows, "root_prefix", lambda: prefix)
    assert line in dev_windows.what_is_missing()
    assert dev_windows.what_is_missing().endswith("gcc-mingw-w64-x86-64 npm wine xvfb")
    monkeypatch.setattr("platform.system", lambda: "Windows")
    assert "dev.py test" in dev_windows.what_is_missing()


def test_a_part_that_does_not_exist_is_told(capsys: pytest.CaptureFixture[str]) -> None:
    """With those that do; nothing is begun."""
    assert dev_windows.command_windows(["rouns"]) == 2
    assert "rouns; there are: tests, rounds, setup, freeze, storage" in capsys.readouterr().out
