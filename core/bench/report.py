"""What a benchmark found, and how it is told."""

from collections.abc import Mapping

import msgspec

from core.bench.contest import Figure
from core.bench.material import LapWork

ARITHMETIC = "matrix multiplication"
MEMORY = "reading memory"


class Report(msgspec.Struct, frozen=True):
    """Everything about one run of one benchmark."""

    what: str
    model: str
    where: str  # device and precision
    threads: int
    laps: int  # of each contestant; figures are medians
    work: LapWork
    figures: dict[str, Figure]  # in the order in which they are told
    ours: str  # the figure that the others are compared with
    floor: float | None = None  # seconds that no program can beat here


def describe(report: Report) -> str:
    """Say in one line what was measured."""
    work = report.work
    tokens = f"{work.completion_tokens} tokens each"
    # Real rounds have prompts of any length, and answers that end when they like.
    length = f"{tokens} after {work.prompt_tokens}" if work.prompt_tokens else f"at most {tokens}"
    return (
        f"{report.what}, {report.model} on {report.where}, {report.threads} threads: "
        f"{work.groups} groups of {work.members}, {length}; "
        f"medians of {report.laps} alternating laps"
    )


def rows(report: Report) -> list[tuple[str, ...]]:
    """Name, seconds with their range, rate, memory, and how many times ours, of each figure."""
    told: list[tuple[str, ...]] = []
    ours = report.figures[report.ours].seconds
    for name, figure in report.figures.items():
        told.append(
            (
                name,
                f"{_seconds(figure.seconds)} ({_seconds(figure.least)}-{_seconds(figure.most)})",
                _rate(name, figure.rate),
                f"{figure.peak_mb:,.0f}" if figure.peak_mb is not None else "",
                _compared(name, figure.seconds / ours),
            )
        )
    if report.floor is not None:
        told.append(("floor", _seconds(report.floor), "", "", f"{report.floor / ours:.2f} x"))
    return told


HEADINGS = ("what", "seconds (range)", "per second", "peak MB", "time / ours")


def parts(figures: Mapping[str, Figure]) -> list[str]:
    """Say for each figure where its time went, where that is known."""
    lines = []
    for name, figure in figures.items():
        shares = [
            f"{part} {_seconds(seconds)} s ({seconds / figure.seconds:.1%})"
            for part, seconds in figure.parts.items()
        ]
        if shares:
            lines.append(f"{name}: {', '.join(shares)}")
    return lines


def _compared(name: str, ratio: float) -> str:
    return "" if name in (ARITHMETIC, MEMORY) else f"{ratio:.2f} x"


def _seconds(seconds: float) -> str:
    return f"{seconds:.3g}"


def _rate(name: str, rate: float) -> str:
    if name == ARITHMETIC:
        return f"{rate / 1e9:,.0f} GFLOP"
    if name == MEMORY:
        return f"{rate / 1e9:,.1f} GB"
    return f"{rate:,.0f} tokens" if rate else ""
