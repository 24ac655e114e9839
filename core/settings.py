"""Frozen settings in small classes, one per owner; TOML in and out.

A missing file means defaults, a missing key its default; an unknown key, a wrong type or a value
out of range is refused with the place where it stands.
"""

from pathlib import Path
from typing import Annotated, Literal

import msgspec
from msgspec import Meta

from core.errors import SettingsError
from core.files import replace_file
from core.paths import explain_os_error

Recipe = Literal["sapo", "waggle"]
SamplerChoice = Literal["auto", "torch", "llama-f16", "llama-q8_0"]

SwarmName = Annotated[
    str,
    Meta(max_length=2_000, pattern=r"^([a-z0-9][a-z0-9-]{0,39}|waggle://join/[A-Za-z0-9_-]+)\Z"),
]
"""An open swarm, or the link of an invite."""


class _Section(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Base of all sections."""


class PracticeSettings(_Section, frozen=True):
    """What a round is made of (SAPO, section 3: I local and J swarm groups of G completions)."""

    local_groups: Annotated[int, Meta(ge=1, le=64)] = 8  # questions tried per round
    swarm_groups: Annotated[int, Meta(ge=0, le=64)] = 8  # J: groups of others trained on per round
    group_size: Annotated[int, Meta(ge=2, le=32)] = 8  # G: completions per question
    level: Annotated[int, Meta(ge=1, le=9)] = 1  # of difficulty; tasks stop at their own hardest
    recipe: Recipe = "sapo"


class ComputeSettings(_Section, frozen=True):
    """How much of the machine is lent."""

    threads: Annotated[int, Meta(ge=0, le=256)] = 0  # 0: as many as help
    sampler: SamplerChoice = "auto"  # auto: whichever is faster for the model on this machine


class SwarmSettings(_Section, frozen=True):
    """Where others are met."""

    name: SwarmName = "meadow"
    hubs: tuple[Annotated[str, Meta(max_length=300)], ...] = ()  # base URLs
    lan: bool = True  # meet those on the same network
    port: Annotated[int, Meta(ge=0, le=65_535)] = 0  # for others to ask directly; 0: any free one
    internet: bool = False  # find others, and be found, through the BitTorrent network
    blocked: tuple[Annotated[str, Meta(pattern=r"^[0-9a-f]{64}\Z")], ...] = ()  # nodes to ignore


class WindowSettings(_Section, frozen=True):
    """How the window looks."""

    theme: Literal["system", "light", "dark"] = "system"
    model: Annotated[str, Meta(max_length=200)] = "spark"  # chosen last
    consent: bool = False  # the person has read what is shared, and agreed


class Settings(_Section, frozen=True):
    """All settings of a node."""

    practice: PracticeSettings = PracticeSettings()
    compute: ComputeSettings = ComputeSettings()
    swarm: SwarmSettings = SwarmSettings()
    window: WindowSettings = WindowSettings()


def load_settings(path: Path) -> Settings:
    """Read ``path``; defaults where it does not exist.

    Raises:
        SettingsError: it is no valid TOML or breaks a rule; the message names the place.
        HomeError: it exists and cannot be read.
    """
    try:
        return msgspec.toml.decode(path.read_bytes(), type=Settings)
    except FileNotFoundError:
        return Settings()
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise SettingsError(
            f"The settings file {path} cannot be read: {error}. "
            "Mend that line, or delete the file to start with the defaults."
        ) from error
    except OSError as error:
        raise explain_os_error(error, path) from error


def save_settings(settings: Settings, path: Path) -> None:
    """Write ``settings`` to ``path`` in one step: a crash leaves the old file or the new one.

    Raises:
        HomeError: it cannot be written.
    """
    replace_file(path, msgspec.toml.encode(settings))
