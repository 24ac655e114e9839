"""The rounds of a model cross the pipe unharmed."""

import pytest

from core.api.curves import MAX_POINTS
from core.api.events import Point
from core.api.history import HistoryShown, ShowHistory
from core.api.pipe import MAX_LINE, encode
from core.api.protocol import decode_answer, decode_request
from core.errors import WireError

POINTS = tuple(Point(n, 1 / 3, 2 / 3, 1.7e9 + n / 3, 1 / 7) for n in range(1, MAX_POINTS + 1))


def test_the_longest_history_fits_on_a_line() -> None:
    """And comes back equal, as does the question."""
    shown = HistoryShown(id=3, model="spark", history=POINTS)
    line = encode(shown)
    assert len(line) < MAX_LINE / 5
    assert decode_answer(line) == shown
    asked = ShowHistory(id=3, model="spark")
    assert decode_request(encode(asked)) == asked


def test_more_than_can_be_drawn_is_refused() -> None:
    """The window draws nothing that is out of bounds."""
    with pytest.raises(WireError):
        decode_answer(encode(HistoryShown(model="spark", history=(*POINTS, POINTS[-1]))))
