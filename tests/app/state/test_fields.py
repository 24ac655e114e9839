"""One setting among all."""

from app.state.fields import Field
from core.settings import RulesSettings, Settings, SwarmSettings

BATTERY = Field("rules", "on_battery")


def test_a_setting_is_read_and_written() -> None:
    """Everything else stays as it was."""
    settings = Settings(swarm=SwarmSettings(port=7), rules=RulesSettings(idle_minutes=9))
    changed = BATTERY.set(settings, "run")
    assert BATTERY.of(settings) == "pause"
    assert BATTERY.of(changed) == "run"
    assert BATTERY.set(changed, "pause") == settings


def test_the_wish_changes_what_the_file_holds_by_then() -> None:
    """Not what was known when it was spoken."""
    wish = BATTERY.keep("run")
    later = Settings(swarm=SwarmSettings(lan=False))
    assert wish.change(later).swarm == later.swarm
    assert wish.change(later).rules.on_battery == "run"
