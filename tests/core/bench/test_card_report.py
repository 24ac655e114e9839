"""What was found of a card."""

from pathlib import Path

import msgspec

from core.bench.card_report import CardCheck, CardReport, CardRow, in_markdown, keep
from core.bench.contest import Figure

FINE = CardCheck("float32", "gradient", 0.0001, 0.001, passed=True)
WRONG = CardCheck("bfloat16", "everything", float("nan"), 0.0, passed=False, words="no | kernel")
ROW = CardRow("spark", "sampling", 64, "Waggle", Figure(0.5, 0.4, 0.7, 2_560.0, 310.0))
LATE = CardRow("qwen2.5-1.5b", "update", 72, "Waggle", trouble="no time was left")
REPORT = CardReport(
    device="cuda:0",
    title="NVIDIA A",
    memory=8 * 10**9,
    dtype="bfloat16",
    versions="torch 2",
    at=0.0,
    seconds=61.0,
    is_small=False,
    checks=(FINE,),
)


def test_a_card_passes_with_every_check() -> None:
    """And not without any."""
    assert REPORT.passed
    assert not msgspec.structs.replace(REPORT, checks=(FINE, WRONG)).passed
    assert not msgspec.structs.replace(REPORT, checks=()).passed


def test_the_tables_say_all_and_stay_tables() -> None:
    """What is missing says why; a bar in an error's words breaks no row."""
    text = in_markdown(msgspec.structs.replace(REPORT, checks=(WRONG,), rows=(ROW, LATE)))
    assert "| bfloat16 | everything | nan | 0 | FAILED | no / kernel |" in text
    assert "| spark | sampling | 64 | Waggle | 0.5 (0.4-0.7) | 2,560 | 310 |" in text
    assert "no time was left" in text


def test_both_forms_are_kept(tmp_path: Path) -> None:
    """JSON that is read again, and Markdown beside it."""
    beside = keep(REPORT, tmp_path / "gpu-bench.json")
    assert beside.read_text().startswith("## NVIDIA A (cuda:0, 8 GB), bfloat16")
    read = msgspec.json.decode((tmp_path / "gpu-bench.json").read_bytes(), type=CardReport)
    assert read == REPORT
