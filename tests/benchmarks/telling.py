"""Printing a report: a table for people, and rows for RESULTS.md."""
# ruff: noqa: T201 - a script talks to the person who runs it

import shlex
import sys

from core.bench.contest import Lap
from core.bench.report import HEADINGS, Report, describe, parts, rows
from core.cli.output import print_table


def tell_lap(name: str, lap: Lap) -> None:
    """Show a person who waits that something happens."""
    print(f"{name}: {lap.seconds:.3g} s", file=sys.stderr, flush=True)


def tell(report: Report, name: str) -> None:
    """Print ``report`` twice: to be read, and to be pasted."""
    print(describe(report))
    print_table(HEADINGS, rows(report))
    for line in parts(report.figures):
        print(line)
    command = shlex.join(["dev.py", "bench", name, *sys.argv[1:]])
    print(f"\n`{command}`: {describe(report)}\n")
    print("|" + "|".join(HEADINGS) + "|\n" + "|---" * len(HEADINGS) + "|")
    for row in rows(report):
        print("| " + " | ".join(row) + " |")
