"""Requests and replies of the page Settings: checks of this computer, and care for its data."""

from typing import Annotated, Literal

import msgspec
from msgspec import Meta

from core.api.requests import FilePath, Reply, Request
from core.i18n import Remarks

Part = Literal["models", "learnt", "decks", "records", "copies", "logs", "rest"]


class Finding(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One thing that was looked at."""

    area: str
    ok: bool
    words: str  # where it is not well, what to do
    needed: bool = True  # False: a node practises without it
    remarks: Remarks = ()  # that the words were made from
    kind: Annotated[str, Meta(max_length=40)] = ""  # of the error that was met: its class

    @property
    def mark(self) -> str:
        """The result in four letters, for the margin of a list."""
        return "ok  " if self.ok else "BAD " if self.needed else "note"


class LookAround(Request, frozen=True, tag="look_around"):
    """Look at everything that practice rests on; takes seconds."""


class LookedAround(Reply, frozen=True, tag="looked_around"):
    """The findings of ``LookAround``."""

    findings: tuple[Finding, ...]


class DiskUsage(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Bytes that one part of the data folder takes."""

    part: Part
    size: int  # bytes


class MeasureFolders(Request, frozen=True, tag="measure_folders"):
    """Look at what is kept here, and for whom."""


class FoldersMeasured(Reply, frozen=True, tag="folders_measured"):
    """The data folder, as it is now."""

    root: str
    name: str  # by which others know this node; empty before its first start
    parts: tuple[DiskUsage, ...]


class BackUpIdentity(Request, frozen=True, tag="back_up_identity"):
    """Write the private key into a file of its own; answered by ``Done`` with words."""

    path: FilePath


class RestoreIdentity(Request, frozen=True, tag="restore_identity"):
    """Be again who a backup says; refused while a node runs; answered by ``Done`` with words."""

    path: FilePath


class MakeSupportFile(Request, frozen=True, tag="make_support_file"):
    """Write a file for whoever helps; answered by ``Done`` with words."""

    path: FilePath


class RemoveEverything(Request, frozen=True, tag="remove_everything"):
    """Delete all that Waggle keeps here; refused while a node runs; answered by ``Done``."""


class ShowAutostart(Request, frozen=True, tag="show_autostart"):
    """Ask whether the window opens with the computer."""


class SetAutostart(Request, frozen=True, tag="set_autostart"):
    """Let the window open with the computer, or no longer; answered by ``AutostartShown``."""

    on: bool


class AutostartShown(Reply, frozen=True, tag="autostart_shown"):
    """Whether the window opens with the computer, as the system has it now."""

    on: bool
