"""What a card shows."""

import dataclasses

import pytest
from msgspec.structs import replace

from app.pages.models.store import Job, begin, end
from app.pages.models.view_model import RowAction, card_view_model, means, order, wants_measuring
from core.api.events import Stop
from core.api.models import ListedModel, Presence
from core.api.state import ask
from tests.app.pages.models.samples import (
    GB,
    LARGE,
    MB,
    SMOL,
    SPARK,
    TIGHT,
    listing,
    seen,
    state,
)


def main(
    model: ListedModel, chosen: str = "spark", running: str = "", anyway: str = ""
) -> RowAction:
    act = card_view_model(model, listing(), state(chosen, running, anyway)).main
    assert act is not None
    return act


def pills(model: ListedModel, chosen: str = "spark", running: str = "") -> list[str]:
    return [pill.text for pill in card_view_model(model, listing(), state(chosen, running)).pills]


def test_a_card_says_what_it_is_how_large_and_whether_it_fits() -> None:
    """With the figures behind it."""
    looks = card_view_model(SMOL, listing(), state())
    assert looks.facts.replace("\u00a0", " ") == "135 million parameters · 271 MB to download"
    assert "Needs about" in looks.fit
    assert pills(SMOL) == ["Fits"]
    assert pills(TIGHT) == ["Tight"]
    assert pills(LARGE) == ["Too large"]
    assert "Smol would fit" in card_view_model(LARGE, listing(), state()).fit


@pytest.mark.parametrize(
    ("presence", "words"),
    [
        ("ships", "comes with Waggle"),
        ("installed", "on this computer, 3 MB"),
        ("available", "271 MB to download"),
        ("partly", "a part is on this computer"),
        ("damaged", "files of it are missing"),
    ],
)
def test_a_card_says_where_the_model_is(presence: Presence, words: str) -> None:
    """Here, in part, or to be fetched."""
    model = replace(SMOL, presence=presence, on_disk=3 * MB)
    assert words in card_view_model(model, listing(), state()).facts.replace("\u00a0", " ")


def test_the_chosen_and_the_practising_model_are_marked() -> None:
    """Which may be two: what is chosen while another one practises comes next."""
    assert pills(SPARK, chosen="spark") == ["Chosen", "Fits"]
    assert pills(SPARK, chosen="spark", running="spark") == ["Practising now", "Chosen"]
    assert pills(SMOL, chosen="smol", running="spark") == ["Chosen next", "Fits"]
    assert card_view_model(SPARK, listing(), state("spark")).is_chosen


def test_a_model_that_practises_is_not_judged() -> None:
    """The memory that it uses is no longer free, so the figures would say that it does not fit."""
    model = replace(SPARK, fit=seen("too_large"))
    looks = card_view_model(model, listing(), state("spark", running="spark"))
    assert looks.fit == ""
    assert looks.main is None


@pytest.mark.parametrize(
    ("model", "text", "verb"),
    [
        (SPARK, "Choose", "choose"),
        (SMOL, "Download", "fetch"),
        (replace(SMOL, presence="partly"), "Go on", "fetch"),
        (replace(SMOL, presence="damaged"), "Download again", "fetch"),
        (LARGE, "Download", "fetch_anyway"),
        (replace(LARGE, presence="installed"), "Choose anyway", "choose_anyway"),
    ],
)
def test_the_button_is_the_next_step(model: ListedModel, text: str, verb: str) -> None:
    """Named for a screen reader with its model; a question first only where it is too large."""
    act = main(model, chosen="tight")
    assert (act.text, act.verb) == (text, verb)
    assert act.name.endswith(model.title)
    assert bool(act.asks) == act.verb.endswith("_anyway")


def test_who_insisted_once_is_not_asked_again() -> None:
    """A model that is too large and was chosen anyway is chosen like any other."""
    here = replace(LARGE, presence="installed")
    assert main(here, anyway="large").verb == "choose"
    assert card_view_model(here, listing(), state("large", anyway="large")).main is None
    assert main(here, chosen="large").verb == "choose_anyway"  # chosen when more memory was free


def test_the_next_model_can_take_over_now() -> None:
    """Where another one practises; while that finishes its round, it is said and not asked again.

    After Stop there is nothing left to finish.
    """
    running = state("spark", running="tight")
    act = card_view_model(SPARK, listing(), running).main
    assert act == RowAction("Change over now", "change_over", name="Change over now: Spark")
    changing = card_view_model(
        SPARK, dataclasses.replace(listing(), is_changing=True), running
    ).main
    assert changing is not None
    assert (changing.text, changing.enabled) == ("Finishing the round…", False)
    stopping = dataclasses.replace(running, node=ask(running.node, Stop()))
    stopped = card_view_model(SPARK, listing(), stopping).main
    assert stopped is not None
    assert not stopped.enabled
    assert card_view_model(SPARK, listing(), state("spark")).main is None
    assert card_view_model(SPARK, listing(), state("spark", running="spark")).main is None


