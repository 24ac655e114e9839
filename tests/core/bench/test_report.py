"""How a benchmark is told."""

import msgspec

from core.bench.contest import Figure
from core.bench.material import LapWork
from core.bench.report import ARITHMETIC, HEADINGS, Report, describe, parts, rows

WORK = LapWork(groups=8, members=8, prompt_tokens=60, completion_tokens=20)
OURS = Figure(0.5, 0.4, 0.6, 2_560.0, parts={"judging": 0.01})
THEIRS = Figure(2.0, 1.9, 2.2, 640.0, peak_mb=1_234.5)
REPORT = Report(
    what="sampling",
    model="spark",
    where="cpu in float32",
    threads=2,
    laps=5,
    work=WORK,
    figures={"generate": THEIRS, "torch": OURS, ARITHMETIC: Figure(0.1, 0.1, 0.1, 8e11)},
    ours="torch",
    floor=0.05,
)


def test_others_are_told_as_multiples_of_ours() -> None:
    """Four times as long is 4; the floor is told in the same way and ceilings are not."""
    told = {row[0]: row[1:] for row in rows(REPORT)}
    assert told["generate"] == ("2 (1.9-2.2)", "640 tokens", "1,234", "4.00 x")
    assert told["torch"][-1] == "1.00 x"
    assert told["floor"][-1] == "0.10 x"
    assert told[ARITHMETIC][1:] == ("800 GFLOP", "", "")
    assert {len(row) for row in rows(REPORT)} == {len(HEADINGS)}


def test_the_shares_of_a_round_are_told() -> None:
    """In seconds and as a part of the whole, where they are known."""
    assert parts(REPORT.figures) == ["torch: judging 0.01 s (2.0%)"]


def test_what_was_measured_fits_a_line() -> None:
    """Model, machine, work and repetitions."""
    line = describe(REPORT)
    assert "\n" not in line
    for word in ("spark", "float32", "2 threads", "8 groups of 8", "20 tokens", "5 alternating"):
        assert word in line


def test_real_rounds_have_no_fixed_length() -> None:
    """What is told of them is the most that an answer may have."""
    work = LapWork(groups=8, members=8, prompt_tokens=0, completion_tokens=48)
    line = describe(msgspec.structs.replace(REPORT, work=work))
    assert "groups of 8, at most 48 tokens each; medians" in line
