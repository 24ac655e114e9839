"""Requests and replies about newer releases."""

from typing import Annotated, ClassVar, Literal

from msgspec import Meta

from core.api.requests import Reply, Request

Obstacle = Literal["none", "system", "source", "locked", "unbuilt"]
"""Why Waggle does not see to updates itself.

system: the package manager does. source: whoever got the checkout does. locked: the folder must not
be changed. unbuilt: no update source is built in.
"""

UpdateStage = Literal["looking", "downloading", "unpacking", "trying"]

Argument = Annotated[str, Meta(max_length=4_096)]
CommandLine = Annotated[tuple[Argument, ...], Meta(max_length=40)]
VersionText = Annotated[str, Meta(max_length=20, pattern=r"^([0-9]+\.[0-9]+\.[0-9]+)?\Z")]


class ShowUpdates(Request, frozen=True, tag="show_updates"):
    """Tell what is known; asks nobody outside."""


class LookForUpdate(Request, frozen=True, tag="look_for_update"):
    """Ask the update source, and answer by ``UpdatesShown``."""

    only_if_due: bool = False  # the window asks by itself: now and then, and never where it is off


class GetUpdate(Request, frozen=True, tag="get_update"):
    """Fetch the newest release and make it ready to be put in place; it is not, yet."""


class UpdateProgress(Reply, frozen=True, tag="update_progress"):
    """Progress of ``GetUpdate``."""

    is_last: ClassVar[bool] = False

    stage: UpdateStage
    done: int = 0  # bytes
    total: int = 0


class UpdatesShown(Reply, frozen=True, tag="updates_shown"):
    """The update status."""

    installed: VersionText
    place: str  # the folder that Waggle lies in
    obstacle: Obstacle
    newest: VersionText = ""  # empty: nothing newer is known
    size: int = 0  # bytes of its package
    looked_at: float = 0.0  # seconds since 1970; 0: never
    is_news: bool = False  # it was found just now, for the first time
    failed: VersionText = ""  # did not start here and was taken back
    held_up: bool = False  # something of Waggle ran on, so that it could not be put in place
    command: CommandLine = ()  # puts the newest release in place once the window is gone
    starting: CommandLine = ()  # to be appended where the window shall open again afterwards
