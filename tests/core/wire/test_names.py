"""Friendly names."""

import re

from core.rollouts.types import PeerId
from core.wire.names import BEINGS, DESCRIPTIONS, friendly_name


def test_a_name_is_two_words_and_two_digits() -> None:
    """As in amber-finch-27, whatever the peer."""
    for number in range(200):
        assert re.fullmatch(r"[a-z]+-[a-z]+-[1-9][0-9]", friendly_name(PeerId(f"{number:064x}")))


def test_a_name_never_changes() -> None:
    """The same peer has the same name on every machine and in every release."""
    assert friendly_name(PeerId("0" * 64)) == "emerald-elk-49"


def test_names_seldom_collide() -> None:
    """Among a thousand nodes at most a few share a name."""
    names = {friendly_name(PeerId(f"{number:064x}")) for number in range(1_000)}
    assert len(names) > 990


def test_the_lists_are_clean() -> None:
    """Words are distinct, in order, and no word is in both lists."""
    for words in (DESCRIPTIONS, BEINGS):
        assert list(words) == sorted(set(words))
    assert not set(DESCRIPTIONS) & set(BEINGS)
    assert len(DESCRIPTIONS) * len(BEINGS) * 90 > 1_000_000
