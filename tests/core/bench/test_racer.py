"""The child that races."""

import pytest

from core.bench import card_checks, races, random_models, trl_race
from core.bench.racer import race_of


def test_every_contestant_has_a_name() -> None:
    """Those of the races, the checks of a card, and TRL."""
    assert race_of("sampling") is races.sample
    assert race_of("build") is random_models.race
    assert race_of("check") is card_checks.race
    assert race_of("trl") is trl_race.race
    with pytest.raises(KeyError):
        race_of("snail")
