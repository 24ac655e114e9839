"""``waggle exam``."""

import json

from core.paths import RESOURCES
from tests.commands import Typed


def test_an_untrained_model_gains_nothing(typed: Typed) -> None:
    """Before any practice, base and today are the same model: the gain is exactly zero."""
    command = ("exam", "--model", "spark", "--puzzles", "30")
    told = typed(*command, "--json")
    assert told.code == 0
    report = json.loads(told.out)
    assert (report["round"], report["puzzles"]) == (0, 30)
    assert report["base"] == report["today"]
    nothing = {"mean": 0.0, "standard_error": 0.0}
    assert report["gain"] == {"solved": nothing, "forgiven": nothing, "pass_8": nothing}
    assert report["base"]["solved"]["mean"] <= report["base"]["forgiven"]["mean"]
    said = typed(*command).out
    assert "solved within eight tries" in said
    assert "It has not practised yet" in said


def test_a_deck_has_an_exam_of_its_own(typed: Typed) -> None:
    """Of what is held out of it, and of nothing else."""
    assert typed("deck", "new", RESOURCES / "decks" / "tickets.csv").code == 0
    told = typed("exam", "--deck", "tickets", "--puzzles", "4", "--json")
    assert told.code == 0
    (kind,) = json.loads(told.out)["tasks"]
    assert kind.startswith("deck_")
