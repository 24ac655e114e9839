"""Settings on disk."""

import tempfile
from contextlib import suppress
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.errors import HomeError, SettingsError
from core.settings import (
    MOST_BYTES,
    NetworkSettings,
    PracticeSettings,
    RulesSettings,
    Settings,
    SettingsFile,
    SwarmSettings,
    WindowSettings,
    load_settings,
    save_settings,
)
from tests.posix import make_pipe


def test_no_file_means_defaults(tmp_path: Path) -> None:
    """A first start needs no settings file."""
    assert load_settings(tmp_path / "settings.toml") == Settings()


def test_settings_survive_a_round_trip(tmp_path: Path) -> None:
    """What is saved is loaded equal, and no draft is left behind."""
    path = tmp_path / "settings.toml"
    settings = Settings(
        practice=PracticeSettings(local_groups=3), swarm=SwarmSettings(hubs=("http://hub",))
    )
    save_settings(settings, path)
    assert load_settings(path) == settings
    assert [p.name for p in tmp_path.iterdir()] == ["settings.toml"]


@pytest.mark.parametrize(
    ("text", "place"),
    [
        ("[practice]\nlocal_groups = 'many'", "practice.local_groups"),
        ("[practice]\nlocal_groups = 0", "practice.local_groups"),
        ("[practice]\nspeed = 9", "practice"),
        ("[practice]\nkinds = ['../gcd']", "practice.kinds"),
        ("[practice]\nkinds = ['" + "a" * 65 + "']", "practice.kinds"),
        ("[practice]\nkinds = 'gcd'", "practice.kinds"),
        ("[practice]\nteacher = 'no'", "practice.teacher"),
        ("[swarm]\nname = 'Not A Name'", "swarm.name"),
        ('[swarm]\nname = "meadow\\n"', "swarm.name"),
        ("[rules]\nschedule = ['1']", "rules.schedule"),
        ("[rules]\nschedule = [" + "'2" + "1" * 23 + "'," * 7 + "]", "rules.schedule"),
        ("[rules]\nprograms = ['a/b']", "rules.programs"),
        ("[rules]\nidle_minutes = 0", "rules.idle_minutes"),
        ("[rules]\nshare_percent = 0", "rules.share_percent"),
        ("[network]\nproxy = 'proxy:3128'", "network.proxy"),
        ("[network]\nproxy = 'socks5://proxy:3128'", "network.proxy"),
        ("[window]\nlanguage = 'xx'", "window.language"),
        ("[window]\ncolours = 'grey'", "window.colours"),
        ("not toml at all", "settings.toml"),
    ],
)
def test_a_broken_file_is_explained_with_its_place(tmp_path: Path, text: str, place: str) -> None:
    """The message names the file and the key, and says what to do."""
    path = tmp_path / "settings.toml"
    path.write_text(text)
    with pytest.raises(SettingsError) as caught:
        load_settings(path)
    assert place in str(caught.value)
    assert "delete the file" in str(caught.value)


def test_what_nothing_reads_any_more_is_passed_over(tmp_path: Path) -> None:
    """A file of an earlier release is read, and written without it the next time."""
    path = tmp_path / "settings.toml"
    retired = '[rules]\nmemory_floor_mib = 500\ndisk_floor_mib = 0\n[window]\nmotion = "reduced"\n'
    path.write_text(f'{retired}colours = "sea"\n')
    settings = load_settings(path)
    assert settings == Settings(window=WindowSettings(colours="sea"))
    save_settings(settings, path)
    assert "motion" not in path.read_text()
    assert "_mib" not in path.read_text()


@pytest.mark.parametrize(
    "proxy", ["", "http://proxy:3128", "https://me:p%40ss@proxy.example.org:8080/"]
)
def test_a_proxy_has_its_port(tmp_path: Path, proxy: str) -> None:
    """And a name and a password where it asks for them."""
    path = tmp_path / "settings.toml"
    save_settings(Settings(network=NetworkSettings(proxy=proxy)), path)
    assert load_settings(path).network.proxy == proxy


