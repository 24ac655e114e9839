"""``dev.py windows``: what of Waggle runs on Windows, tried under Wine on Debian.

Tests on Windows' own Python, twenty rounds that are killed once, the setup, and the frozen app. It
ends with a table; what Wine itself cannot do is listed in ``packaging/wine/known.toml``.
"""

from __future__ import annotations

import platform
import shutil
import time
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from xml.etree import ElementTree as ET

from dev_system import root_prefix, say
from dev_windows_freeze import freeze
from dev_windows_python import make_python
from dev_windows_setup import setup
from dev_windows_trials import Outcome, outcome, rounds
from dev_wine import SOURCES, WORK, Wine, WineError, log_of, windows_path

PROGRAMS = {
    "wine": "wine",
    "x86_64-w64-mingw32-gcc": "gcc-mingw-w64-x86-64",
    "Xvfb": "xvfb",
    "npm": "npm",
}
"""What has to be there, and the package of Debian that has it; root needs debootstrap as well."""

KNOWN = SOURCES / "known.toml"
GROUPS = {
    "storage": (
        "core/storage",
        "core/test_paths.py",
        "core/test_children.py",
        "core/test_pipes.py",
    ),
    "engine": ("core/engine",),
    "helper": ("core/helper", "core/services/test_autostart.py"),
    "judge": (
        "core/models/policy/test_confined.py",
        "core/tasks/test_judge_child.py",
        "core/tasks/test_judge_messages.py",
        "core/tasks/test_judge_process.py",
        "core/tasks/test_scorer.py",
        "core/tasks/test_scorer_lifecycle.py",
        "core/tasks/test_confinement.py",
        "core/tasks/test_hostile_answers.py",
        "core/tasks/test_reasoning_tasks.py::test_puzzles_are_those_of_the_protocol",
        "core/tasks/test_reasoning_tasks.py::test_puzzles_are_the_same_in_another_process",
        "core/test_windows_job.py",
    ),
    "sensors": ("core/sensors",),
    "swarm": ("core/swarm",),
    "training": ("core/training",),
}
"""What is tested, below ``tests``; each group in a process of its own, that a crash ends alone.

Of the judge, and of others that are confined, what deals with the system, and that puzzles are the
protocol's: the rest computes.
"""

TRIALS = {"rounds": rounds, "setup": setup, "freeze": freeze}

# Strict about no option of pyproject.toml, since some are of pytest-qt, which is not there.
PYTEST = (
    *("-u", "-m", "pytest", "-v", "--tb=short", "--timeout=900", "-p", "no:cacheprovider"),
    "--durations=15",
    *("-o", "addopts=--strict-markers --import-mode=importlib", "-m", "not slow and not endurance"),
    *("-W", "ignore::pytest.PytestConfigWarning"),
)
GROUP_LIMIT_S = 3_600


@dataclass(frozen=True)
class Known:
    """Of Wine's own: what fails, and what is not even run, each with its reason."""

    failures: dict[str, str]
    left_out: dict[str, str]


@dataclass(frozen=True)
class Row:
    """A line of the table; ``wine`` and ``ours`` name what failed."""

    name: str
    seconds: float
    passed: int
    skipped: int
    wine: tuple[str, ...] = ()
    ours: tuple[str, ...] = ()


def command_windows(arguments: list[str]) -> int:
    """Try Waggle on a Windows under Wine: each PART, or those named; ends with a table.

    Parts are tests, or one group of them, rounds, setup and freeze. It takes Debian with Wine, and
    says what is missing; what it fetches and makes stays in build/windows.
    """
    chosen = arguments or ["tests", *TRIALS]
    parts = [part for name in chosen for part in (GROUPS if name == "tests" else [name])]
    if unknown := set(parts) - {*GROUPS, *TRIALS}:
        there = ", ".join(["tests", *TRIALS, *GROUPS])
        say(f"there is no part {', '.join(sorted(unknown))}; there are: {there}")
        return 2
    if lacking := what_is_missing():
        say(lacking)
        return 1
    began, known = time.monotonic(), known_to_fail(KNOWN.read_text(encoding="utf-8"))
    try:
        rows = _rows(parts, known)
    except WineError as error:
        say(str(error))
        return 1
    print("\n".join(table(rows, known)), flush=True)
    say(f"all took {time.monotonic() - began:.0f} s; what was said is in {WORK / 'logs'}")
    return min(sum(len(one.ours) for one in rows), 1)


def _rows(parts: list[str], known: Known) -> list[Row]:
    """Try each part, and count.

    Raises:
        WineError: what they need cannot be made.
    """
    rows = []
    wine = Wine(WORK / "prefix")
    wine.make()
    python = make_python(wine)
    for part in parts:
        began = time.monotonic()
        say(f"{part}, since {time.strftime('%H:%M')}")
        found = tried(wine, python, part, known)
        wine.end()
        rows.append(row(part, time.monotonic() - began, found, known.failures))
    return rows


