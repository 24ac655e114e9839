"""Frozen settings in small classes, one per owner; TOML in and out.

A missing file means defaults, a missing key its default; an unknown key, a wrong type or a value
out of range is refused with the place where it stands.
"""

import logging
from codecs import BOM_UTF8
from pathlib import Path
from typing import Annotated, Any, Final, Literal
from urllib.parse import urlsplit

import msgspec
from msgspec import Meta

from core.errors import SettingsError, WaggleError
from core.i18n import translatable
from core.paths import explain_os_error
from core.storage.files import read_bounded, replace_file
from core.storage.room import SPARE_BYTES

_log = logging.getLogger(__name__)

MOST_URL: Final = 300  # letters
LEAST_PORT: Final = 1_024  # to be opened: those below are the system's
MOST_PORT: Final = 65_535
MOST_PROGRAMS: Final = 50
MOST_KINDS: Final = 500
USUAL_PORTS: Final = {"http": 80, "https": 443}

Recipe = Literal["sapo", "waggle", "waggle-adaptive"]
SamplerChoice = Literal["auto", "torch", "llama-f16", "llama-q8_0"]

DeviceChoice = Annotated[str, Meta(pattern=r"^(auto|cpu|mps|cuda:[0-9]{1,2})\Z")]
"""Where models that are not small are trained. NVIDIA's cards count from 0, as ``nvidia-smi`` does;
mps is Apple's chip; auto: a card if PyTorch can use one."""

SWARM: Final = "[a-z0-9][a-z0-9-]{0,39}"
"""A swarm's name on the wire, as a pattern."""

SwarmName = Annotated[
    str, Meta(max_length=2_000, pattern=rf"^({SWARM}|waggle://join/[A-Za-z0-9_-]+)\Z")
]
"""An open swarm, or the link of an invite."""


ProxyUrl = Annotated[
    str, Meta(max_length=MOST_URL, pattern=r"^(https?://([^\s/@]+@)?[^\s/@:]+:[0-9]{1,5}/?)?\Z")
]
"""A proxy with its port, and with a name and a password where it asks for them; may be empty."""

Language = Literal["system", "en", "de", "es", "zh_CN"]

MOST_BYTES: Final = 1 << 20
"""Of the file; a person's has a thousandth of that."""

Hours = Annotated[str, Meta(pattern=r"^[01]{24}\Z")]
"""A day from midnight on, an hour a character: 1 where practice is welcome."""

Week = Annotated[tuple[Hours, ...], Meta(min_length=7, max_length=7)]
"""Monday first, in local time."""

ROOM_MARGIN: Final = 1.25
"""Of the floors of memory and disk: below one practice pauses, and goes on above this."""

ALWAYS: Week = ("1" * 24,) * 7

ProgramName = Annotated[str, Meta(max_length=100, pattern=r"^[^\x00-\x1f/\\]+\Z")]
"""As the system lists it; case and a final ``.exe`` do not matter."""

KindName = Annotated[str, Meta(max_length=64, pattern=r"^[a-z0-9_]+\Z")]
"""As ``waggle tasks`` and ``waggle deck list`` have it."""

ProgramNames = Annotated[tuple[ProgramName, ...], Meta(max_length=MOST_PROGRAMS)]


