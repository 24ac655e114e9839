"""Light clients at their own pace against a hub that is measured."""

from core.lab.scale.load import LoadPlan, measure_load
from core.lab.scale.load_report import report


async def test_ten_clients_meet_at_a_hub_of_the_labs_own() -> None:
    """Everybody's exchanges are answered, everybody is drawn, and the hub's costs are known."""
    plan = LoadPlan(clients=10, period_s=0.5, seconds=2.0, groups=4, want=8)
    figures = report(await measure_load(plan))
    assert not figures.failures
    assert not figures.not_taken
    assert not figures.not_good
    assert figures.exchanges >= 20
    assert figures.authors == 10
    assert figures.drawn_per_round == 8
    assert 1 <= figures.requests_per_round < 1.5
    assert figures.up_per_round > 4 * 5_000
    assert figures.hub_rss_mb[0] > 10
    assert figures.hub_cpu_ms[0] > 0


async def test_a_hub_that_is_named_is_not_measured() -> None:
    """Nothing is started; nobody answers here, so all requests fail."""
    plan = LoadPlan(clients=2, period_s=0.2, seconds=0.5, hub="http://127.0.0.1:9")
    figures = report(await measure_load(plan))
    assert figures.exchanges == 0
    assert sum(figures.failures.values()) > 0
    assert figures.hub_cpu_ms == ()
