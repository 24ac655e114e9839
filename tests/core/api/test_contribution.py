"""Words about contribution cross the pipe unharmed."""

from datetime import date

import pytest
from msgspec.structs import replace

from core.api.contribution import MOST_DAYS, ContributionShown, Day, Figures, Milestone
from core.api.pipe import encode
from core.api.protocol import decode_answer
from core.errors import WireError

SHOWN = ContributionShown(
    id=3,
    today=date(2026, 11, 21),
    name="amber-otter-27",
    totals=Figures(rounds=2, seconds=1.5, tokens=9, answers=8, solved=1, shared=4, uncounted=1),
    learners=None,
    thanks=0,
    first_day=date(2026, 11, 20),
    active_days=1,
    streak=1,
    longest_streak=1,
    days=(Day(day=date(2026, 11, 20), rounds=2, seconds=1.5),),
    milestones=(Milestone(kind="rounds", goal=1, have=1, reached=date(2026, 11, 20)),),
)


@pytest.mark.parametrize(
    "wrong",
    [
        replace(SHOWN, thanks=-1),
        replace(SHOWN, name="x" * 65),
        replace(SHOWN, days=SHOWN.days * (MOST_DAYS + 1)),
        replace(SHOWN, totals=Figures(seconds=-0.1)),
    ],
)
def test_what_cannot_be_is_refused(wrong: ContributionShown) -> None:
    """The window draws nothing that is out of bounds."""
    with pytest.raises(WireError):
        decode_answer(encode(wrong))
