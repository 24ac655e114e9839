"""``waggle exam``."""

import json

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
