"""The claim under all others: practice makes the model better, on puzzles it never saw too."""

import pytest

from tests.benchmarks.bench_learning import learn


@pytest.mark.endurance
@pytest.mark.timeout(2_400)
def test_a_model_alone_gets_better_in_four_of_five_seeds() -> None:
    """150 rounds: last 30 at least 1.3 times the first 30; exam better by over two errors."""
    runs = [learn("spark", seed, 150) for seed in range(1, 6)]
    good = [r for r in runs if r.ratio >= 1.3 and r.gain > 2 * r.both_errors]
    assert len(good) >= 4, runs
