"""What is expected of a question before it is answered."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.rollouts.prior import ALIKE, BetaPrior

shares = st.floats(0.01, 0.99)


@given(shares, st.floats(*ALIKE))
def test_the_variance_of_a_cell_is_that_of_its_distribution(share: float, alike: float) -> None:
    """E[q(1 - q)] of Beta(a, b), from its moments, is what was measured."""
    prior = BetaPrior.of_cell(share, alike * share * (1 - share))
    a, b = prior.concentration * share, prior.concentration * (1 - share)
    square = a * (a + 1) / ((a + b) * (a + b + 1))
    assert share - square == pytest.approx(alike * share * (1 - share))


@given(shares, st.floats(0, 0.25))
def test_no_cell_is_taken_to_be_all_alike_or_all_or_nothing(share: float, variance: float) -> None:
    """Whatever chance measured: neither the cell nor the question is ever out of the count."""
    least, most = (alike / (1 - alike) for alike in ALIKE)
    concentration = BetaPrior.of_cell(share, variance).concentration
    assert least <= concentration <= most + 1e-9


def test_a_concentration_counts_as_so_many_answers() -> None:
    """Worked out by hand; without any answer, the mean of the cell."""
    prior = BetaPrior(0.5, concentration=4.0)
    assert prior.posterior_mean([]) == 0.5
    assert prior.posterior_mean([1.0, 1.0, 1.0]) == pytest.approx(5 / 7)