def tried(wine: Wine, python: Path, part: str, known: Known) -> list[Outcome]:
    """What became of that part; one that cannot go on has failed, and the next ones are tried."""
    try:
        if part in TRIALS:
            return TRIALS[part](wine, python)
        return tested(wine, python, part, list(known.left_out))
    except WineError as error:
        return [outcome(part, is_so=False, words=str(error))]


def what_is_missing() -> str:
    """Why Windows cannot be tried here, and what to do; empty where it can."""
    if platform.system() != "Linux":
        return "this takes Debian with Wine. On Windows itself, run: dev.py test"
    is_root = root_prefix() == []
    wanted = {**PROGRAMS, "debootstrap": "debootstrap"} if is_root else PROGRAMS
    lacking = sorted(package for name, package in wanted.items() if not shutil.which(name))
    if not lacking:
        return ""
    get = "apt-get" if is_root else "sudo apt-get"
    names = " ".join(lacking)
    return (
        "programs are missing. On Debian, type: "
        f"{get} update && {get} install --no-install-recommends {names}"
    )


def known_to_fail(text: str) -> Known:
    """What fails because of Wine, and what is left out, from the text of known.toml."""
    import tomllib  # dev.py must be read by a Python that has none

    tables = tomllib.loads(text)
    failures, left_out = (
        {name: one["reason"] for one in tables.get(kind, []) for name in one["tests"]}
        for kind in ("fails", "left-out")
    )
    return Known(failures, left_out)


def tested(wine: Wine, python: Path, group: str, left_out: list[str]) -> list[Outcome]:
    """Run a group of tests there."""
    report = WORK / f"{group}.xml"
    report.unlink(missing_ok=True)
    where = [f"tests/{name}" for name in GROUPS[group]]
    rest = [f"--deselect={name}" for name in left_out]
    command = [python, *PYTEST, f"--junitxml={windows_path(report)}", *rest, *where]
    log = log_of(group)
    say(f"what its tests say comes into {log}")
    done = wine.run(*command, limit_s=GROUP_LIMIT_S, log=log)
    if not report.is_file():
        return [Outcome(f"{group} to its end", "failed", f"code {done.code}, see {log}")]
    return outcomes(report.read_text(encoding="utf-8"))


def outcomes(report: str) -> list[Outcome]:
    """What became of each test, from a report as JUnit writes it."""
    found = []
    for case in ET.fromstring(report).iter("testcase"):  # noqa: S314 - pytest's own
        name = f"{case.get('classname', '').replace('.', '/')}.py::{case.get('name')}"
        failure = case.find("failure") if case.find("failure") is not None else case.find("error")
        if failure is not None:
            found.append(Outcome(name, "failed", failure.get("message", "")))
        else:
            skipped = case.find("skipped") is not None
            found.append(Outcome(name, "skipped" if skipped else "passed"))
    return found


def row(name: str, seconds: float, found: Iterable[Outcome], failures: dict[str, str]) -> Row:
    """Count, and tell Wine's own failures from ours."""
    found = list(found)
    count = Counter(one.state for one in found)
    failed = [one.name for one in found if one.state == "failed"]
    return Row(
        name,
        seconds,
        count["passed"],
        count["skipped"],
        tuple(one for one in failed if _reason(one, failures)),
        tuple(one for one in failed if not _reason(one, failures)),
    )


def table(rows: list[Row], known: Known) -> list[str]:
    """The lines of the report: counts, and each failure and what was left out, with reasons."""
    lines = ["", "| | passed | skipped | Wine's own | ours | seconds |"]
    lines.append("|---|---:|---:|---:|---:|---:|")
    counts = [
        (one.passed, one.skipped, len(one.wine), len(one.ours), round(one.seconds)) for one in rows
    ]
    total = [sum(column) for column in zip(*counts, strict=True)]
    for name, numbers in zip([*(one.name for one in rows), "all"], [*counts, total], strict=True):
        lines.append(f"| {name} | {' | '.join(map(str, numbers))} |")
    lines.append("")
    lines += [f"Wine: {name}: {_reason(name, known.failures)}" for one in rows for name in one.wine]
    lines += [f"OURS: {name}" for one in rows for name in one.ours]
    run = tuple(f"tests/{name}" for one in rows for name in GROUPS.get(one.name, ()))
    lines += [
        f"Left out: {name}: {reason}"
        for name, reason in known.left_out.items()
        if name.startswith(run)
    ]
    return lines


def _reason(name: str, failures: dict[str, str]) -> str:
    """Why a test fails in Wine, by its name with parameters or without; empty if it should not."""
    return failures.get(name) or failures.get(name.partition("[")[0], "")
