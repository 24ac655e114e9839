"""What is known before anything runs."""

from pathlib import Path

import pytest

from app.state.opening import first_state
from core.errors import SettingsError
from core.paths import Home
from core.settings import Settings, WindowSettings, save_settings


def test_a_new_home_is_furnished(tmp_path: Path) -> None:
    """With what ships, and the settings as they come."""
    home = Home(tmp_path / "home")
    state = first_state(home)
    assert home.logs.is_dir()
    assert (state.chosen, state.settings) == ("spark", Settings())
    assert not state.is_running


@pytest.mark.parametrize(("kept", "chosen"), [("ember", "ember"), ("gone", "spark")])
def test_the_model_is_the_one_of_last_time(tmp_path: Path, kept: str, chosen: str) -> None:
    """If it is still there."""
    home = Home(tmp_path)
    save_settings(Settings(window=WindowSettings(model=kept)), home.settings)
    assert first_state(home).chosen == chosen


def test_it_is_known_whether_rounds_may_be_remembered(tmp_path: Path) -> None:
    """By the file that holds them; it is not opened for that."""
    home = Home(tmp_path)
    assert not first_state(home).has_practised
    home.ledger.write_bytes(b"whatever")
    assert first_state(home).has_practised


def test_settings_that_cannot_be_read_are_told(tmp_path: Path) -> None:
    """The window shows the words in place of its pages."""
    home = Home(tmp_path)
    home.settings.write_text("[window]\ntheme = 3\n", encoding="utf-8")
    with pytest.raises(SettingsError, match=r"window\.theme"):
        first_state(home)
