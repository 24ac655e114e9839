"""What is said about updates."""

from dataclasses import fields
from typing import get_args

import msgspec
import pytest

from app.pages.settings.updates_view_model import progress_in_words, share_of, updates_view_model
from core.api.updates import Obstacle, UpdateProgress, UpdatesShown, UpdateStage

NOTHING = UpdatesShown(installed="0.1.0", place="/apps/waggle", obstacle="none")


def known(**changes: object) -> UpdatesShown:
    return msgspec.structs.replace(NOTHING, **changes)


@pytest.mark.parametrize("obstacle", [one for one in get_args(Obstacle) if one != "none"])
def test_where_waggle_cannot_update_itself_it_says_who_does(obstacle: str) -> None:
    """And offers no button."""
    look = updates_view_model(known(obstacle=obstacle, newest="0.2.0"))
    assert look.details
    assert "0.1.0" in look.sentence
    assert not look.can_look
    assert not look.can_install


def test_a_package_of_the_system_is_told_so() -> None:
    """In the words of whoever installed it."""
    assert "Your system's package manager" in updates_view_model(known(obstacle="system")).details


def test_a_locked_folder_is_named() -> None:
    """So that somebody can do something about it."""
    assert "/apps/waggle" in updates_view_model(known(obstacle="locked")).details


def test_the_newest_is_only_known_after_a_look() -> None:
    """Before, it is the one that is here."""
    assert updates_view_model(NOTHING).sentence == "This is Waggle 0.1.0."
    looked = updates_view_model(known(looked_at=1e9))
    assert looked.sentence == "Waggle 0.1.0 is the newest."
    assert "Last looked" in looked.details
    assert looked.can_look
    assert not looked.can_install


def test_a_newer_one_can_be_installed() -> None:
    """With its size."""
    look = updates_view_model(known(newest="0.2.0", size=300_000_000, looked_at=1e9))
    assert look.sentence == "Waggle 0.2.0 is there. You have 0.1.0."
    assert "300\u00a0MB to download." in look.details
    assert look.can_install


def test_a_failed_one_is_told() -> None:
    """Since the window opened as the old one again."""
    assert "0.2.0 did not start here" in updates_view_model(known(failed="0.2.0")).details


def test_one_that_was_held_up_is_told_while_it_waits() -> None:
    """With what to do about it."""
    waiting = updates_view_model(known(newest="0.2.0", held_up=True)).details
    assert "something of Waggle ran on" in waiting
    assert "ran on" not in updates_view_model(known(held_up=True)).details


@pytest.mark.parametrize("stage", get_args(UpdateStage))
def test_every_stage_has_words(stage: UpdateStage) -> None:
    """Of a download, how much is there."""
    progress = UpdateProgress(stage=stage, done=1_000_000, total=4_000_000)
    assert progress_in_words(progress)
    assert share_of(progress) == (0.25 if stage == "downloading" else None)
    assert share_of(UpdateProgress(stage=stage)) is None


def test_a_look_is_all_that_is_drawn() -> None:
    """A field that is added needs words above."""
    assert [field.name for field in fields(updates_view_model(NOTHING))] == [
        "sentence",
        "details",
        "can_look",
        "can_install",
    ]