class _Section(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Base of all sections."""


class PracticeSettings(_Section, frozen=True):
    """The sizes of a round (SAPO, section 3: I local and J swarm groups of G completions)."""

    local_groups: Annotated[int, Meta(ge=1, le=64)] = 8  # questions tried per round, at most
    swarm_groups: Annotated[int, Meta(ge=0, le=64)] = 8  # J: groups of others trained on per round
    group_size: Annotated[int, Meta(ge=2, le=32)] = 4  # G: completions per question, at most
    level: Literal["automatic"] | Annotated[int, Meta(ge=1, le=9)] = "automatic"
    """Of difficulty; tasks stop at their own hardest. Automatic: harder ones as easier ones go
    well, and most of what is half solved."""
    recipe: Recipe = "waggle-adaptive"
    kinds: Annotated[tuple[KindName, ...], Meta(max_length=MOST_KINDS)] = ()
    """What is practised, of the kinds that are built in and of decks; empty: all built in."""
    teacher: bool = True  # decks show how they would answer where all own answers fail


class ComputeSettings(_Section, frozen=True):
    """Device, cores and sampler of practice."""

    threads: Annotated[int, Meta(ge=0, le=256)] = 0  # 0: as many as help
    device: DeviceChoice = "auto"  # small models always take the processor
    sampler: SamplerChoice = "auto"  # auto: whichever is faster for the model on this machine


class RulesSettings(_Section, frozen=True):
    """When the machine is lent, and how much of its time; ``core.governor.decide`` obeys them."""

    on_battery: Literal["pause", "run"] = "pause"
    battery_floor: Annotated[int, Meta(ge=0, le=100)] = 30  # percent below which "run" pauses, too
    when_in_use: Literal["run", "gentle", "pause"] = "gentle"  # gentle: half of the time
    idle_minutes: Annotated[int, Meta(ge=1, le=120)] = 3  # untouched for so long: not in use
    full_screen: Literal["pause", "run"] = "pause"  # games, films and talks
    busy_percent: Annotated[int, Meta(ge=0, le=100)] = 75  # of all cores, by others; 0: never mind
    programs: ProgramNames = ()  # while one runs: pause
    schedule: Week = ALWAYS
    hottest_c: Annotated[int, Meta(ge=0, le=120)] = 90  # of the processor; 0: never mind
    memory_floor_mb: Annotated[int, Meta(ge=0, le=10**6)] = 500  # of 10**6 bytes: left for others
    disk_floor_mb: Annotated[int, Meta(ge=0, le=10**7)] = 1_000  # likewise
    share_percent: Annotated[int, Meta(ge=10, le=100)] = 100  # of the time: it rests after rounds

    @property
    def disk_spare(self) -> int:
        """Bytes that a model on its way leaves free, or practice would pause and not go on."""
        return max(SPARE_BYTES, round(self.disk_floor_mb * 10**6 * ROOM_MARGIN))

    @property
    def memory_floor(self) -> int:
        """Bytes of memory that are left to others."""
        return 10**6 * self.memory_floor_mb


class SwarmSettings(_Section, frozen=True):
    """The swarm, and the ways of meeting others."""

    name: SwarmName = "meadow"
    hubs: tuple[Annotated[str, Meta(max_length=MOST_URL)], ...] = ()  # base URLs
    lan: bool = True  # meet those on the same network
    port: Annotated[int, Meta(ge=0, le=MOST_PORT)] = 0  # for others to ask; 0: any free one
    internet: bool = False  # find others, and be found, through the BitTorrent network
    blocked: tuple[Annotated[str, Meta(pattern=r"^[0-9a-f]{64}\Z")], ...] = ()  # nodes to ignore


class HostingSettings(_Section, frozen=True):
    """The meeting point on this computer, where one is opened in the window."""

    port: Annotated[int, Meta(ge=LEAST_PORT, le=MOST_PORT)] = 8_765
    url: Annotated[str, Meta(max_length=MOST_URL)] = ""  # where it is found from outside, if at all


class NetworkSettings(_Section, frozen=True):
    """Proxy and bandwidth of outgoing connections."""

    proxy: ProxyUrl = ""  # for models and meeting points; empty: as this computer does it
    models_kb_s: Annotated[int, Meta(ge=0, le=10**6)] = 0  # downloads at most; 0: as they come

    @property
    def models_bytes_s(self) -> int:
        """Bytes a second that downloads of models take at most; 0: as they come."""
        return 1_000 * self.models_kb_s


class UpdatesSettings(_Section, frozen=True):
    """Handling of newer releases, where Waggle installs them itself."""

    when: Literal["off", "notify", "automatic"] = "notify"  # automatic: installed on quitting
    seen: Annotated[str, Meta(max_length=20)] = ""  # the last release that the person looked at


class WindowSettings(_Section, frozen=True):
    """Appearance and behaviour of the window."""

    theme: Literal["system", "light", "dark"] = "system"
    colours: Literal["honey", "sea"] = "honey"  # both can be told apart by the colour-blind
    language: Language = "system"
    tray: bool = False  # closing the window leaves Waggle in the tray, where there is one
    notifications: bool = True  # few: trouble, milestones, a newer release; never rounds
    model: Annotated[str, Meta(max_length=200)] = "spark"  # chosen last
    anyway: Annotated[str, Meta(max_length=200)] = ""  # model to load even if memory seems short
    consent: bool = False  # the person has read what is shared, and agreed


class Settings(_Section, frozen=True):
    """All settings of a node."""

    practice: PracticeSettings = PracticeSettings()
    compute: ComputeSettings = ComputeSettings()
    rules: RulesSettings = RulesSettings()
    swarm: SwarmSettings = SwarmSettings()
    hosting: HostingSettings = HostingSettings()
    network: NetworkSettings = NetworkSettings()
    updates: UpdatesSettings = UpdatesSettings()
    window: WindowSettings = WindowSettings()


_RETIRED = (  # section and key: files of earlier releases hold them
    ("window", "motion"),
    ("rules", "memory_floor_mib"),
    ("rules", "disk_floor_mib"),
)


def load_settings(path: Path) -> Settings:
    """Read ``path``; defaults where it does not exist.

    Raises:
        SettingsError: it is no valid TOML or breaks a rule; the message names the place.
        HomeError: it exists and cannot be read.
    """
    try:
        data = read_bounded(path, MOST_BYTES).removeprefix(BOM_UTF8)  # some editors' own mark
        told = msgspec.toml.decode(data)
        return msgspec.convert(_without_retired(told), Settings)
    except FileNotFoundError:
        return Settings()
    except (ValueError, RecursionError) as error:  # TOML is text in which brackets hold brackets
        raise SettingsError(
            translatable(
                "The settings file {} cannot be read: {}. "
                "Mend that line, or delete the file to start with the defaults.",
                path,
                error,
            )
        ) from error
    except OSError as error:
        raise explain_os_error(error, path) from error


def _without_retired(told: dict[str, Any]) -> dict[str, Any]:
    for section, key in _RETIRED:
        if isinstance(told.get(section), dict):
            told[section].pop(key, None)
    return told


def plain_address(url: str) -> str:
    """The one spelling of a meeting point's address, so that nobody takes it for two.

    What is no address, as a person may have written into the file, stays as it is.
    """
    try:
        parts = urlsplit(url)
        host, port = parts.hostname or "", parts.port
    except ValueError:
        return url
    named = "" if port in (None, USUAL_PORTS.get(parts.scheme)) else f":{port}"
    return f"{parts.scheme}://{in_url(host)}{named}{parts.path}".rstrip("/")


def in_url(host: str) -> str:
    """``host`` as it stands in a URL: an IPv6 address in brackets, which it has nowhere else."""
    return f"[{host}]" if ":" in host else host


def save_settings(settings: Settings, path: Path) -> None:
    """Write ``settings`` to ``path`` in one step: a crash leaves the old file or the new one.

    Raises:
        HomeError: it cannot be written.
    """
    replace_file(path, msgspec.toml.encode(settings))


class SettingsFile:
    """The settings of a file that others write, read again whenever it has changed."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._seen: tuple[int, ...] | None = None  # of the file that was read last
        self._settings = Settings()

    def current(self) -> Settings:
        """The settings of the file; while it cannot be read, the last ones, at first defaults."""
        seen = self._look()
        if seen != self._seen:
            self._seen = seen
            try:
                self._settings = load_settings(self._path)
            except WaggleError as error:
                _log.warning("Going on with the settings as they were: %s", error)
        return self._settings

    def _look(self) -> tuple[int, ...]:
        try:
            status = self._path.stat()
        except OSError:
            return ()
        return status.st_ino, status.st_mtime_ns, status.st_size
