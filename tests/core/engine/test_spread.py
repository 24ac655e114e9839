"""How far a swarm is apart."""

import pytest

from core.engine.spread import spread_of_authors
from core.rollouts.types import PeerId, ScoredGroup
from tests.fakes import peer_group, question


def tried(author: str, right: int, wrong: int) -> ScoredGroup:
    group = peer_group(1, right, wrong, PeerId(author * 64))
    return ScoredGroup(question(1), group, (1.0,) * right + (0.0,) * wrong)


def test_one_author_is_not_apart() -> None:
    """However much their groups differ."""
    assert spread_of_authors([]) is None
    assert spread_of_authors([tried("b", 4, 0), tried("b", 0, 4)]) is None


def test_authors_count_once_each() -> None:
    """The spread is that of their means, not of their groups."""
    groups = [tried("b", 4, 0), tried("b", 0, 4), tried("c", 1, 3)]
    assert spread_of_authors(groups) == pytest.approx(0.125)
