"""Only one Waggle on a home."""

import asyncio
from contextlib import ExitStack
from pathlib import Path

import pytest

from core.errors import HomeError, HomeInUseError
from core.paths import Home
from core.storage import home_lock
from core.storage.home_lock import hold, hold_within


def test_a_lock_that_cannot_be_made_is_explained(tmp_path: Path) -> None:
    """Something in its place is a sentence, and not another running Waggle."""
    (tmp_path / "lock").mkdir()
    with pytest.raises(HomeError) as caught, hold(Home(tmp_path)):
        pass
    assert not isinstance(caught.value, HomeInUseError)


async def test_whoever_is_about_to_end_is_waited_for(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The engine of a window that was killed, when the next window joins."""
    monkeypatch.setattr(home_lock, "LOOK_EVERY_S", 0)
    with ExitStack() as other:
        other.enter_context(hold(Home(tmp_path)))
        asyncio.get_running_loop().call_soon(other.close)  # after the first look
        async with hold_within(Home(tmp_path), 60):
            with pytest.raises(HomeInUseError), hold(Home(tmp_path)):
                pass
    with hold(Home(tmp_path)):
        pass


async def test_whoever_stays_is_told_of(tmp_path: Path) -> None:
    """Once the patience is over."""
    with hold(Home(tmp_path)), pytest.raises(HomeInUseError):
        async with hold_within(Home(tmp_path), 0):
            pass
