"""Which sequences of an author were taken."""

from hypothesis import given
from hypothesis import strategies as st

from core.hub.marks import Marks
from core.wire.codec import AUTHOR_SLOTS

sequences = st.lists(st.integers(0, 2**63 - 1) | st.integers(0, 300), max_size=400)


@given(sequences)
def test_nothing_is_taken_twice_whatever_comes(sequences: list[int]) -> None:
    """In whatever order, over restarts, and in bounded memory; what is new and high is taken."""
    taken = set[int]()
    kept = b""
    for sequence in sequences:
        marks = Marks(kept)
        is_new = marks.take(sequence)
        assert not (is_new and sequence in taken)
        newest = sorted(taken)[-AUTHOR_SLOTS:]
        if sequence not in taken and (len(newest) < AUTHOR_SLOTS or sequence > newest[0]):
            assert is_new
        taken |= {sequence} if is_new else set()
        kept = marks.packed()
        assert len(kept) <= 8 * AUTHOR_SLOTS
