"""A dead engine gets three more chances, each later than the one before."""

from app.backend.restarts import DELAYS_S, Restarts


def test_three_tries_with_growing_delays() -> None:
    """One, four, fifteen seconds; then none."""
    restarts = Restarts()
    delays = []
    while (delay := restarts.delay_s) is not None:
        delays.append(delay)
        restarts = restarts.after_try()
    assert tuple(delays) == DELAYS_S == (1, 4, 15)
