"""What a service is given."""

from pathlib import Path

import pytest

from core.errors import SettingsError
from core.paths import Home
from core.services.service import ServiceContext
from core.settings import Settings, SwarmSettings, save_settings


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
