"""Only one Waggle on a home."""

from pathlib import Path

import pytest

from core.errors import HomeError, HomeInUseError
from core.paths import Home
from core.storage.home_lock import hold


def test_a_lock_that_cannot_be_made_is_explained(tmp_path: Path) -> None:
    """Something in its place is a sentence, and not another running Waggle."""
    (tmp_path / "lock").mkdir()
    with pytest.raises(HomeError) as caught, hold(Home(tmp_path)):
        pass
    assert not isinstance(caught.value, HomeInUseError)
