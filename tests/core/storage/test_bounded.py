"""A dict with a most."""

from hypothesis import given
from hypothesis import strategies as st

from core.storage.bounded import BoundedDict


@given(st.lists(st.integers(0, 9)), st.integers(1, 5))
def test_the_latest_stay(keys: list[int], most: int) -> None:
    """Whichever are set, in whatever order: the last ``most`` different ones, oldest first."""
    kept = BoundedDict[int, int](most)
    for number, key in enumerate(keys):
        kept[key] = number
    latest = list(dict.fromkeys(reversed(keys)))[:most]
    assert list(kept) == latest[::-1]


def test_what_is_old_goes() -> None:
    """From the one set first to the first that is not old; nothing is left of all old ones."""
    kept = BoundedDict[str, int](3)
    kept["a"], kept["b"], kept["c"] = 1, 5, 2
    kept.drop_while(lambda value: value < 3)
    assert kept == {"b": 5, "c": 2}
    kept.drop_while(lambda _: True)
    assert not kept


def test_reading_moves_nothing() -> None:
    """Only what is set counts as new, also by ``setdefault``."""
    kept = BoundedDict[str, int](2)
    kept["a"], kept["b"] = 1, 2
    assert kept["a"] == kept.setdefault("a", 5) == 1
    assert kept.setdefault("c", 3) == 3
    assert kept == {"b": 2, "c": 3}
