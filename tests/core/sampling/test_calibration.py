"""Which sampler is the fastest here."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.sampling.calibration import MOST_REPEATS, CalibrationStore, Verdict, fastest, predict
from tests.posix import files_no_larger

VERDICT = Verdict("this machine", {"torch": 1.0, "llama-f16": 2.0}, "torch")


class Workshop:
    """A clock, and a sampler that takes its time on it."""

    def __init__(self, start: float, per_token: float, neighbour: tuple[float, ...] = ()) -> None:
        self.now = 0.0
        self.runs = 0
        self._start, self._per_token = start, per_token
        self._neighbour = neighbour  # seconds that a busy neighbour adds, run by run

    def probe(self, tokens: int) -> None:
        delay = self._neighbour[self.runs] if self.runs < len(self._neighbour) else 0.0
        self.now += self._start + self._per_token * tokens + delay
        self.runs += 1

    def clock(self) -> float:
        return self.now


def test_a_round_is_predicted_from_two_short_probes() -> None:
    """Prompts cost once, tokens cost each: 0.01 s and 0.001 s a token make 0.058 s of 48."""
    shop = Workshop(start=0.01, per_token=0.001)
    assert predict(shop.probe, 48, shop.clock) == pytest.approx(0.058)


def test_a_busy_neighbour_and_a_cold_start_do_not_decide() -> None:
    """The warm-up is not counted, and of several runs the quickest is."""
    shop = Workshop(0.01, 0.001, neighbour=(5.0, 0.2, 0.0, 0.0, 0.3))
    assert predict(shop.probe, 48, shop.clock) == pytest.approx(0.058)


def test_a_slow_model_is_not_measured_again_and_again() -> None:
    """After a second what was seen counts: one warm-up, one short, one long run."""
    shop = Workshop(start=1.0, per_token=0.5)
    assert predict(shop.probe, 48, shop.clock) == pytest.approx(25.0)
    assert shop.runs == 3
    quick = Workshop(start=0.001, per_token=0.0)
    predict(quick.probe, 48, quick.clock)
    assert quick.runs == 1 + 2 * MOST_REPEATS


def test_the_fastest_is_chosen_and_the_preferred_of_equals() -> None:
    """What was not measured is never chosen over what was."""
    assert fastest({"torch": 2.0, "llama-f16": 1.0}, ["torch", "llama-f16"]) == "llama-f16"
    assert fastest({"torch": 1.0, "llama-f16": 1.0}, ["torch", "llama-f16"]) == "torch"
    assert fastest({"llama-f16": 1.0}, ["torch", "llama-f16"]) == "llama-f16"


def test_a_verdict_is_remembered_until_the_situation_changes(tmp_path: Path) -> None:
    """New hardware, versions or weights ask for another trial; other models keep theirs."""
    calibrations = CalibrationStore(tmp_path / "calibration.json")
    assert calibrations.verdict("spark", "this machine") is None
    calibrations.note("spark", VERDICT)
    calibrations.note("ember", VERDICT)
    assert calibrations.verdict("spark", "this machine") == VERDICT
    assert calibrations.verdict("spark", "another machine") is None
    assert calibrations.chosen() == {"spark": "torch", "ember": "torch"}


def test_what_the_disk_refuses_is_found_again(tmp_path: Path) -> None:
    """A measurement that cannot be kept is no error: a good sampler stays usable."""
    calibrations = CalibrationStore(tmp_path / "calibration.json")
    with files_no_larger(10):
        calibrations.note("spark", VERDICT)
    assert calibrations.verdict("spark", "this machine") is None


@given(st.binary(max_size=200))
def test_a_damaged_notebook_only_costs_another_trial(garbage: bytes) -> None:
    """Nothing that stands in the file can stop a start."""
    from tempfile import TemporaryDirectory

    with TemporaryDirectory() as folder:
        calibrations = CalibrationStore(Path(folder) / "calibration.json")
        calibrations.path.write_bytes(garbage)
        assert calibrations.verdict("spark", "this machine") is None
        calibrations.note("spark", VERDICT)
        assert calibrations.verdict("spark", "this machine") == VERDICT
