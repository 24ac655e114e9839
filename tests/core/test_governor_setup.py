"""A steward on the sensors and the settings of this machine."""

from pathlib import Path

from core.api.events import PauseReason
from core.governor_setup import open_governor
from core.paths import Home
from core.settings import RulesSettings, Settings, save_settings


class Told:
    """A node that writes down why it is paused."""

    def __init__(self) -> None:
        self.reasons: list[PauseReason] = []

    def pause(self, reason: PauseReason, until: int | None = None, detail: str = "") -> None:
        assert (until, detail) == (None, "")
        self.reasons.append(reason)

    def resume(self) -> None:
        self.reasons.clear()

    def set_share(self, share: float) -> None:
        assert 0 < share <= 1


async def test_the_rules_are_those_of_the_home(tmp_path: Path) -> None:
    """No hour is welcome there."""
    home, node = Home(tmp_path), Told()
    save_settings(Settings(rules=RulesSettings(schedule=("0" * 24,) * 7)), home.settings)
    async with open_governor(home).over(node):
        assert node.reasons == ["schedule"]
