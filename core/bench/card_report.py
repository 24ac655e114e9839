"""What ``waggle bench gpu`` found: kept as JSON, told in Markdown."""

import time
from pathlib import Path
from typing import Final

import msgspec

from core.bench.contest import Figure
from core.storage.files import replace_file


class CardCheck(msgspec.Struct, frozen=True):
    """One comparison of a device with the processor."""

    precision: str
    what: str
    found: float | None  # difference; None in JSON: not a number
    most: float  # that is tolerated
    passed: bool
    words: str = ""


class CardRow(msgspec.Struct, frozen=True):
    """One thing that was measured, or why it was not."""

    model: str
    what: str
    rows: int  # sequences in a lap
    who: str  # Waggle, or whom it is compared with
    figure: Figure | None = None
    trouble: str = ""


class CardReport(msgspec.Struct, frozen=True):
    """All about one run."""

    device: str  # as the settings name it
    title: str  # as its maker does
    memory: int  # bytes
    dtype: str
    versions: str
    at: float  # unix seconds
    seconds: float
    is_small: bool  # stand-in sizes: what is proven is that it runs, and no speed
    checks: tuple[CardCheck, ...] = ()
    trouble: str = ""  # that kept the device from being checked
    rows: tuple[CardRow, ...] = ()

    @property
    def passed(self) -> bool:
        """Whether the device does what the processor does."""
        return bool(self.checks) and all(check.passed for check in self.checks)


_CHECKED: Final = ("precision", "what", "difference", "tolerated", "", "")
_MEASURED: Final = ("model", "what", "rows", "who", "s (range)", "tokens/s", "peak MB", "notes")


def _check_rows(report: CardReport) -> list[tuple[str, ...]]:
    """The checks, a row each."""
    return [
        (
            check.precision,
            check.what,
            "" if check.found is None else f"{check.found:.2g}",
            f"{check.most:g}",
            "ok" if check.passed else "FAILED",
            check.words,
        )
        for check in report.checks
    ]


def _measured_rows(report: CardReport) -> list[tuple[str, ...]]:
    """What was measured, a row each."""
    return [
        (row.model, row.what, str(row.rows) if row.rows else "", row.who, *_cells(row))
        for row in report.rows
    ]


def _heading(report: CardReport) -> str:
    """One line about device, versions and time."""
    day = time.strftime("%Y-%m-%d", time.localtime(report.at))
    small = "; stand-in sizes, so no speed is told by it" if report.is_small else ""
    return (
        f"{report.title} ({report.device}, {report.memory / 1e9:.0f} GB), {report.dtype}, "
        f"{report.versions}, {day}, {report.seconds:.0f} s{small}"
    )


def in_markdown(report: CardReport) -> str:
    """The report as a section of a Markdown file."""
    parts = [f"## {_heading(report)}", ""]
    if report.trouble:
        parts += [f"The device could not be checked: {report.trouble}", ""]
    parts += _table(_CHECKED, _check_rows(report))
    parts += _table(_MEASURED, _measured_rows(report))
    return "\n".join(parts)


def keep(report: CardReport, path: Path) -> Path:
    """Write ``report`` to ``path`` as JSON, and as Markdown beside it; return the latter.

    Raises:
        HomeError: it cannot be written.
    """
    replace_file(path, msgspec.json.format(msgspec.json.encode(report), indent=1))
    beside = path.with_suffix(".md")
    replace_file(beside, in_markdown(report).encode())
    return beside


def _table(headings: tuple[str, ...], rows: list[tuple[str, ...]]) -> list[str]:
    if not rows:
        return []
    lines = ["| " + " | ".join(headings) + " |", "|" + "---|" * len(headings)]
    lines += ["| " + " | ".join(_plain(cell) for cell in row) + " |" for row in rows]
    return [*lines, ""]


def _plain(cell: str) -> str:
    return " ".join(cell.replace("|", "/").split())


def _cells(row: CardRow) -> tuple[str, str, str, str]:
    figure = row.figure
    if figure is None:
        return "", "", "", row.trouble
    parts = ", ".join(f"{part} {seconds:.3g} s" for part, seconds in figure.parts.items())
    peak = "" if figure.peak_mb is None else f"{figure.peak_mb:,.0f}"
    span = f"{figure.seconds:.3g} ({figure.least:.3g}-{figure.most:.3g})"
    return span, f"{figure.rate:,.0f}", peak, parts
