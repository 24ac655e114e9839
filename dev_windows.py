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

from dev_windows_setup import setup
from dev_windows_trials import Outcome, freeze, rounds
from dev_wine import (
    SOURCES,
    WORK,
    Wine,
    WineError,
    keep_log,
    make_python,
    tell,
    windows_path,
)

PROGRAMS = {
    "wine": "wine",
    "x86_64-w64-mingw32-gcc": "gcc-mingw-w64-x86-64",
    "Xvfb": "xvfb",
    "npm": "npm",
    "debootstrap": "debootstrap",
}
"""What has to be there, and the package of Debian that has it."""

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
    "judge": ("core/tasks", "core/test_windows_job.py"),
    "sensors": ("core/sensors",),
    "swarm": ("core/swarm",),
    "training": ("core/training",),
}
"""What is tested, below ``tests``; each group in a process of its own, that a crash ends alone."""

# Strict about no option of pyproject.toml, since some are of pytest-qt, which is not there.
PYTEST = (
    *("-u", "-m", "pytest", "-q", "--tb=short", "--timeout=900", "-p", "no:cacheprovider"),
    *("-o", "addopts=--strict-markers --import-mode=importlib", "-m", "not slow and not endurance"),
    *("-W", "ignore::pytest.PytestConfigWarning"),
)
GROUP_LIMIT_S = 3_600


@dataclass(frozen=True)
class Row:
    """A line of the table; ``wine`` and ``ours`` name what failed."""

    name: str
    passed: int
    skipped: int
    wine: tuple[str, ...] = ()
    ours: tuple[str, ...] = ()


def command_windows(arguments: list[str]) -> int:
    """Try Waggle on a Windows under Wine: each PART, or those named; ends with a table.

    Parts are tests, rounds, setup and freeze. It takes Debian with Wine, and says what is missing;
    what it fetches and makes stays in build/windows.
    """
    parts = {"tests": None, "rounds": rounds, "setup": setup, "freeze": freeze}
    if unknown := set(arguments) - parts.keys():
        tell(f"there is no part {', '.join(sorted(unknown))}; there are: {', '.join(parts)}")
        return 2
    if lacking := what_is_missing():
        tell(lacking)
        return 1
    began, rows = time.monotonic(), list[Row]()
    known = known_failures(KNOWN.read_text(encoding="utf-8"))
    try:
        wine = Wine(WORK / "prefix")
        wine.make()
        python = make_python(wine)
        for name in arguments or parts:
            if trial := parts[name]:
                rows.append(row(name, trial(wine, python), known))
            else:
                rows += [row(group, tested(wine, python, group), known) for group in GROUPS]
            wine.end()
    except WineError as error:
        tell(str(error))
        return 1
    print("\n".join(table(rows, known)), flush=True)
    tell(f"all took {time.monotonic() - began:.0f} s; what was said is in {WORK / 'logs'}")
    return min(sum(len(one.ours) for one in rows), 1)


def what_is_missing() -> str:
    """Why Windows cannot be tried here, and what to do; empty where it can."""
    if platform.system() != "Linux":
        return "this takes Debian with Wine. On Windows itself, run: dev.py test"
    lacking = sorted(package for name, package in PROGRAMS.items() if not shutil.which(name))
    if not lacking:
        return ""
    return f"programs are missing. On Debian, type: sudo apt-get install {' '.join(lacking)}"


def known_failures(text: str) -> dict[str, str]:
    """What fails because of Wine, with the reason of each, from the text of known.toml."""
    import tomllib  # dev.py must be read by a Python that has none

    tables = tomllib.loads(text).get("known", [])
    return {name: one["reason"] for one in tables for name in one["failures"]}


def tested(wine: Wine, python: Path, group: str) -> list[Outcome]:
    """Run a group of tests there."""
    tell(f"tests of {group}")
    report = WORK / f"{group}.xml"
    report.unlink(missing_ok=True)
    where = [f"tests/{name}" for name in GROUPS[group]]
    command = [python, *PYTEST, f"--junitxml={windows_path(report)}", *where]
    done = wine.run(*command, limit_s=GROUP_LIMIT_S)
    log = keep_log(group, done.text)
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


def row(name: str, found: Iterable[Outcome], known: dict[str, str]) -> Row:
    """Count, and tell Wine's own failures from ours."""
    found = list(found)
    count = Counter(one.state for one in found)
    failed = [one.name for one in found if one.state == "failed"]
    return Row(
        name,
        count["passed"],
        count["skipped"],
        tuple(one for one in failed if _reason(one, known)),
        tuple(one for one in failed if not _reason(one, known)),
    )


def table(rows: list[Row], known: dict[str, str]) -> list[str]:
    """The lines of the report: counts, then each failure of Wine's with its reason, then ours."""
    lines = ["", "| | passed | skipped | Wine's own | ours |", "|---|---:|---:|---:|---:|"]
    total = [
        sum(numbers)
        for numbers in zip(
            *((one.passed, one.skipped, len(one.wine), len(one.ours)) for one in rows), strict=True
        )
    ]
    for one in rows:
        numbers = one.passed, one.skipped, len(one.wine), len(one.ours)
        lines.append(f"| {one.name} | {' | '.join(map(str, numbers))} |")
    lines += [f"| all | {' | '.join(map(str, total))} |", ""]
    lines += [f"Wine: {name}: {_reason(name, known)}" for one in rows for name in one.wine]
    lines += [f"OURS: {name}" for one in rows for name in one.ours]
    return lines


def _reason(name: str, known: dict[str, str]) -> str:
    """Why a test fails in Wine, by its name with parameters or without; empty if it should not."""
    return known.get(name) or known.get(name.partition("[")[0], "")
