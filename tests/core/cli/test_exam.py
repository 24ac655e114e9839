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
    assert report["gain"] == {"mean": 0.0, "standard_error": 0.0}
    assert "Gain: +0.0%" in typed(*command).out
