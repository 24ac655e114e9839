"""Everything that practice rests on is looked at; ``waggle doctor`` tests its words, too."""

from pathlib import Path
from typing import Literal

import pytest

from core.api.maintenance import Finding
from core.ledger.schema import open_ledger
from core.paths import Home
from core.sensors.senses import Senses
from core.services import checkup
from core.services.checkup import check_sensors, look_at_everything
from core.services.findings import is_sound
from core.wire.identity import load_or_create_identity


def test_a_home_that_never_was_is_sound(tmp_path: Path) -> None:
    """Every area that is needed is told in words, and each of them once."""
    findings = look_at_everything(Home(tmp_path / "home"))
    needed = [one.area for one in findings if one.needed]
    assert len(set(needed)) == len(needed)
    assert {"computer", "memory", "disk", "settings", "models", "judge"} <= set(needed)
    assert all(one.words for one in findings)
    assert is_sound(findings)


def test_what_is_broken_does_not_hide_the_rest(tmp_path: Path) -> None:
    """Damaged settings are one finding among the others."""
    home = Home(tmp_path)
    home.settings.write_text("nonsense", encoding="utf-8")
    bad = [one.area for one in look_at_everything(home) if one.needed and not one.ok]
    assert bad == ["settings"]


@pytest.mark.parametrize(
    ("settings", "area", "words"),
    [
        ('[practice]\nkinds = ["deck_000000000000"]', "settings", "deck_000000000000"),
        ('[window]\nmodel = "sparc"', "models", "Did you mean spark?"),
        ('[window]\nmodel = "qwen3-0.6b"', "models", "waggle models get"),
        ('[swarm]\nhubs = ["ftp://hub.example.org"]', "meeting point", "is no address"),
    ],
)
def test_settings_with_which_no_run_begins_are_trouble(
    tmp_path: Path, settings: str, area: str, words: str
) -> None:
    """Their form is right, and join refuses them; what is away at present is none of these."""
    home = Home(tmp_path)
    home.settings.write_text(settings, encoding="utf-8")
    (bad,) = (one for one in look_at_everything(home) if one.needed and not one.ok)
    assert bad.area == area
    assert words in bad.words


@pytest.mark.parametrize("area", ["identity", "ledger"])
def test_what_a_node_goes_on_from_is_looked_at_and_left_as_it_is(
    tmp_path: Path, area: Literal["identity", "ledger"]
) -> None:
    """A damaged identity or record is trouble; a good one is not told of."""
    home = Home(tmp_path)
    load_or_create_identity(home.identity)
    open_ledger(home.ledger).close()
    whole = home.identity.read_bytes(), home.ledger.read_bytes()
    assert is_sound(look_at_everything(home))
    assert (home.identity.read_bytes(), home.ledger.read_bytes()) == whole
    path = getattr(home, area)
    path.write_bytes(b"nonsense" * 100)
    (bad,) = (one for one in look_at_everything(home) if one.needed and not one.ok)
    assert bad.area == area
    assert str(path) in bad.words
    assert path.read_bytes() == b"nonsense" * 100


def test_every_sensor_is_told_and_none_is_needed(tmp_path: Path) -> None:
    """A node practises without; a rule that cannot work here is a note."""
    findings = check_sensors(Senses(tmp_path))
    assert {"battery", "idle", "heat"} < {one.area for one in findings}
    assert {one.mark for one in findings} <= {"ok  ", "note"}
    assert all(one.words for one in findings)


def test_a_card_that_was_never_tried_is_a_note(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """That names the command; afterwards, where its findings are. Without a card all is well."""
    home = Home(tmp_path)
    cards = {"cuda:0": "NVIDIA A"}
    monkeypatch.setattr(checkup, "usable_cards", lambda: cards)

    def finding() -> Finding:
        (one,) = (one for one in look_at_everything(home) if one.area == "graphics card")
        return one

    never = finding()
    assert (never.mark, "waggle bench gpu" in never.words) == ("note", True)
    home.gpu_bench.touch()
    tried = finding()
    assert (tried.mark, "gpu-bench.md" in tried.words) == ("ok  ", True)
    cards.clear()
    assert finding().mark == "ok  "


@pytest.mark.parametrize("place", ["/Applications", "/private/var/folders/x/AppTranslocation/7"])
def test_a_mac_is_told_that_an_app_in_its_download_is_not_at_home(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, place: str
) -> None:
    """It practises all the same."""
    monkeypatch.setattr("sys.platform", "darwin")
    monkeypatch.setattr("sys.executable", f"{place}/Waggle.app/Contents/MacOS/waggle")
    computer = checkup._computer(Home(tmp_path))  # noqa: SLF001 - the rest needs a real Mac
    assert computer.ok is (place == "/Applications")
    assert ("Drag it into Applications" in computer.words) is not computer.ok
    assert computer.ok or not computer.needed
