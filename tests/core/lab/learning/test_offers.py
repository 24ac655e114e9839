"""What can be asked of the lab by name."""

import pytest

from core.lab.learning.offers import OFFERS, Offer
from core.lab.learning.plans import Setting


@pytest.mark.parametrize("offer", OFFERS, ids=lambda offer: offer.name)
def test_an_experiment_can_be_played_with_what_is_usual_for_it(offer: Offer) -> None:
    """Nobody is ahead by nothing, and some node is always behind."""
    setting = Setting(offer.models, offer.rounds, offer.rate, head_start=offer.head_start)
    arms = offer.make(setting).arms
    assert offer.head_start > 0 or not any(arm.ahead for arm in arms)
    assert max(arm.ahead for arm in arms) < len(offer.models)


def test_experiments_that_share_a_folder_share_their_setting() -> None:
    """Or runs of the same name would not be the same runs."""
    by_folder: dict[object, set[object]] = {}
    for one in OFFERS:
        if not one.decks:
            plan = one.models, one.rounds, one.rate, one.levels, one.practice
            exams = one.exam_every, one.exam_puzzles, one.head_start
            by_folder.setdefault(one.folder, set()).add((plan, exams))
    assert all(len(settings) == 1 for settings in by_folder.values())
