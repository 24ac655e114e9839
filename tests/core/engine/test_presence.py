"""Who is around."""

from core.engine.presence import FORGET_AFTER_S, MOST, Change, Presence
from core.rollouts.types import PeerId

A, B = PeerId("a" * 64), PeerId("b" * 64)


def test_a_peer_joins_once_and_leaves_after_silence() -> None:
    """Joined at the first sound, left after five silent minutes, joined again on return."""
    known = Presence()
    assert known.update([A, A, B], 0.0) == Change((A, B), ())
    assert known.update([A], 200.0) == Change((), ())
    assert known.update([], FORGET_AFTER_S + 1) == Change((), (B,))
    assert known.update([B], FORGET_AFTER_S + 2) == Change((B,), ())


def test_a_flood_of_identities_is_forgotten_oldest_first() -> None:
    """A million false names cost a thousand entries."""
    known = Presence()
    for number in range(3 * MOST):
        known.update([PeerId(f"{number:064x}")], 0.0)
    assert known.update([PeerId(f"{3 * MOST - 1:064x}")], 0.0) == Change((), ())
    assert known.update([PeerId(f"{0:064x}")], 0.0).joined