@given(st.binary(max_size=200))
def test_any_bytes_are_settings_or_an_explanation(data: bytes) -> None:
    """A file damaged in any way ends in a sentence, never in a traceback."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "settings.toml"
        path.write_bytes(data)
        with suppress(SettingsError):
            load_settings(path)


@pytest.mark.parametrize(
    "text", ["x = " + "[" * 100_000, "[a" + ".b" * 100_000 + "]", "#" * (MOST_BYTES + 1)]
)
def test_a_file_made_to_be_slow_is_explained(tmp_path: Path, text: str) -> None:
    """Brackets without an end and a file without one are no settings, and no crash."""
    path = tmp_path / "settings.toml"
    path.write_text(text, encoding="ascii")
    with pytest.raises(SettingsError, match=r"settings\.toml cannot be read"):
        load_settings(path)


def test_a_file_that_begins_with_an_editor_s_mark_is_read(tmp_path: Path) -> None:
    """Notepad and PowerShell may put the three bytes of UTF-8's mark before the first line."""
    path = tmp_path / "settings.toml"
    path.write_text('[rules]\non_battery = "run"\n', encoding="utf-8-sig")
    assert load_settings(path).rules.on_battery == "run"


def test_a_pipe_in_its_place_is_not_waited_for(tmp_path: Path) -> None:
    """Nobody would ever write into it."""
    path = tmp_path / "settings.toml"
    make_pipe(path)
    with pytest.raises(SettingsError, match="no regular file"):
        load_settings(path)


def test_settings_that_cannot_be_written_are_explained(tmp_path: Path) -> None:
    """A missing folder becomes a sentence."""
    with pytest.raises(HomeError):
        save_settings(Settings(), tmp_path / "nowhere" / "settings.toml")


def test_a_failed_save_leaves_nothing_behind(tmp_path: Path) -> None:
    """What stands in the way is explained, and no half-made file is left."""
    path = tmp_path / "settings.toml"
    path.mkdir()
    with pytest.raises(HomeError):
        save_settings(Settings(), path)
    assert list(tmp_path.iterdir()) == [path]


def test_the_rules_survive_a_round_trip(tmp_path: Path) -> None:
    """A painted week and names with blanks come back as they were."""
    path = tmp_path / "settings.toml"
    week = ("1" * 7 + "0" * 10 + "1" * 7,) * 5 + ("1" * 24,) * 2
    settings = Settings(rules=RulesSettings(schedule=week, programs=("Grand Theft.exe",)))
    save_settings(settings, path)
    assert load_settings(path) == settings


@pytest.mark.parametrize(("floor_mb", "spare"), [(0, 500), (300, 500), (1_000, 1_250)])
def test_what_a_model_leaves_free_lets_practice_go_on(floor_mb: int, spare: int) -> None:
    """Above the floor by its margin, once it has paused; a little in any case."""
    assert RulesSettings(disk_floor_mb=floor_mb).disk_spare == spare * 10**6


def test_a_watched_file_is_read_again_when_it_has_changed(tmp_path: Path) -> None:
    """Saved, changed and deleted: each time what is true now."""
    path = tmp_path / "settings.toml"
    watched = SettingsFile(path)
    assert watched.current() == Settings()
    for minutes in (7, 8):
        settings = Settings(rules=RulesSettings(idle_minutes=minutes))
        save_settings(settings, path)
        assert watched.current() == settings
        assert watched.current() is watched.current()
    path.unlink()
    assert watched.current() == Settings()


def test_a_watched_file_that_breaks_keeps_what_it_held(tmp_path: Path) -> None:
    """Whoever mistypes a line by hand does not lose their rules meanwhile."""
    path = tmp_path / "settings.toml"
    settings = Settings(rules=RulesSettings(idle_minutes=7))
    save_settings(settings, path)
    watched = SettingsFile(path)
    assert watched.current() == settings
    path.write_text("[rules")
    assert watched.current() == settings
    save_settings(Settings(), path)
    assert watched.current() == Settings()


def test_kinds_and_the_teacher_are_kept(tmp_path: Path) -> None:
    """At first all that is built in is practised, and decks teach."""
    assert (PracticeSettings().kinds, PracticeSettings().teacher) == ((), True)
    path = tmp_path / "settings.toml"
    practice = PracticeSettings(kinds=("gcd", "deck_0123456789abcdef"), teacher=False)
    save_settings(Settings(practice=practice), path)
    assert load_settings(path).practice == practice
