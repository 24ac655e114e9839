"""What a service is given."""

from pathlib import Path

import pytest

from core.errors import SettingsError
from core.paths import Home
from core.services.service import ServiceContext
from core.settings import PracticeSettings, Settings, SwarmSettings, save_settings


def test_settings_are_those_of_now(tmp_path: Path) -> None:
    """A service long after the start sees what was changed meanwhile."""
    place = ServiceContext(Home(tmp_path))
    assert place.settings() == Settings()
    changed = Settings(swarm=SwarmSettings(lan=False))
    save_settings(changed, place.home.settings)
    assert place.settings() == changed


def test_broken_settings_are_an_error_in_words(tmp_path: Path) -> None:
    """The helper turns it into a refusal."""
    place = ServiceContext(Home(tmp_path))
    place.home.settings.write_text("nonsense", encoding="utf-8")
    with pytest.raises(SettingsError):
        place.settings()


def test_what_is_practised_is_what_the_settings_say_unless_somebody_insists(
    tmp_path: Path,
) -> None:
    """A command line may; of all else, the settings have it."""
    home = Home(tmp_path)
    practice = PracticeSettings(kinds=("gcd",), level=3)
    save_settings(Settings(practice=practice), home.settings)
    assert ServiceContext(home).practice() == practice
    assert ServiceContext(home, ("lcm",)).practice() == PracticeSettings(kinds=("lcm",), level=3)
