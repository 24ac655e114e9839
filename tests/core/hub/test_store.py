"""What a store may leave out; what stores promise is in ``test_store_conformance.py``."""

from hypothesis import given
from hypothesis import strategies as st

from core.hub.store import HubNote, newest
from core.rollouts.types import PeerId
from core.wire.codec import AUTHOR_NOTES

PEERS = [PeerId(f"{number:064x}") for number in range(AUTHOR_NOTES + 20)]

batches = st.lists(
    st.builds(HubNote, st.sampled_from(PEERS[:3]), st.sampled_from(PEERS), st.binary(max_size=2)),
    max_size=300,
)


@given(batches)
def test_only_what_an_inbox_would_keep_is_left(notes: list[HubNote]) -> None:
    """The same as putting them into inboxes one by one, and in the order in which they came."""
    inboxes: dict[PeerId, list[HubNote]] = {}
    for note in notes:
        inbox = inboxes.setdefault(note.author, [])
        inbox[:] = [other for other in inbox if other.sender != note.sender] + [note]
        del inbox[:-AUTHOR_NOTES]
    kept = newest(notes)
    for author, inbox in inboxes.items():
        assert [note for note in kept if note.author == author] == inbox
    assert len(kept) == sum(map(len, inboxes.values()))


def test_equal_notes_are_one() -> None:
    """Saying the same thing twice takes no second place, even if it is the same object."""
    note = HubNote(PEERS[0], PEERS[1], b"thanks")
    assert newest([note, note]) == [note]