def test_a_disk_that_is_too_full_is_told_beforehand() -> None:
    """With what is needed, beside what stays free; what came in already counts."""
    looks = card_view_model(SMOL, listing(disk_free=1_450 * MB), state())
    assert looks.main is not None
    assert not looks.main.enabled
    assert "needs 1.5\u00a0GB on the disk, and 1.4\u00a0GB are free" in looks.fit
    partly = replace(SMOL, presence="partly", came_in=200 * MB)
    resumed = card_view_model(partly, listing(disk_free=1_450 * MB), state()).main
    assert resumed is not None
    assert resumed.enabled


def test_while_a_round_is_measured_nothing_is_fetched() -> None:
    """A model is of one job at a time; one that is here can be chosen meanwhile."""
    going = begin(listing(), 7, Job("measure", "smol"))
    looks = card_view_model(SMOL, going, state())
    assert looks.main is None
    assert [way.verb for way in looks.ways] == ["stop"]
    here = card_view_model(replace(SMOL, presence="installed"), going, state()).main
    assert here is not None
    assert here.verb == "choose"


def test_a_download_can_be_held_and_ended() -> None:
    """To end it asks first, and no more once that was wanted."""
    going = begin(listing(), 7, Job("fetch", "smol"))
    looks = card_view_model(SMOL, going, state())
    assert looks.main is None
    assert [(way.verb, bool(way.asks)) for way in looks.ways] == [
        ("pause", False),
        ("cancel", True),
    ]
    assert not any(way.enabled for way in card_view_model(SMOL, end(going, 7), state()).ways)
    partly = replace(SMOL, presence="partly")
    assert [way.verb for way in card_view_model(partly, listing(), state()).ways] == ["drop"]


@pytest.mark.parametrize(
    ("kind", "ways"), [("verify", ["stop"]), ("export", ["stop"]), ("reset", [])]
)
def test_long_work_can_be_stopped(kind: str, ways: list[str]) -> None:
    """What is done in a moment cannot."""
    going = begin(listing(), 7, Job(kind, "spark"))  # type: ignore[arg-type]  # from the list above
    assert [way.verb for way in card_view_model(SPARK, going, state()).ways] == ways


def test_the_order_is_chosen_here_then_by_fit() -> None:
    """Within each, that of the catalogue."""
    here = replace(LARGE, id="here", presence="installed")
    partly = replace(LARGE, id="partly", presence="partly")
    unknown = replace(LARGE, id="unknown", fit=None)
    models = (SPARK, LARGE, TIGHT, unknown, SMOL, here, partly)
    names = order(listing(*models), "tight")
    assert names == ("tight", "spark", "here", "partly", "smol", "large", "unknown")


def test_memory_is_said_to_be_measured_beside_practice() -> None:
    """Or a person would think that the computer has shrunk."""
    assert "practises" not in means(listing(), state())
    assert "50\u00a0GB are free on the disk" in means(listing(), state())
    assert "while Spark practises" in means(listing(), state(running="spark"))


def test_what_nothing_is_known_of_is_shown_all_the_same() -> None:
    """A begun download of a model in no catalogue."""
    bare = ListedModel(id="x", title="someone/X", sentence="", presence="partly", download=2 * GB)
    looks = card_view_model(bare, listing(bare), state())
    assert (looks.fit, looks.pills, looks.facts) == ("", (), "a part is on this computer")


def test_a_card_says_how_long_a_round_takes() -> None:
    """Where that is known."""
    known = card_view_model(replace(SMOL, round_s=48.0), listing(), state()).facts
    assert known.endswith("a round takes about 50 seconds")
    assert "round" not in card_view_model(SMOL, listing(), state()).facts


def test_a_model_that_is_chosen_is_measured_once_and_not_beside_another() -> None:
    """One that is too large is not, since measuring it may take all memory."""
    assert wants_measuring(SMOL, listing(), state())
    assert not wants_measuring(replace(SMOL, round_s=2.0), listing(), state())
    assert not wants_measuring(SMOL, listing(), state(running="spark"))
    assert not wants_measuring(LARGE, listing(), state())
    busy = begin(listing(), 1, Job("measure", SMOL.id))
    assert not wants_measuring(SMOL, busy, state())
